# Builds one consumer project and runs its program; see CMakeLists.txt beside this file.
file(REMOVE_RECURSE ${work_dir})
file(MAKE_DIRECTORY ${work_dir})
set(consumer_dir ${CMAKE_CURRENT_LIST_DIR}/${way})
set(arguments
    -G ${generator} -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_CXX_COMPILER_LAUNCHER=${launcher}
    -DCMAKE_BUILD_TYPE=${build_type} "-DCMAKE_CXX_FLAGS=${cxx_flags}"
    "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=${cxx_flags_of_type}")

if(way STREQUAL "find_package")
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${library_build_dir} --prefix
                          ${work_dir}/prefix COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND arguments -DCMAKE_PREFIX_PATH=${work_dir}/prefix -DMIZAN_EXPECTED=${version})
else()
  list(APPEND arguments -DMIZAN_SOURCE=${source_dir})
endif()

execute_process(COMMAND ${CMAKE_COMMAND} -S ${consumer_dir} -B ${work_dir}/build ${arguments}
                        COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work_dir}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${work_dir}/build/consumer
  OUTPUT_VARIABLE printed
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT printed STREQUAL "mizan ${version}")
  message(FATAL_ERROR "The consumer printed '${printed}' instead of 'mizan ${version}'")
endif()

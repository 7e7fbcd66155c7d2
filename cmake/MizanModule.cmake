# One folder = one target (docs/decisions/0002-a-folder-is-a-target.md).
#
#   mizan_module(<name> [LINK <target>...] [EMBED])
#       A part of the installed library: an object library `mizan_<name>` joined into mizan::mizan.
#   mizan_tool_module(<name> [LINK <target>...])
#       A part of the programs only (binary, prover, tests): a static library `mizan_<name>`.
#
# Both take every .cpp below the calling folder. A folder that holds no .cpp yet adds nothing.
include_guard()

# Compile settings that every target of ours shares; none of them reaches a user of the library.
function(mizan_target_defaults target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(
    ${target}
    PROPERTIES CXX_EXTENSIONS OFF
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON
               POSITION_INDEPENDENT_CODE ON)
  target_include_directories(
    ${target}
    PRIVATE ${mizan_SOURCE_DIR}/include
            ${mizan_SOURCE_DIR}/src
            ${mizan_BINARY_DIR}/generated/include
            ${mizan_BINARY_DIR}/generated/src)
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_options(
      ${target}
      PRIVATE -Wall
              -Wextra
              -Wpedantic
              -Wconversion
              -Wshadow
              -Wnon-virtual-dtor
              -Wold-style-cast
              -Wswitch-enum
              -Wundef)
  endif()
endfunction()

function(mizan_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "EMBED" "" "LINK")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  if(NOT sources)
    return()
  endif()
  add_library(mizan_${name} OBJECT ${sources})
  mizan_target_defaults(mizan_${name})
  target_link_libraries(mizan_${name} PRIVATE Threads::Threads ${arg_LINK})
  if(arg_EMBED)
    mizan_embed_text(mizan_${name})
  endif()
  target_sources(mizan_library PRIVATE $<TARGET_OBJECTS:mizan_${name}>)
endfunction()

function(mizan_tool_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  if(NOT sources)
    add_library(mizan_${name} INTERFACE)
    target_link_libraries(mizan_${name} INTERFACE mizan_library)
    return()
  endif()
  add_library(mizan_${name} STATIC ${sources})
  mizan_target_defaults(mizan_${name})
  target_include_directories(mizan_${name} PRIVATE ${mizan_SOURCE_DIR})
  target_link_libraries(mizan_${name} PRIVATE mizan_library Threads::Threads ${arg_LINK})
endfunction()

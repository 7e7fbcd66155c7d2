# The manual pages and the completions, which the program itself prints.
include_guard()

set(mizan_pages_dir ${mizan_BINARY_DIR}/pages)
set(mizan_pages)

# mizan_page(<file> <arguments of mizan>...)
function(mizan_page file)
  set(output ${mizan_pages_dir}/${file})
  cmake_path(GET output PARENT_PATH folder)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND mizan ${ARGN} > ${output}
    DEPENDS mizan
    VERBATIM)
  set(mizan_pages ${mizan_pages} ${output} PARENT_SCOPE)
endfunction()

mizan_page(man/mizan.1 manual mizan)
mizan_page(man/mizan.conf.5 manual mizan.conf)
mizan_page(completion/bash/mizan completion bash)
mizan_page(completion/zsh/_mizan completion zsh)
mizan_page(completion/fish/mizan.fish completion fish)
add_custom_target(mizan_pages ALL DEPENDS ${mizan_pages})

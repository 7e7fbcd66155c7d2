# Embeds a store folder's statements and migrations into a generated header.
#
#   mizan_embed_text(<target>)      called from src/store/<store> (or src/lock/<lock>)
#
# In namespace mizan::<store>_sql (for lua/: mizan::<store>_lua):
#   sql/<stem>.sql         ->  a constant <stem>, and a row of all_statements
#   migrations/<stem>.sql  ->  a row of all_migrations, in order of file name
#   lua/<stem>.lua         ->  a constant <stem>, and a row of all_scripts
#   documents/<stem>.json  ->  a constant <stem>, and a row of all_documents (<folder>_documents)
#
# The header is included as "store/<store>/<store>_sql.hpp". A row is a pair (stem, text), both
# std::string_view. Configuration fails when a store lacks a statement that
# src/store/sql/statements.txt lists.
include_guard()

set(MIZAN_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/EmbedTextScript.cmake)

function(mizan_embed_text target)
  file(RELATIVE_PATH folder ${mizan_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
  get_filename_component(store ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  file(GLOB sql CONFIGURE_DEPENDS sql/*.sql)
  file(GLOB migrations CONFIGURE_DEPENDS migrations/*.sql)
  file(GLOB lua CONFIGURE_DEPENDS lua/*.lua)
  file(GLOB documents CONFIGURE_DEPENDS documents/*.json)
  if(folder MATCHES "^store/")
    _mizan_require_statements(${store} "${sql}")
  endif()
  if(sql OR migrations)
    _mizan_embed(
      ${target}
      ${mizan_BINARY_DIR}/generated/src/${folder}/${store}_sql.hpp
      ${store}_sql
      "all_statements=${sql}"
      "all_migrations=${migrations}")
  endif()
  if(lua)
    _mizan_embed(${target} ${mizan_BINARY_DIR}/generated/src/${folder}/${store}_lua.hpp
                 ${store}_lua "all_scripts=${lua}" "")
  endif()
  if(documents)
    _mizan_embed(${target} ${mizan_BINARY_DIR}/generated/src/${folder}/${store}_documents.hpp
                 ${store}_documents "all_documents=${documents}" "")
  endif()
endfunction()

# Fails the configuration, naming each missing file, when a dialect is incomplete.
function(_mizan_require_statements store files)
  set(list_file ${mizan_SOURCE_DIR}/src/store/sql/statements.txt)
  if(NOT EXISTS ${list_file})
    return()
  endif()
  set_property(
    DIRECTORY ${mizan_SOURCE_DIR}
    APPEND
    PROPERTY CMAKE_CONFIGURE_DEPENDS ${list_file})
  file(STRINGS ${list_file} stems REGEX "^[a-z]")
  set(missing)
  foreach(stem IN LISTS stems)
    string(STRIP "${stem}" stem)
    if(NOT "${CMAKE_CURRENT_SOURCE_DIR}/sql/${stem}.sql" IN_LIST files)
      string(APPEND missing "\n  src/store/${store}/sql/${stem}.sql")
    endif()
  endforeach()
  if(missing)
    message(FATAL_ERROR "The ${store} store lacks statements that "
                        "src/store/sql/statements.txt lists:${missing}")
  endif()
endfunction()

function(_mizan_embed target header namespace named listed)
  set(arguments)
  set(depends)
  foreach(group IN ITEMS named listed)
    if("${${group}}" STREQUAL "")
      continue()
    endif()
    string(REGEX MATCH "^[a-z_]*" table "${${group}}")
    string(REGEX REPLACE "^[a-z_]*=" "" files "${${group}}")
    list(APPEND depends ${files})
    list(JOIN files "|" files)
    list(APPEND arguments "-D${group}_table=${table}" "-D${group}_files=${files}")
  endforeach()
  add_custom_command(
    OUTPUT ${header}
    COMMAND ${CMAKE_COMMAND} -Dheader=${header} -Dnamespace=${namespace} ${arguments} -P
            ${MIZAN_EMBED_SCRIPT}
    DEPENDS ${depends} ${MIZAN_EMBED_SCRIPT}
    COMMENT "Embedding ${namespace}.hpp"
    VERBATIM)
  target_sources(${target} PRIVATE ${header})
  # Tests look at the generated tables too; they must not compile before the header exists.
  add_custom_target(${target}_${namespace} DEPENDS ${header})
  set_property(GLOBAL APPEND PROPERTY MIZAN_GENERATED ${target}_${namespace})
endfunction()

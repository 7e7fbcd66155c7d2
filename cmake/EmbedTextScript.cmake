# Writes one generated header; run by the custom command of EmbedText.cmake.
#
# header, namespace            the file to write, and the namespace inside mizan
# named_table, named_files     these files also become one constant each, named by the file's stem
# listed_table, listed_files   these files are only rows of the table
string(REPLACE "|" ";" named_files "${named_files}")
string(REPLACE "|" ";" listed_files "${listed_files}")

set(constants)
set(tables)

# A literal longer than 64 kB is beyond what the standard promises, not beyond our compilers.
function(read_literal file result)
  file(READ "${file}" text)
  set(${result} "R\"embedded(${text})embedded\"" PARENT_SCOPE)
endfunction()

set(count 0)
set(rows)
foreach(file IN LISTS named_files)
  get_filename_component(stem "${file}" NAME_WE)
  read_literal("${file}" literal)
  string(APPEND constants "inline constexpr std::string_view ${stem} = ${literal};\n\n")
  if(file MATCHES "\\.lua$")
    # By which a Redis server knows the script.
    file(SHA1 "${file}" hash)
    string(APPEND constants
           "inline constexpr std::string_view ${stem}_sha1 = \"${hash}\";\n\n")
  endif()
  string(APPEND rows "    Row{\"${stem}\", ${stem}},\n")
  math(EXPR count "${count} + 1")
endforeach()
if(named_table)
  string(APPEND tables
         "inline constexpr std::array<Row, ${count}> ${named_table} = {\n${rows}};\n\n")
endif()

set(count 0)
set(rows)
foreach(file IN LISTS listed_files)
  get_filename_component(stem "${file}" NAME_WE)
  read_literal("${file}" literal)
  string(APPEND rows "    Row{\"${stem}\",\n        ${literal}},\n")
  math(EXPR count "${count} + 1")
endforeach()
if(listed_table)
  string(APPEND tables
         "inline constexpr std::array<Row, ${count}> ${listed_table} = {\n${rows}};\n\n")
endif()

file(
  WRITE "${header}"
  "// Generated at build time from the text files beside the code that uses them.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#ifdef __clang__
#pragma clang diagnostic ignored \"-Woverlength-strings\"
#endif

namespace mizan::${namespace} {

using Row = std::pair<std::string_view, std::string_view>;  // stem of the file, its text

${constants}${tables}}  // namespace mizan::${namespace}
")

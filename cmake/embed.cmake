# Puts a file into the program: a function of namespace equipoise that returns its text.
set(EQUIPOISE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

if(CMAKE_SCRIPT_MODE_FILE)
  # As bytes in hexadecimal digits, so that the text may hold anything.
  file(READ ${FROM} bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  string(REGEX REPLACE "(................................................................)" "\\1\"\n    \"" bytes "${bytes}")
  file(SIZE ${FROM} size)
  file(WRITE ${TO} "// Made of a file by cmake/embed.cmake.
#include <string_view>

namespace equipoise {

std::string_view ${FUNCTION}() {
  return {\n    \"${bytes}\", ${size}};
}

}  // namespace equipoise
")
  return()
endif()

function(equipoise_embed target file function)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/embedded/${function}.cpp)
  add_custom_command(OUTPUT ${made} DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${EQUIPOISE_EMBED_SCRIPT}
    COMMAND ${CMAKE_COMMAND} -D FROM=${CMAKE_CURRENT_SOURCE_DIR}/${file} -D TO=${made} -D FUNCTION=${function}
      -P ${EQUIPOISE_EMBED_SCRIPT} VERBATIM)
  target_sources(${target} PRIVATE ${made})
  set_source_files_properties(${made} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

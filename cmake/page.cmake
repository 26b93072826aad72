# Makes one page of the parts in src/serve/page and puts it into the program, with the policy that lets only it run.
set(EQUIPOISE_PAGE_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

# A hash of 64 hexadecimal digits as Base64: three digits are two letters.
function(equipoise_base64 hex out)
  set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  set(text "")
  foreach(at RANGE 0 60 3)
    string(SUBSTRING ${hex} ${at} 3 part)
    math(EXPR high "0x${part} >> 6")
    math(EXPR low "0x${part} & 63")
    string(SUBSTRING ${alphabet} ${high} 1 first)
    string(SUBSTRING ${alphabet} ${low} 1 second)
    string(APPEND text ${first}${second})
  endforeach()
  string(SUBSTRING ${hex} 63 1 part)
  math(EXPR last "0x${part} << 2")
  string(SUBSTRING ${alphabet} ${last} 1 letter)
  set(${out} "${text}${letter}=" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  set(script "(() => {\n\"use strict\";\n")
  foreach(part base chart find ask models live value)
    file(READ ${FROM}/${part}.js text)
    string(APPEND script "${text}\n")
  endforeach()
  string(APPEND script "start();\n})();\n")
  file(READ ${FROM}/style.css style)
  string(SHA256 hash "${script}")
  equipoise_base64(${hash} script_hash)
  string(SHA256 hash "${style}")
  equipoise_base64(${hash} style_hash)
  file(READ ${FROM}/index.html page)
  string(REPLACE "{{style}}" "${style}" page "${page}")
  string(REPLACE "{{script}}" "${script}" page "${page}")
  # As bytes in hexadecimal digits, so that the text may hold anything.
  string(HEX "${page}" bytes)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  string(REPEAT "." 128 line)
  string(REGEX REPLACE "(${line})" "\\1\"\n    \"" bytes "${bytes}")
  string(LENGTH "${page}" size)
  file(WRITE ${TO} "// Made of src/serve/page by cmake/page.cmake.
#include \"serve/page.h\"

namespace equipoise {

std::string_view page_text() {
  return {\n    \"${bytes}\", ${size}};
}

std::string_view page_policy() {
  return \"default-src 'none'; script-src 'sha256-${script_hash}'; style-src 'sha256-${style_hash}'; connect-src 'self'; \"
         \"img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\";
}

}  // namespace equipoise
")
  return()
endif()

function(equipoise_page target folder)
  file(GLOB parts CONFIGURE_DEPENDS ${folder}/*)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/page/page.cpp)
  add_custom_command(OUTPUT ${made} DEPENDS ${parts} ${EQUIPOISE_PAGE_SCRIPT}
    COMMAND ${CMAKE_COMMAND} -D FROM=${folder} -D TO=${made} -P ${EQUIPOISE_PAGE_SCRIPT} VERBATIM)
  target_sources(${target} PRIVATE ${made})
  set_source_files_properties(${made} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

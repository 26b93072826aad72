# Flags that hold for every target.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wno-psabi -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-restrict)  # g++ 12 warns of overlaps inside std::string sums that cannot be
  add_compile_options(-Wno-subobject-linkage)  # in a file of several sources, all but its own name are "headers"
endif()
if(EQUIPOISE_WERROR)
  add_compile_options(-Werror)
endif()
if(EQUIPOISE_NATIVE)
  add_compile_options(-march=native)
endif()
if(EQUIPOISE_SANITIZE)
  add_compile_options(-fsanitize=${EQUIPOISE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${EQUIPOISE_SANITIZE})
endif()
if(EQUIPOISE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link
    -fsanitize-coverage-ignorelist=${CMAKE_CURRENT_SOURCE_DIR}/tests/fuzz/untraced.txt)
endif()
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

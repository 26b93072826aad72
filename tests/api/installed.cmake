# Installs the libraries into a folder of its own, builds the example against that, and runs it.
set(folder ${BUILD}/installed-test)
file(REMOVE_RECURSE ${folder})
foreach(command
    "${CMAKE_COMMAND};--install;${BUILD};--prefix;${folder}/prefix;--component;development"
    "${CMAKE_COMMAND};-S;${SOURCE};-B;${folder}/build;-DCMAKE_PREFIX_PATH=${folder}/prefix;-DCMAKE_CXX_COMPILER=${COMPILER}"
    "${CMAKE_COMMAND};--build;${folder}/build"
    "${folder}/build/quickstart;${folder}/quickstart.model")
  execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${command} failed: ${result}\n${out}\n${err}")
  endif()
endforeach()
message("${out}")
file(REMOVE_RECURSE ${folder})

# The manual that the program prints of itself: man pages and completion for bash, zsh and fish.
set(manual ${CMAKE_BINARY_DIR}/manual)
add_custom_command(OUTPUT ${manual}/made
  COMMAND ${CMAKE_SOURCE_DIR}/tools/manual ${manual} ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:equipoise>
  DEPENDS equipoise ${CMAKE_SOURCE_DIR}/tools/manual
  COMMENT "Printing the manual")
add_custom_target(manual ALL DEPENDS ${manual}/made)

install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
install(FILES ${manual}/equipoise.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME equipoise COMPONENT program)
install(FILES ${manual}/equipoise.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
# Under /usr zsh looks into the vendors' folder, elsewhere into the site's.
install(CODE "
  set(zsh site-functions)
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr$\")
    set(zsh vendor-completions)
  endif()
  file(INSTALL ${manual}/_equipoise DESTINATION \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${zsh})"
  COMPONENT program)

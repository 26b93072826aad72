# The Debian packages that `make deb` makes: equipoise (the program) and libequipoise-dev (the C++ library).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME equipoise)
set(CPACK_PACKAGE_VENDOR "The Equipoise authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 0equipoise1)  # ours, not Debian's
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# Who packages, as Debian's tools know them. Without DEBEMAIL it is nobody who can be written to, and lintian is told so.
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Equipoise authors <equipoise@localhost>")
set(overrides "bogus-mail-host *\nbogus-mail-host-in-debian-changelog *\n")
if(DEFINED ENV{DEBEMAIL})
  set(CPACK_DEBIAN_PACKAGE_MAINTAINER "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
  set(overrides "")
endif()

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME equipoise)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Equipoise learns what users would like from a log of what they were
shown. It says how biased a log is, trains recommenders with and without
correction (user feature balancing and its rivals), compares them with
paired tests, and serves lists over HTTP that are drawn with known chances.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libequipoise-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(needs "libfmt-dev, zlib1g-dev, libzstd-dev, libxxhash-dev, libsqlite3-dev")
if(EQUIPOISE_USES_ONEDNN)
  string(APPEND needs ", libdnnl-dev")
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${needs}")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The headers and the static library of Equipoise, which trains on arrays
in memory, scores and recommends from any number of threads, and compares
methods.")

# What every Debian package has in its folder of documents.
string(TIMESTAMP year "%Y" UTC)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${CMAKE_BINARY_DIR}/deb/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: equipoise

Files: *
Copyright: ${year} The Equipoise authors
License: Apache-2.0
 On Debian systems the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
")
file(WRITE ${CMAKE_BINARY_DIR}/deb/changelog "equipoise (${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${PROJECT_VERSION}; what changes for users is in changelog.gz.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}
")
file(WRITE ${CMAKE_BINARY_DIR}/deb/overrides "${overrides}")
foreach(names "program equipoise" "development libequipoise-dev")
  separate_arguments(names)
  list(GET names 0 component)
  list(GET names 1 name)
  install(CODE "
    if(CMAKE_INSTALL_PREFIX MATCHES \"/usr$\")
      set(documents \${CMAKE_INSTALL_PREFIX}/share/doc/${name})
      file(INSTALL ${CMAKE_BINARY_DIR}/deb/copyright DESTINATION \${documents})
      file(INSTALL ${CMAKE_BINARY_DIR}/deb/overrides DESTINATION \${CMAKE_INSTALL_PREFIX}/share/lintian/overrides RENAME ${name})
      execute_process(COMMAND gzip -9nc ${CMAKE_BINARY_DIR}/deb/changelog
        OUTPUT_FILE \$ENV{DESTDIR}\${documents}/changelog.Debian.gz COMMAND_ERROR_IS_FATAL ANY)
      execute_process(COMMAND gzip -9nc ${CMAKE_SOURCE_DIR}/CHANGELOG.md
        OUTPUT_FILE \$ENV{DESTDIR}\${documents}/changelog.gz COMMAND_ERROR_IS_FATAL ANY)
    endif()" COMPONENT ${component})
endforeach()
include(CPack)

# What `cmake --install` leaves for C++ programs: the public header, the rooms as static libraries, a package file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(equipoise_api PROPERTIES EXPORT_NAME equipoise)  # programs link equipoise::equipoise
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/equipoise)
install(TARGETS ${EQUIPOISE_ROOMS} EXPORT equipoise
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY include/equipoise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT equipoise NAMESPACE equipoise:: FILE equipoise-targets.cmake DESTINATION ${package}
  COMPONENT development)

write_basic_package_version_file(equipoise-config-version.cmake COMPATIBILITY SameMinorVersion)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/equipoise-config.cmake
  "# Finds what Equipoise's libraries stand on, then the libraries.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(fmt)
find_dependency(ZLIB)
find_dependency(SQLite3)
if(${EQUIPOISE_USES_ONEDNN})
  find_dependency(OpenMP)
endif()
include(\${CMAKE_CURRENT_LIST_DIR}/equipoise-targets.cmake)
")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/equipoise-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/equipoise-config-version.cmake DESTINATION ${package} COMPONENT development)

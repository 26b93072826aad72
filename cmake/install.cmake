# What `cmake --install` leaves for C++ programs: the public headers, two static libraries, a package file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# All folders up to the public face in one archive. Who trains links nothing else of ours, and no database.
# Comparisons and reports are an archive of their own.
set(first_archive core data grad model propensity balance method recommender eval train policy app doctor api)
set(second_archive compare report lab)
function(equipoise_archive target name)
  set(objects "")
  foreach(room ${ARGN})
    list(APPEND objects $<TARGET_OBJECTS:equipoise_${room}>)
  endforeach()
  add_library(${target} STATIC ${objects})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${name} LINKER_LANGUAGE CXX
    ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_compile_features(${target} INTERFACE cxx_std_20)
endfunction()
equipoise_archive(equipoise_first equipoise ${first_archive})
target_link_libraries(equipoise_first INTERFACE fmt::fmt Threads::Threads ZLIB::ZLIB ${XXHASH_LIBRARY} ${ZSTD_LIBRARY})
if(EQUIPOISE_USES_ONEDNN)
  target_link_libraries(equipoise_first INTERFACE ${DNNL_LIBRARY} OpenMP::OpenMP_CXX)
endif()
equipoise_archive(equipoise_second equipoise_lab ${second_archive})
target_link_libraries(equipoise_second INTERFACE equipoise_first SQLite::SQLite3)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/equipoise)
install(TARGETS equipoise_first equipoise_second EXPORT equipoise
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY include/equipoise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT equipoise NAMESPACE equipoise:: FILE equipoise-targets.cmake DESTINATION ${package}
  COMPONENT development)

write_basic_package_version_file(equipoise-config-version.cmake COMPATIBILITY SameMinorVersion)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/equipoise-config.cmake
  "# Finds what Equipoise's libraries depend on, then the libraries.
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

# What `cmake --install` leaves for C++ programs: the public headers, one static library, files for CMake and pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# One archive has all folders up to the public faces. A linker takes what is used, so a program that trains and
# recommends has no database in it; one that compares names the second target, which adds SQLite.
set(objects "")
foreach(folder core data grad model propensity balance method recommender eval train policy app doctor api compare report lab)
  list(APPEND objects $<TARGET_OBJECTS:equipoise_${folder}>)
endforeach()
add_library(equipoise_first STATIC ${objects})
set_target_properties(equipoise_first PROPERTIES OUTPUT_NAME equipoise EXPORT_NAME equipoise LINKER_LANGUAGE CXX
  ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
target_include_directories(equipoise_first INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_compile_features(equipoise_first INTERFACE cxx_std_20)
target_link_libraries(equipoise_first INTERFACE fmt::fmt Threads::Threads ZLIB::ZLIB ${XXHASH_LIBRARY} ${ZSTD_LIBRARY})
set(onednn_flags "")
if(EQUIPOISE_USES_ONEDNN)
  target_link_libraries(equipoise_first INTERFACE ${DNNL_LIBRARY} OpenMP::OpenMP_CXX)
  set(onednn_flags " -ldnnl -fopenmp")
endif()
add_library(equipoise_second INTERFACE)
set_target_properties(equipoise_second PROPERTIES EXPORT_NAME equipoise_lab)
target_link_libraries(equipoise_second INTERFACE equipoise_first SQLite::SQLite3)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/equipoise)
install(TARGETS equipoise_first equipoise_second EXPORT equipoise
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY include/equipoise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT equipoise NAMESPACE equipoise:: FILE equipoise-targets.cmake DESTINATION ${package}
  COMPONENT development)

write_basic_package_version_file(equipoise-config-version.cmake COMPATIBILITY SameMinorVersion)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/equipoise-config.cmake
  "# Finds what Equipoise's library depends on, then the library.
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

# For pkg-config; wherever the files lie, they find the library beside them.
set(pc_head "prefix=\${pcfiledir}/../..\n")
set(pc_about "Description: ${PROJECT_DESCRIPTION}\nVersion: ${PROJECT_VERSION}\n")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/equipoise.pc "${pc_head}Name: equipoise\n${pc_about}\
Requires: fmt zlib libzstd libxxhash
Libs: -L\${prefix}/${CMAKE_INSTALL_LIBDIR} -lequipoise${onednn_flags} -pthread
Cflags: -I\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}\n")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/equipoise-lab.pc "Name: equipoise-lab\n${pc_about}Requires: equipoise sqlite3\n")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/equipoise.pc ${CMAKE_CURRENT_BINARY_DIR}/equipoise-lab.pc
  DESTINATION share/pkgconfig COMPONENT development)

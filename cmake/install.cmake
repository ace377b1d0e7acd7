# Files for `cmake --install`: the program (component `program`), and the client library for CMake projects outside this tree
# (component `client`): find_package(Vaquita) and Vaquita::client.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS vaquita RUNTIME COMPONENT program)

set(folders)
set(archives)
vaquita_collect_libraries(vaquita_client_open vaquita_client_distribution)
install(TARGETS ${folders} asio_standalone EXPORT VaquitaTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/vaquita COMPONENT client
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vaquita)

# The headers that the client's own ones include. base/json.h is none of them, and would need a library more.
install(DIRECTORY client base model DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vaquita COMPONENT client
        FILES_MATCHING PATTERN *.h
        PATTERN json.h EXCLUDE
        PATTERN testing EXCLUDE PATTERN testdata EXCLUDE PATTERN client/java EXCLUDE PATTERN client/grpc EXCLUDE PATTERN client/hbase EXCLUDE)

set(config ${CMAKE_CURRENT_BINARY_DIR}/VaquitaConfig.cmake)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/VaquitaConfig.cmake.in ${config}
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Vaquita)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/VaquitaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${config} ${CMAKE_CURRENT_BINARY_DIR}/VaquitaConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Vaquita COMPONENT client)
install(EXPORT VaquitaTargets NAMESPACE Vaquita:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Vaquita COMPONENT client)

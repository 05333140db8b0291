# Headers, library, and the package that find_package(channels) finds. cilk2chan installs itself.
include(CMakePackageConfigHelpers)

set(channels_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/channels)

install(TARGETS channels EXPORT channels-targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

install(EXPORT channels-targets NAMESPACE channels:: DESTINATION ${channels_package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/channels-config.cmake.in channels-config.cmake
                              INSTALL_DESTINATION ${channels_package_dir})
write_basic_package_version_file(channels-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/channels-config.cmake
              ${PROJECT_BINARY_DIR}/channels-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/channels-cilk.cmake
        DESTINATION ${channels_package_dir})

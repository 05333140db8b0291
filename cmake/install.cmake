# Installs the headers, the library, and the package that find_package(channels) finds.
# compiler/cilk2chan/CMakeLists.txt installs cilk2chan.
include(CMakePackageConfigHelpers)

# CMake passes the headers of an installed library to compilers as system headers, so a project's own warnings do
# not reach them. The same where we are a part of another project; in our own build we want the warnings.
if(NOT PROJECT_IS_TOP_LEVEL)
  set_target_properties(channels PROPERTIES SYSTEM ON)
endif()

set(channels_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/channels)

install(TARGETS channels EXPORT channels-targets)
# Not in the package: only cilk2chan links them.
install(TARGETS channels_heap ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Not in the package either: it needs MPI, and who uses it links it by name with mpicxx.
if(TARGET channels_mpi)
  install(TARGETS channels_mpi ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET channels_thread)
  install(TARGETS channels_thread ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET channels_races)
  install(TARGETS channels_races ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/channels DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/cilk
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${channels_keywords_dir})
# Former places of headers, which say where these are.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/deprecated/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# channels-report and channels-scale, and their Python modules, which they find relative to themselves.
install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/report/channels-report ${PROJECT_SOURCE_DIR}/tools/report/channels-scale
        DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tools/report/ DESTINATION ${CMAKE_INSTALL_DATADIR}/channels/report
        FILES_MATCHING PATTERN *.py PATTERN __pycache__ EXCLUDE)
file(WRITE ${PROJECT_BINARY_DIR}/report/VERSION "${PROJECT_VERSION}\n")
install(FILES ${PROJECT_BINARY_DIR}/report/VERSION DESTINATION ${CMAKE_INSTALL_DATADIR}/channels/report)

foreach(command IN ITEMS channels-report channels-scale cilk2chan)
  if(command STREQUAL cilk2chan AND NOT CHANNELS_BUILD_COMPILER)
    continue()
  endif()
  install(FILES ${PROJECT_SOURCE_DIR}/docs/man/${command}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_SOURCE_DIR}/tools/completions/channels.bash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${command})
endforeach()

install(EXPORT channels-targets NAMESPACE channels:: DESTINATION ${channels_package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/channels-config.cmake.in channels-config.cmake
                              INSTALL_DESTINATION ${channels_package_dir})
write_basic_package_version_file(channels-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/channels-config.cmake
              ${PROJECT_BINARY_DIR}/channels-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/channels-cilk.cmake
        DESTINATION ${channels_package_dir})

# pkg-config, and a target that takes everything away again.
file(RELATIVE_PATH CHANNELS_PREFIX_FROM_PKGCONFIG "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" CHANNELS_PREFIX_FROM_PKGCONFIG "${CHANNELS_PREFIX_FROM_PKGCONFIG}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/channels.pc.in channels.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/channels.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(PROJECT_IS_TOP_LEVEL)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake.in uninstall.cmake @ONLY)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${PROJECT_BINARY_DIR}/uninstall.cmake)
endif()

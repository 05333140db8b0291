# A Debian package of what is installed: `cpack -G DEB` in the build folder. It holds the library, the headers,
# cilk2chan and channels-report; what they call at run time are its dependencies.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME channels)
set(CPACK_PACKAGE_CONTACT "the channels authors")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# cilk2chan calls clang-19 and, from binutils, ld and objcopy; channels-report is Python.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libtbb-dev, libstdc++-12-dev | libstdc++-dev, clang-19, binutils, python3")
# The shared libraries of Clang, with their versions: read from the executable.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)

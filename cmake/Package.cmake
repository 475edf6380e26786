# Prebuilt packages, made by tools/package: a .deb and a .tar.gz for x86-64, of a build with
# MOOREA_STATIC_LIBRARIES.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME moorea)
set(CPACK_PACKAGE_VENDOR "The Moorea authors")
set(CPACK_PACKAGE_CONTACT "The Moorea authors")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_FILE_NAME moorea-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
if(NOT MOOREA_HAS_CUDA)
  string(APPEND CPACK_PACKAGE_FILE_NAME -no-cuda)
endif()
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# Listed by hand, because dpkg-shlibdeps uses the package names of the build system. tests/package/prebuilt
# checks that the list is complete
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), libudev1")
# The compiler of users' kernels, films, OpenCL's loader, and the link dependencies of programs that use the
# library
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, ffmpeg, ocl-icd-libopencl1, libhwloc-dev, libpng-dev, libzstd-dev, zlib1g-dev")
include(CPack)

# Installed package: find_package(Moorea) and pkg-config moorea.
include(CMakePackageConfigHelpers)

install(TARGETS moorea moorea_lab EXPORT MooreaTargets)
install(DIRECTORY include/moorea DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT MooreaTargets NAMESPACE Moorea:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Moorea)

configure_package_config_file(cmake/MooreaConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/MooreaConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Moorea)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/MooreaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/MooreaConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/MooreaConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Moorea)

# Relative to the file itself, so that the folder can be moved
file(RELATIVE_PATH MOOREA_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/moorea.pc.in ${CMAKE_CURRENT_BINARY_DIR}/moorea.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/moorea.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY patterns DESTINATION ${CMAKE_INSTALL_DATADIR}/moorea)
if(MOOREA_STATIC_LIBRARIES AND MOOREA_HAS_CUDA)
  # Programs that use the library link this archive, also on machines without CUDA
  install(FILES ${CUDA_cudart_static_LIBRARY} DESTINATION ${CMAKE_INSTALL_LIBDIR}/moorea)
endif()

# Installs the library with its headers, its package files, and the binary where it was built.
include_guard()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(mizan_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mizan)

install(
  TARGETS mizan_library
  EXPORT mizan-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(
  EXPORT mizan-targets
  NAMESPACE mizan::
  DESTINATION ${mizan_package_dir})

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/mizan-config.cmake.in ${mizan_BINARY_DIR}/mizan-config.cmake
  INSTALL_DESTINATION ${mizan_package_dir})
write_basic_package_version_file(
  ${mizan_BINARY_DIR}/mizan-config-version.cmake
  VERSION ${mizan_VERSION}
  COMPATIBILITY SameMinorVersion)
install(FILES ${mizan_BINARY_DIR}/mizan-config.cmake
              ${mizan_BINARY_DIR}/mizan-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindHiredis.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindLibmariadb.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindLibpq.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindSodium.cmake
        DESTINATION ${mizan_package_dir})

if(TARGET mizan)
  include(Pages)
  include(Package)
endif()

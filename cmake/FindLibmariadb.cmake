# Finds MariaDB Connector/C and offers it as Libmariadb::Libmariadb. Installed beside
# mizan-config.cmake.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_LIBMARIADB QUIET libmariadb)
endif()
find_path(Libmariadb_INCLUDE_DIR NAMES ma_pvio.h HINTS ${PC_LIBMARIADB_INCLUDE_DIRS}
                                                       PATH_SUFFIXES mariadb)
find_library(Libmariadb_LIBRARY NAMES mariadb HINTS ${PC_LIBMARIADB_LIBRARY_DIRS})
mark_as_advanced(Libmariadb_INCLUDE_DIR Libmariadb_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  Libmariadb
  REQUIRED_VARS Libmariadb_LIBRARY Libmariadb_INCLUDE_DIR
  VERSION_VAR PC_LIBMARIADB_VERSION)

if(Libmariadb_FOUND AND NOT TARGET Libmariadb::Libmariadb)
  add_library(Libmariadb::Libmariadb UNKNOWN IMPORTED)
  set_target_properties(
    Libmariadb::Libmariadb
    PROPERTIES IMPORTED_LOCATION "${Libmariadb_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                                                         "${Libmariadb_INCLUDE_DIR}")
endif()

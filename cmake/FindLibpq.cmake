# Finds libpq and offers it as Libpq::Libpq. Installed beside mizan-config.cmake. CMake's own
# FindPostgreSQL wants the server's headers too.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_LIBPQ QUIET libpq)
endif()
find_path(Libpq_INCLUDE_DIR NAMES libpq-fe.h HINTS ${PC_LIBPQ_INCLUDE_DIRS}
                                                   PATH_SUFFIXES postgresql)
find_library(Libpq_LIBRARY NAMES pq HINTS ${PC_LIBPQ_LIBRARY_DIRS})
mark_as_advanced(Libpq_INCLUDE_DIR Libpq_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  Libpq
  REQUIRED_VARS Libpq_LIBRARY Libpq_INCLUDE_DIR
  VERSION_VAR PC_LIBPQ_VERSION)

if(Libpq_FOUND AND NOT TARGET Libpq::Libpq)
  add_library(Libpq::Libpq UNKNOWN IMPORTED)
  set_target_properties(
    Libpq::Libpq PROPERTIES IMPORTED_LOCATION "${Libpq_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                                                                 "${Libpq_INCLUDE_DIR}")
endif()

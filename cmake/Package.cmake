# The Debian package of the program: `make package`. The library is built from source.
include_guard()
include(GNUInstallDirs)

set(packaging_dir ${PROJECT_SOURCE_DIR}/packaging)
set(program COMPONENT program)

install(TARGETS mizan RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ${program})
install(FILES ${mizan_pages_dir}/man/mizan.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 ${program})
install(FILES ${mizan_pages_dir}/man/mizan.conf.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5
                                                              ${program})
install(FILES ${mizan_pages_dir}/completion/bash/mizan
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions ${program})
install(FILES ${mizan_pages_dir}/completion/zsh/_mizan
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions ${program})
install(FILES ${mizan_pages_dir}/completion/fish/mizan.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d ${program})

# What only the package has: outside of the prefix, or for dpkg.
set(debian COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES ${packaging_dir}/mizan.conf DESTINATION /etc/mizan ${debian})
install(FILES ${packaging_dir}/mizan.service DESTINATION lib/systemd/system ${debian})
install(FILES ${packaging_dir}/mizan.sysusers DESTINATION lib/sysusers.d RENAME mizan.conf
                                                                       ${debian})
install(FILES ${packaging_dir}/debian/copyright DESTINATION share/doc/mizan ${debian})
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION share/doc/mizan ${debian})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME mizan)
set(CPACK_PACKAGE_VERSION ${mizan_VERSION})
set(CPACK_PACKAGE_CONTACT "The authors of Mizan <mizan@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "money ledger that stays right when the lock lies")
set(CPACK_PACKAGE_DESCRIPTION_FILE ${packaging_dir}/debian/description)
set(CPACK_PACKAGE_DIRECTORY ${mizan_BINARY_DIR}/package)
set(CPACK_STRIP_FILES ON)
set(CPACK_SET_DESTDIR ON)  # Files in /etc are outside of the prefix.
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_CMAKE_PROJECTS "${mizan_BINARY_DIR};mizan;program;/"
                                 "${mizan_BINARY_DIR};mizan;debian;/")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION database)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ca-certificates, systemd")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "postgresql, mariadb-server, redis-server")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    ${packaging_dir}/debian/postinst ${packaging_dir}/debian/prerm ${packaging_dir}/debian/postrm
    ${packaging_dir}/debian/conffiles)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)

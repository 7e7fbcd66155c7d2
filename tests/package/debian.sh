#!/usr/bin/env bash
# Builds the Debian package of a build directory, installs it below a directory of its own, looks at
# what is there, upgrades, removes and purges it. debian.sh BUILD_DIRECTORY WORK_DIRECTORY VERSION
#
# dpkg and its scripts need root; without it the files are unpacked and looked at, and it says so.
set -euo pipefail

build=$(realpath "$1") work=$(realpath -m "$2") version=$3
root=$work/root

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

run_dpkg() {
  # The scripts take DPKG_ROOT into account; what the package depends on is on this machine.
  dpkg --root="$root" --force-script-chrootless --force-depends --force-confold "$@"
}

rm -rf "$work"
mkdir -p "$root"/{etc,var/lib/dpkg/{info,updates},var/lib/mizan}
touch "$root"/var/lib/dpkg/{status,available}
(cd "$build" && cpack -B "$work/package" >/dev/null)
package=$(echo "$work"/package/mizan_"$version"_*.deb)
[[ -f $package ]] || fail "no package in $work/package"

if [[ $(id -u) -eq 0 ]]; then
  run_dpkg -i "$package"
  grep -q '^mizan:' "$root/etc/passwd" || fail 'the package made no user'
else
  echo 'Not root: the scripts of the package are not run.'
  dpkg-deb -x "$package" "$root"
fi

mizan=$root/usr/bin/mizan
[[ $("$mizan" version) == "mizan $version" ]] || fail "mizan version says $("$mizan" version)"
shown=$("$mizan" config show --config "$root/etc/mizan/mizan.conf")
[[ $shown == *sqlite:/var/lib/mizan/ledger.db* ]] || fail "the settings are not read: $shown"

unit=$root/usr/lib/systemd/system/mizan.service
program=$(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' "$unit")
[[ -x $root$program ]] || fail "the unit starts $program, which is not in the package"
sed -n '/^\[Unit\]/,/^\[Service\]/p' "$unit" | grep -qx 'StartLimitIntervalSec=0' ||
  fail 'the unit gives up when the database comes up later than the program'
for page in man1/mizan.1 man5/mizan.conf.5; do
  warnings=$(groff -man -Kutf8 -ww -z "$root/usr/share/man/$page" 2>&1) || true
  [[ -z $warnings ]] || fail "$page: $warnings"
done
bash -n "$root/usr/share/bash-completion/completions/mizan"
zsh -n "$root/usr/share/zsh/vendor-completions/_mizan"
fish -n "$root/usr/share/fish/vendor_completions.d/mizan.fish"

# The settings that an administrator changed and the ledger outlive everything but a purge, and the
# ledger that too.
echo 'deadline = 7s' >>"$root/etc/mizan/mizan.conf"
touch "$root/var/lib/mizan/ledger.db"
if [[ $(id -u) -eq 0 ]]; then
  run_dpkg -i "$package"
  grep -q '^deadline = 7s' "$root/etc/mizan/mizan.conf" || fail 'an upgrade lost the settings'
  run_dpkg -r mizan
  [[ ! -e $mizan ]] || fail 'the program is left after the removal'
  [[ -e $root/etc/mizan/mizan.conf ]] || fail 'the removal took the settings'
  run_dpkg --purge mizan
  [[ ! -e $root/etc/mizan/mizan.conf ]] || fail 'the purge left the settings'
  [[ -e $root/var/lib/mizan/ledger.db ]] || fail 'the purge took the ledger'
fi
echo "$(basename "$package") is good"

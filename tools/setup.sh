#!/usr/bin/env bash
# Installs the Debian packages that are missing: `setup.sh build` those that building and testing
# need, `setup.sh` also those of the checks. As root, or where sudo asks no password, it installs
# them; otherwise it names them and fails. Beside them it downloads what is written for Node needs.
set -euo pipefail

packages=(
  # build
  g++ make cmake ninja-build pkg-config ccache
  libfmt-dev libmimalloc-dev libsqlite3-dev libpq-dev libmariadb-dev libhiredis-dev libssl-dev
  libsodium-dev nlohmann-json3-dev libcli11-dev libcurl4-openssl-dev libboost1.81-dev
  # tests
  libgtest-dev libgmock-dev librapidcheck-dev sqlite3 postgresql mariadb-server galera-4
  redis-server redis-sentinel openssl pgbouncer hledger ledger python3 zsh fish curl jq
  dpkg-dev groff-base systemd
)
if [[ ${1:-} != build ]]; then
  packages+=(clang clang-format clang-tidy shellcheck yamllint git)
fi

if ! command -v dpkg-query >/dev/null; then
  echo "This is not a Debian system. Install the equivalents of: ${packages[*]}" >&2
  echo "Going on: the build will say what it cannot find." >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [[ $status == *" ok installed" ]] || missing+=("$package")
done

# The checks of the server's description and an example are written for Node; whichever there is
# will do.
node_packages() {
  command -v npm >/dev/null || return 0
  local folder
  for folder in tests/http examples/typescript; do
    folder=$(dirname "$0")/../$folder
    [[ -d $folder/node_modules ]] ||
      npm ci --prefix "$folder" --no-audit --no-fund --loglevel=error
  done
}
command -v npm >/dev/null || missing+=(nodejs npm)

if [[ ${#missing[@]} -eq 0 ]]; then
  node_packages
  echo "All ${#packages[@]} packages are installed."
  exit 0
fi

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
    echo "Missing packages: ${missing[*]}" >&2
    echo "Install them with: sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo -n env)
else
  as_root=(env)
fi

apt() {
  "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=300 "$@"
}

lists_present() {
  compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null
}

echo "Installing: ${missing[*]}"
lists_present || apt update
if ! apt install --no-install-recommends "${missing[@]}"; then
  # The lists may be older than the archive: fetch them once more before giving up.
  apt update
  apt install --no-install-recommends "${missing[@]}"
fi
node_packages

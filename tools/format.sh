#!/usr/bin/env bash
# Formats the C++ code in place; with --check only names the files that would change.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=(-i)
if [[ ${1:-} == --check ]]; then
  mode=(--dry-run --Werror)
fi

find include src apps prover bench tests examples \( -name '*.cpp' -o -name '*.hpp' \) -print0 |
  xargs -0 -r -n 20 clang-format --style=file "${mode[@]}"

#!/usr/bin/env bash
# Formats the C++ code in place; with --check only names the files that would change.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=(-i)
if [[ ${1:-} == --check ]]; then
  mode=(--dry-run --Werror)
fi

git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.hpp' |
  while IFS= read -r -d '' file; do
    if [[ -f $file ]]; then printf '%s\0' "$file"; fi
  done |
  xargs -0 -r -n 20 clang-format --style=file "${mode[@]}"

#!/usr/bin/env bash
# Runs clang-tidy over the C++ sources, the changed ones first, within a time budget.
#
# MIZAN_CLANG_TIDY=changed|all   which files (default: changed against the main branch, else all),
#                                or folders, e.g. 'src/domain src/engine'
# MIZAN_CLANG_TIDY_SECONDS=N     stop starting new files after N seconds (default 600)
# MIZAN_CLANG_TIDY_JOBS=N        how many at once (default: one per core)
#
# A file that was clean before, with all that it includes and the same checks, is not checked again:
# what was clean is remembered in ~/.cache/mizan/clang-tidy (XDG_CACHE_HOME), as fingerprints.
# Files that the budget leaves out are named, never silently passed. Needs build/dev configured.
set -euo pipefail
cd "$(dirname "$0")/.."

budget=${MIZAN_CLANG_TIDY_SECONDS:-600}
jobs=${MIZAN_CLANG_TIDY_JOBS:-$(nproc)}
database=build/dev/compile_commands.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clean=${XDG_CACHE_HOME:-$HOME/.cache}/mizan/clang-tidy
mkdir -p "$clean"
touch "$work/failed" "$work/skipped"

# Generated headers must be there before anything can be parsed.
generated=$(ninja -C build/dev -t targets all | sed -n 's/^\(.*_\(sql\|lua\)\.hpp\): CUSTOM.*/\1/p')
if [[ -n $generated ]]; then
  # shellcheck disable=SC2086  # one word per file, and no file of ours has a space
  ninja -C build/dev $generated >/dev/null
fi

# One file per line, a tab, and the command that preprocesses it with its comments (they hold the
# exceptions from checks) but without line numbers and places.
python3 - "$database" >"$work/commands" <<'PY'
import json, os, shlex, sys
for row in json.load(open(sys.argv[1], encoding="utf-8")):
    name = os.path.relpath(row["file"])
    if name.startswith(("..", "build/")):
        continue
    words = shlex.split(row["command"])
    output = words.index("-o")
    words = [word for word in words[:output] + words[output + 2 :] if word != "-c"]
    words += ["-E", "-P", "-C"]
    print(name, f"cd {shlex.quote(row['directory'])} && {shlex.join(words)}", sep="\t")
PY
cut -f 1 "$work/commands" >"$work/known"

base=$(git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main 2>/dev/null || true)
changed() {
  [[ -z $base ]] || git diff --name-only "$base" -- '*.cpp'
  git ls-files --others --exclude-standard -- '*.cpp'
}
changed | sort -u | grep -Fx -f "$work/known" >"$work/first" || true
if [[ ${MIZAN_CLANG_TIDY:-} == changed || (-z ${MIZAN_CLANG_TIDY:-} && -s $work/first) ]]; then
  cp "$work/first" "$work/files"
elif [[ ${MIZAN_CLANG_TIDY:-all} != all ]]; then
  for folder in $MIZAN_CLANG_TIDY; do
    grep "^$folder/" "$work/known" || true
  done | sort -u >"$work/files"
else
  { cat "$work/first"; grep -Fxv -f "$work/first" "$work/known" || true; } | sort -u >"$work/files"
fi

fingerprint() {
  local command
  command=$(awk -F '\t' -v file="$1" '$1 == file {print $2}' "$WORK/commands")
  {
    clang-tidy --version
    cat .clang-tidy tools/clang_tidy.sh "$1"
    bash -c "$command" || date +%s%N
  } 2>/dev/null | sha256sum | cut -d ' ' -f 1
}

check_one() {
  local file=$1 known
  known=$CLEAN/$(fingerprint "$file")
  [[ ! -e $known ]] || return 0
  if (( SECONDS_USED_FROM + BUDGET < $(date +%s) )); then
    echo "$file" >>"$WORK/skipped"
    return 0
  fi
  if ! clang-tidy --quiet --extra-arg=-Wthread-safety -p build/dev "$file" >"$WORK/out.$$" \
    2>"$WORK/err.$$"; then
    cat "$WORK/out.$$"
    grep -E 'error:' "$WORK/err.$$" || true
    echo "$file" >>"$WORK/failed"
    return 0
  fi
  touch "$known"
}
export -f check_one fingerprint
SECONDS_USED_FROM=$(date +%s) BUDGET=$budget WORK=$work CLEAN=$clean
export SECONDS_USED_FROM BUDGET WORK CLEAN

# shellcheck disable=SC2016  # expanded by the inner shell
xargs -r -P "$jobs" -I{} bash -c 'check_one "$1"' _ {} <"$work/files"

total=$(wc -l <"$work/files")
failed=$(wc -l <"$work/failed")
skipped=$(wc -l <"$work/skipped")
echo "clang-tidy: $((total - failed - skipped)) of $total files clean, $failed with findings," \
  "$skipped left out by the budget of $budget s"
[[ $skipped -eq 0 ]] || sed 's/^/  left out: /' "$work/skipped"
[[ $failed -eq 0 ]]

#!/usr/bin/env bash
# Wallets over HTTP with curl: two wallets, a transfer that happens once however often it is sent, a
# lock whose token keeps late holders out, and a statement page by page.
#
#   wallets.sh [URL]        MIZAN_KEY holds the API key where the server wants one; needs jq
set -euo pipefail

url=${1:-http://127.0.0.1:7780}
answer=$(mktemp)
headers=$(mktemp)
trap 'rm -f "$answer" "$headers"' EXIT

# ask METHOD PATH [BODY] [ID]: the status goes to $status, the body to the file $answer. Asks again,
# with the same id, while no answer comes or the answer passes; gives up after half a minute.
ask() {
  local method=$1 path=$2 body=${3:-} id=${4:-} until=$((SECONDS + 30)) wait
  local arguments=(--silent --max-time 10 --request "$method" --output "$answer"
    --dump-header "$headers" --write-out '%{http_code}')
  [[ -z $body ]] || arguments+=(--header 'Content-Type: application/json' --data "$body")
  [[ -z $id ]] || arguments+=(--header "Idempotency-Key: $id")
  while true; do
    # The key goes through a file descriptor: every user of the machine can read command lines.
    status=$(curl "${arguments[@]}" --header @<(key_header) "$url$path") || status=000
    passes || return 0
    ((SECONDS < until)) || { echo "no answer to $method $path" >&2; exit 1; }
    wait=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$headers" | tail -1)
    sleep "${wait:-0}.$((RANDOM % 9))"
  done
}

key_header() { [[ -z ${MIZAN_KEY:-} ]] || echo "Authorization: Bearer $MIZAN_KEY"; }

# Will the same request be answered otherwise in a moment? Never a reason for a new id.
passes() {
  case $status in
    000 | 429 | 502 | 503 | 504) return 0 ;;
    409) [[ $(jq -r .code "$answer") =~ ^(lock_busy|contended|in_progress)$ ]] ;;
    *) return 1 ;;
  esac
}

# must METHOD PATH [BODY] [ID]: as ask; a refusal ends the program.
must() {
  ask "$@"
  [[ $status == 2* ]] && return
  echo "refused: $(jq -r '.code + ": " + .detail' "$answer")" >&2
  exit 2
}

for wallet in alice bob; do
  must POST /v1/wallets "{\"id\":\"$wallet\",\"currency\":\"EUR\"}"
done

# Amounts are strings of minor units: 10000 is 100.00 EUR. The id is the order's: kept where the
# order is kept, so that a program that died repeats with the same one.
must POST /v1/deposits '{"wallet":"alice","amount":"10000"}' example-deposit-1
must POST /v1/transfers '{"from":"alice","to":"bob","amount":"1234"}' example-order-17
must POST /v1/transfers '{"from":"alice","to":"bob","amount":"1234"}' example-order-17
echo "order 17, sent again: $(jq -r .outcome "$answer")"

ask POST /v1/transfers '{"from":"alice","to":"bob","amount":"99999999"}' example-order-18
jq -r '"order 18: \(.code), \(.available) available, \(.needed) needed"' "$answer"

# The owner is ours, so that an acquisition whose answer was lost can be repeated.
owner=$(cat /proc/sys/kernel/random/uuid)
must POST /v1/locks/payout "{\"ttl_ms\":10000,\"owner\":\"$owner\"}"
token=$(jq -r .token "$answer")
fence="{\"resource\":\"payout\",\"token\":$token,\"owner\":\"$owner\"}"
must POST /v1/transfers "{\"from\":\"bob\",\"to\":\"alice\",\"amount\":\"34\",\"fence\":$fence}" \
  "example-payout-$token"
echo "under the lock: $(jq -r .outcome "$answer")"
# A lease that ended meanwhile is no matter: the token has done its work.
ask DELETE /v1/locks/payout "{\"owner\":\"$owner\"}"

echo "statement of alice:"
cursor=
while true; do
  must GET "/v1/wallets/alice/entries?limit=2$cursor"
  jq -r '.items[] | "  \(.version) \(.type) \(.change) \(.balance)"' "$answer"
  next=$(jq -r '.next_cursor // empty | @uri' "$answer")
  [[ -n $next ]] || break
  cursor="&cursor=$next"
done

#!/usr/bin/env python3
"""Ten minutes of bad clients and a server that is killed; then every acknowledged operation must be
there exactly once. Ends with 0 when it is so, else 1 with what was wrong.

    soak.py BINARY [--seconds 600] [--clients 24] [--calm 8] [--store URL] [--seed N] [--steady]

With --steady one server goes through all of it, untroubled but by its clients, over a ledger that
is larger than the cache of a file; its memory must stay as it is after the first two minutes.
"""
import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import behaviour
import node

WALLETS = 60
START_BALANCE = 300
PATIENCE_SECONDS = 120
MEMORY_GROWTH = 1.1
MEMORY_SLACK_BYTES = 8 << 20
SAMPLE = 3_000
FILLING_BATCHES = 80


def say(text):
    print(text, flush=True)


def make_wallets(client, wallets):
    for wallet in wallets:
        client.exchange("POST", "/v1/wallets", {"id": wallet, "currency": "EUR"})
        client.insist("/v1/deposits", {"wallet": wallet, "amount": str(START_BALANCE)},
                      f"deposit-{wallet}")


def fill(options, port):
    """Operations enough that the pages of a file do not fit into its cache, which is full then."""
    wallets = ("filler-0", "filler-1")
    client = behaviour.Client(port, behaviour.Record(), options.seed, wallets)
    make_wallets(client, wallets)
    for batch in range(FILLING_BATCHES):
        operations = [{"id": f"fill-{batch}-{number}", "type": "transfer", "amount": "1",
                       "from": wallets[number % 2], "to": wallets[1 - number % 2]}
                      for number in range(10_000)]
        status, _ = client.exchange("POST", "/v1/batch", {"operations": operations})
        if status != 200:
            raise RuntimeError(f"a batch of the filling: {status}")
    client.close()


def pages(client, path, record):
    cursor = ""
    while cursor is not None:
        status, page = client.exchange("GET", f"{path}?limit=1000{cursor}")
        if status != 200:
            record.violation(f"GET {path}: {status} {page}")
            return
        yield from page["items"]
        cursor = page["next_cursor"] and f"&cursor={page['next_cursor']}"


def expected_entries(receipts):
    """(wallet, version) -> (operation, change, balance), as the receipts say."""
    entries = {}
    for operation, receipt in receipts.items():
        for leg in receipt["legs"]:
            for side, sign in (("from", -1), ("to", 1)):
                if leg[f"{side}_version"] is not None:
                    entries[leg[side], leg[f"{side}_version"]] = (
                        operation, sign * int(leg["amount"]), int(leg[f"{side}_balance"]))
    return entries


def check_entries(client, record, wallets):
    """Each entry of each wallet once, and those that were acknowledged as they were answered."""
    expected = expected_entries(record.receipts)
    total = 0
    for wallet in wallets:
        entries = list(pages(client, f"/v1/wallets/{wallet}/entries", record))
        entries.reverse()
        balance = 0
        for version, entry in enumerate(entries, 1):
            total += 1
            balance += int(entry["change"])
            found = (entry["operation"], int(entry["change"]), int(entry["balance"]))
            if entry["version"] != version or int(entry["balance"]) != balance:
                record.violation(f"{wallet}: entry {version} does not go on from the one before")
            wanted = expected.pop((wallet, version), None)
            if wanted is None and entry["operation"] not in record.open:
                record.violation(f"{wallet}/{version}: {entry['operation']} was not acknowledged")
            elif wanted is not None and wanted != found:
                record.violation(f"{wallet}/{version}: {found}, acknowledged as {wanted}")
    for place, wanted in expected.items():
        record.violation(f"{place} is missing: {wanted} was acknowledged")
    return total


def check_operations(client, record):
    """Operations without entries, some with them, and that none is there that was refused."""
    without = [operation for operation, receipt in record.receipts.items() if not receipt["legs"]]
    some = random.Random(0).sample(sorted(record.receipts), min(SAMPLE, len(record.receipts)))
    for operation in without + some:
        receipt = record.receipts[operation]
        status, body = client.exchange("GET", f"/v1/operations/{operation}")
        kept = {key: body.get(key) for key in receipt}
        if status != 200 or kept != receipt:
            record.violation(f"{operation}: acknowledged as {receipt}, kept as {status} {kept}")
    for operation in sorted(record.refused - record.receipts.keys()):
        status, _ = client.exchange("GET", f"/v1/operations/{operation}")
        if status != 404:
            record.violation(f"{operation}: refused for good, and yet it is there")


def run_clients(server, record, wallets, options):
    ending, clients_ending = threading.Event(), threading.Event()
    calm = float("inf") if options.steady else options.calm
    troubles = threading.Thread(target=server.trouble, args=(ending, options.seed, calm))
    clients = [threading.Thread(
        target=behaviour.Client(server.port, record, options.seed * 1000 + number, wallets).run,
        args=(clients_ending,), daemon=True) for number in range(options.clients)]
    for thread in [troubles, *clients]:
        thread.start()
    began = time.monotonic()
    until = began + options.seconds
    while time.monotonic() < until and not ending.is_set():
        time.sleep(1)
        server.look_at_memory(time.monotonic() - began)
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{max(0, until - time.monotonic()):4.0f} s left, "
                             f"{len(record.receipts)} acknowledged, {server.kills} kills ")
            sys.stderr.flush()
    ending.set()
    troubles.join()
    clients_ending.set()
    patience = time.monotonic() + PATIENCE_SECONDS
    for thread in clients:
        thread.join(max(0, patience - time.monotonic()))
        if thread.is_alive():
            record.violation("a client was not answered in the end")
    if server.failure:
        record.violation(f"the server: {server.failure}")


def check_memory(record, minutes):
    """What the caches take is there after two minutes; from then on it must not grow."""
    settled, later = minutes[:2], minutes[2:]
    if later and max(later) > max(settled) * MEMORY_GROWTH + MEMORY_SLACK_BYTES:
        record.violation(f"memory grows: {minutes} bytes, minute by minute")


def verify(options, store):
    done = subprocess.run([options.binary, "verify", "--store", store, "--json"],
                          capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr).strip()


def soak(options, folder):
    store = options.store or f"sqlite:{folder}/soak.db"
    record = behaviour.Record()
    wallets = [f"wallet-{number}" for number in range(WALLETS)]
    with open(f"{folder}/server.log", "w", encoding="utf-8") as log:
        server = node.Node(options.binary, store, log)
        server.start()
        client = behaviour.Client(server.port, record, options.seed, wallets)
        make_wallets(client, wallets)
        if options.steady:
            fill(options, server.port)
        run_clients(server, record, wallets, options)
        client.close()
        if not server.failure:
            entries = check_entries(client, record, wallets)
            check_operations(client, record)
            server.stop()
            if options.steady:
                check_memory(record, server.memory_by_minute)
            status, text = verify(options, store)
            if status != 0:
                record.violation(f"mizan verify: {text}")
            report(record, server, entries)
    return record.violations


def report(record, server, entries):
    say(json.dumps({"acknowledged": len(record.receipts), "refused": len(record.refused),
                    "left open": len(record.open), "entries": entries,
                    "kills": server.kills, "freezes": server.freezes, "stops": server.stops,
                    "memory_max_bytes": server.memory_max,
                    "memory_by_minute_bytes": server.memory_by_minute, **record.counts}))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--clients", type=int, default=24)
    parser.add_argument("--calm", type=float, default=8, help="seconds between two troubles")
    parser.add_argument("--store", default="", help="of a ledger that is new; default: a file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steady", action="store_true", help="no troubles; memory must not grow")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="mizan-soak-")
    violations = soak(options, folder)
    for text in violations[:20]:
        say(f"VIOLATION {text}")
    if violations:
        say(f"FAILED: {len(violations)} violations; the files are in {folder}")
        return 1
    shutil.rmtree(folder)
    say("PASS: every acknowledged operation is there exactly once")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Wallets over HTTP with Python's standard library: two wallets, a transfer that happens once
however often it is sent, a lock whose token keeps late holders out, a statement page by page.

    wallets.py [URL]        MIZAN_KEY holds the API key where the server wants one
"""
import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

PASSING = {"lock_busy", "contended", "in_progress", "unavailable", "rate_limited", "unknown"}


class Refused(Exception):
    """An answer that repeating does not mend; `problem` has its facts."""

    def __init__(self, problem):
        super().__init__(f"{problem.get('code')}: {problem.get('detail')}")
        self.problem = problem


class Unknown(Exception):
    """No answer came in time: repeat with the same id, now or after a restart."""


class Mizan:
    def __init__(self, url, key=None, seconds=30.0):
        self.url, self.key, self.seconds = url.rstrip("/"), key, seconds

    def ask(self, method, path, body=None, operation=None):
        """Asks until there is an answer, always with the same operation id."""
        until = time.monotonic() + self.seconds
        wait = 0.1
        while True:
            pause = None
            try:
                return self._once(method, path, body, operation)
            except urllib.error.HTTPError as error:
                problem = self._problem(error)
                passes = problem.get("code") in PASSING or error.code in (502, 503, 504)
                if not passes:
                    raise Refused(problem) from None
                pause = error.headers.get("Retry-After")
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                pass  # It may have been applied: only its id tells, by asking again.
            pause = float(pause) if pause and pause.isdigit() else random.uniform(0, wait)
            if time.monotonic() + pause >= until:
                raise Unknown(f"{method} {path}, operation {operation}")
            time.sleep(pause)
            wait = min(wait * 2, 2.0)

    def _once(self, method, path, body, operation):
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if operation:
            headers["Idempotency-Key"] = operation
        if self.key:
            headers["Authorization"] = "Bearer " + self.key
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read())

    @staticmethod
    def _problem(error):
        try:
            return json.loads(error.read())
        except (OSError, ValueError, http.client.HTTPException):
            return {"code": f"http_{error.code}", "detail": "no answer of Mizan's"}

    def statement(self, wallet, limit=100):
        path = f"/v1/wallets/{urllib.parse.quote(wallet, safe='')}/entries"
        query = {"limit": limit}
        while True:
            page = self.ask("GET", f"{path}?{urllib.parse.urlencode(query)}")
            yield from page["items"]
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]


def main():
    url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:7780"
    mizan = Mizan(url, os.environ.get("MIZAN_KEY"))
    for wallet in ("alice", "bob"):
        mizan.ask("POST", "/v1/wallets", {"id": wallet, "currency": "EUR"})

    # Amounts are strings of minor units: 10000 is 100.00 EUR. The id is the order's: kept where
    # the order is kept, so that a program that died repeats with the same one.
    mizan.ask("POST", "/v1/deposits", {"wallet": "alice", "amount": "10000"}, "example-deposit-1")
    order = {"from": "alice", "to": "bob", "amount": "1234"}
    mizan.ask("POST", "/v1/transfers", order, "example-order-17")
    again = mizan.ask("POST", "/v1/transfers", order, "example-order-17")
    print(f"order 17, sent again: {again['outcome']}")

    try:
        mizan.ask("POST", "/v1/transfers", {**order, "amount": "99999999"}, "example-order-18")
    except Refused as refused:
        code, available, needed = (refused.problem[k] for k in ("code", "available", "needed"))
        print(f"order 18: {code}, {available} available, {needed} needed")

    # The owner is ours, so that an acquisition whose answer was lost can be repeated.
    owner = str(uuid.uuid4())
    lease = mizan.ask("POST", "/v1/locks/payout", {"ttl_ms": 10_000, "owner": owner})
    fence = {"resource": "payout", "token": lease["token"], "owner": owner}
    payout = {"from": "bob", "to": "alice", "amount": "34", "fence": fence}
    paid = mizan.ask("POST", "/v1/transfers", payout, f"example-payout-{lease['token']}")
    print(f"under the lock: {paid['outcome']}")
    try:
        mizan.ask("DELETE", "/v1/locks/payout", {"owner": owner})
    except Refused:
        pass  # A lease that ended meanwhile is no matter: the token has done its work.

    print("statement of alice:")
    for entry in mizan.statement("alice", limit=2):
        print(f"  {entry['version']} {entry['type']} {entry['change']} {entry['balance']}")


if __name__ == "__main__":
    main()

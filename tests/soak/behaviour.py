"""Clients that disconnect, duplicate, stall and lie; and what was acknowledged to them."""
import http.client
import json
import random
import socket
import threading
import time
import uuid

APPLIED = ("applied", "already_applied")
ANSWER_SECONDS = 15
GIVE_UP_SECONDS = 90


class Record:
    """What was sent and what was answered; threads: any."""

    def __init__(self):
        self.lock = threading.Lock()
        self.receipts = {}      # operation id -> its receipt, once acknowledged
        self.open = {}          # operation id -> how often it was sent; not acknowledged
        self.refused = set()    # sent once and refused: nothing of it may be there
        self.counts = {}
        self.violations = []

    def count(self, what):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + 1

    def violation(self, text):
        with self.lock:
            self.violations.append(text)

    def sent(self, operation):
        with self.lock:
            if operation not in self.receipts:
                self.open[operation] = self.open.get(operation, 0) + 1

    def answered(self, operation, status, body):
        """Takes an answer; true when it is final."""
        outcome = body.get("outcome")
        if outcome in APPLIED:
            self.acknowledge(operation, body)
            return True
        if status in (409, 429, 503, 504) and body.get("retryable"):
            return False
        with self.lock:
            if operation in self.receipts:
                self.violations.append(f"{operation}: {body.get('code')} after it was applied")
            # Another copy may still be on its way, and find the money there.
            if self.open.get(operation) == 1:
                del self.open[operation]
                self.refused.add(operation)
        return True

    def acknowledge(self, operation, body):
        receipt = {key: body.get(key) for key in ("id", "type", "applied_at", "legs", "metadata")}
        with self.lock:
            known = self.receipts.setdefault(operation, receipt)
            self.open.pop(operation, None)
            if known != receipt:
                self.violations.append(f"{operation}: two receipts: {known} and {receipt}")
            if operation in self.refused:
                self.violations.append(f"{operation}: applied after it was refused for good")


class Client:
    """One client with a connection of its own; one thread."""

    def __init__(self, port, record, seed, wallets):
        self.port, self.record, self.wallets = port, record, wallets
        self.choice = random.Random(seed)
        self.connection = None

    def run(self, ending):
        behaviours = ((self.transfer, 40), (self.duplicate, 12), (self.disconnect, 12),
                      (self.batch, 8), (self.hold, 8), (self.reverse, 4), (self.lock, 4),
                      (self.lie, 8), (self.stall, 4))
        functions = [function for function, _ in behaviours]
        weights = [weight for _, weight in behaviours]
        while not ending.is_set():
            function = self.choice.choices(functions, weights)[0]
            self.record.count(function.__name__)
            try:
                function()
            except OSError:
                self.close()
                time.sleep(0.02)

    # The wire.

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def exchange(self, method, path, body=None, key=None):
        """One request; (status, object). OSError where no whole answer came."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port,
                                                         timeout=ANSWER_SECONDS)
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Idempotency-Key"] = key
        try:
            text = None if body is None else json.dumps(body)
            self.connection.request(method, path, text, headers)
            answer = self.connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise OSError(str(error)) from error
        try:
            read = json.loads(content)
        except ValueError:
            self.record.violation(f"{method} {path}: {answer.status} with no JSON: {content[:80]}")
            read = {}
        if answer.status == 500:
            self.record.violation(f"{method} {path} {body}: 500 {content[:200]}")
        return answer.status, read

    def insist(self, path, body, operation):
        """Repeats with the same id until there is a final answer, as a good client does."""
        until = time.monotonic() + GIVE_UP_SECONDS
        while time.monotonic() < until:
            self.record.sent(operation)
            try:
                status, answer = self.exchange("POST", path, body, operation)
                if self.record.answered(operation, status, answer):
                    return answer
            except OSError:
                pass
            time.sleep(self.choice.uniform(0.01, 0.1))
        self.record.violation(f"{operation}: no final answer within {GIVE_UP_SECONDS} s")
        return {}

    def raw(self, text):
        """A connection on which the text was sent."""
        link = socket.create_connection(("127.0.0.1", self.port), timeout=ANSWER_SECONDS)
        link.sendall(text)
        return link

    def request_text(self, body, operation, extra=""):
        content = json.dumps(body)
        return (f"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\n"
                f"Idempotency-Key: {operation}\r\n"
                f"Content-Type: application/json\r\n{extra}Content-Length: {len(content)}\r\n\r\n"
                f"{content}").encode()

    # Behaviours.

    def new_id(self):
        return str(uuid.UUID(int=self.choice.getrandbits(128)))

    def new_transfer(self):
        source, target = self.choice.sample(self.wallets, 2)
        return {"from": source, "to": target, "amount": str(self.choice.randint(1, 40))}

    def transfer(self):
        self.insist("/v1/transfers", self.new_transfer(), self.new_id())

    def duplicate(self):
        """The same request on two connections at once, and a third time with another body."""
        body, operation = self.new_transfer(), self.new_id()
        self.record.sent(operation)
        try:
            link = self.raw(self.request_text(body, operation))
        except OSError:
            return
        answer = self.insist("/v1/transfers", body, operation)
        link.close()
        if answer.get("outcome") not in APPLIED:
            return
        other = dict(body, amount=str(int(body["amount"]) + 1))
        status, refused = self.exchange("POST", "/v1/transfers", other, operation)
        if status not in (409, 422, 503, 504) or refused.get("outcome"):
            self.record.violation(f"{operation}: another body was answered {status} {refused}")

    def disconnect(self):
        """Sends and goes away without reading; asks later, with the same id."""
        body, operation = self.new_transfer(), self.new_id()
        self.record.sent(operation)
        text = self.request_text(body, operation)
        try:
            self.raw(text[: self.choice.randint(1, len(text))]).close()
        except OSError:
            pass
        if self.choice.random() < 0.8:
            self.insist("/v1/transfers", body, operation)

    def batch(self):
        operations = [dict(self.new_transfer(), id=self.new_id(), type="transfer")
                      for _ in range(self.choice.randint(2, 40))]
        open_ones = operations
        until = time.monotonic() + GIVE_UP_SECONDS
        while open_ones and time.monotonic() < until:
            for operation in open_ones:
                self.record.sent(operation["id"])
            try:
                status, answer = self.exchange("POST", "/v1/batch", {"operations": open_ones})
            except OSError:
                time.sleep(0.05)
                continue
            if status != 200:
                time.sleep(0.05)
                continue
            results = answer["results"]
            if len(results) != len(open_ones):
                self.record.violation(f"{len(open_ones)} sent, {len(results)} results")
                return
            open_ones = [operation for operation, result in zip(open_ones, results)
                         if not self.record.answered(operation["id"], result.get("status"), result)]

    def hold(self):
        wallet, target = self.choice.sample(self.wallets, 2)
        held = self.new_id()
        made = self.insist("/v1/holds", {"wallet": wallet, "to": target, "amount": "9",
                                         "expires_in": self.choice.choice(("1s", "1h"))}, held)
        if made.get("outcome") not in APPLIED:
            return
        if self.choice.random() < 0.6:
            self.insist(f"/v1/holds/{held}/capture", {"amount": "4"}, self.new_id())
        if self.choice.random() < 0.6:
            self.insist(f"/v1/holds/{held}/void", {}, self.new_id())

    def reverse(self):
        operation = self.new_id()
        done = self.insist("/v1/transfers", self.new_transfer(), operation)
        if done.get("outcome") in APPLIED:
            self.insist(f"/v1/operations/{operation}/reverse", {}, self.new_id())

    def lock(self):
        """A fenced transfer, and one with a token that is older."""
        resource = f"soak-{self.choice.randint(0, 3)}"
        status, lease = self.exchange("POST", f"/v1/locks/{resource}", {"ttl_ms": 2000})
        if status not in (200, 201):
            return
        fence = {"resource": resource, "token": lease["token"], "owner": lease["owner"]}
        newer = self.insist("/v1/transfers", dict(self.new_transfer(), fence=fence), self.new_id())
        self.exchange("DELETE", f"/v1/locks/{resource}", {"owner": lease["owner"]})
        if lease["token"] > 1:
            old = dict(fence, token=lease["token"] - 1, owner="before")
            operation = self.new_id()
            self.record.sent(operation)  # Applied where the newer token's transfer was refused.
            status, answer = self.exchange("POST", "/v1/transfers",
                                           dict(self.new_transfer(), fence=old), operation)
            self.record.answered(operation, status, answer)
            # Only what was applied is remembered, and whoever asks later asks about others' too.
            if answer.get("outcome") in APPLIED and newer.get("outcome") in APPLIED:
                self.record.violation(f"{resource}: token {old['token']} passed behind "
                                      f"{fence['token']}: {operation}, {newer['id']}")

    def lie(self):
        """What no good client sends: a refusal must come, or the end of the connection."""
        transfer = json.dumps(self.new_transfer())
        lies = (b"\x00\xff" * 300, b"GET / HTTP/9.9\r\n\r\n",
                b"POST /v1/transfers HTTP/1.1\r\n\r\n",
                self.request_text(self.new_transfer(), "x" * 65),
                self.request_text({"from": 1, "to": [], "amount": 1e300}, self.new_id()),
                self.request_text(self.new_transfer(), self.new_id(), "X: " + "y" * 70000 + "\r\n"),
                (f"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
                 f"Transfer-Encoding: chunked\r\n\r\n{transfer}").encode(),
                b"POST /v1/transfers HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n{}",
                b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 20000\r\n\r\n" + b"[" * 20000)
        link = self.raw(self.choice.choice(lies))
        link.settimeout(ANSWER_SECONDS)
        try:
            head = link.recv(64)
        finally:
            link.close()
        if head and not head.startswith((b"HTTP/1.1 4", b"HTTP/1.1 505")):
            self.record.violation(f"a lie was answered {head!r}")

    def stall(self):
        """Half a request, and then silence."""
        text = self.request_text(self.new_transfer(), self.new_id())
        link = self.raw(text[: self.choice.randint(1, len(text) - 1)])
        time.sleep(self.choice.uniform(0.1, 2.0))
        link.close()

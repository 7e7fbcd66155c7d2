// Sends what the description refuses, and nothing else: never a 500, a hang or a changed byte.
import { texts, values } from "./mutations.mjs";

const good = {
  NewWallet: { id: "new", currency: "EUR", min_balance: "-5", metadata: { a: "b" } },
  WalletPatch: { status: "frozen", min_balance: "-1", metadata: { a: "b" } },
  TransferRequest: {
    id: "op", legs: [{ from: "alice", to: "bob", amount: "1", currency: "EUR" }], metadata: { a: "b" },
    conditions: [{ wallet: "alice", version: 1, min_balance: "0" }],
    fence: { resource: "r", token: 1, owner: "o" }, dry_run: false,
  },
  MoneyRequest: { id: "op", wallet: "alice", amount: "1", currency: "EUR" },
  HoldRequest: { id: "op", wallet: "alice", amount: "1", to: "bob", expires_in: "1h" },
  CaptureRequest: { id: "op", amount: "1" },
  PlainRequest: { id: "op" },
  BatchRequest: {
    operations: [{ id: "op", type: "transfer", from: "alice", to: "bob", amount: "1" }], atomic: true,
  },
  Currency: { code: "POINTS", exponent: 0 },
  LockRequest: { ttl_ms: 1000, wait_ms: 0, owner: "o" },
  RenewRequest: { owner: "o", ttl_ms: 1000 },
  ReleaseRequest: { owner: "o" },
  NewWebhook: { url: "https://shop.example/hooks", types: ["operation.applied"], from_beginning: false },
  RotateRequest: { secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", keep_old: true },
  RetryRequest: { event: "1-0" },
};

const badTargets = ["%", "%zz", "%ff", "a%00b", "%2e%2e%2f", "x".repeat(3000), "a b".replace(" ", "%20"),
  "%F0%28%8C%28", "..", "'%3B--"];
const badQueries = ["limit=0", "limit=-1", "limit=1e3", "limit=99999999999999999999", "limit=1&limit=2",
  "cursor=%ff", "cursor=AAAA", "cursor=" + "A".repeat(5000), "at=now", "version=-1", "version=1.5",
  "at=2026-13-01T00:00:00Z", "unknown=1", "%", "a=%zz"];

const named = (path, name) => path.replace(/\{[^}]+\}/, name);

export class Fuzz {
  constructor(server, description) {
    this.server = server;
    this.description = description;
    this.sent = 0;
    this.faults = [];
  }

  async prepare() {
    for (const id of ["alice", "bob"]) await this.server.json("POST", "/v1/wallets", { id, currency: "EUR" });
    await this.server.json("POST", "/v1/deposits", { id: "first", wallet: "alice", amount: "1000" });
    await this.server.json("POST", "/v1/holds", { id: "held", wallet: "alice", amount: "100" });
  }

  /** All that clients can see. */
  async state() {
    const parts = [];
    for (const target of ["/v1/wallets?limit=1000", "/v1/wallets/alice/entries", "/v1/wallets/bob/entries",
      "/v1/holds/held", "/v1/operations/op", "/v1/wallets/%40world%2FEUR"]) {
      const { answer } = await this.server.ask({ method: "GET", target });
      parts.push(answer.replace(/"request_id":"[^"]*"/, ""));
    }
    return parts.join("\n");
  }

  fault(exchange, what) {
    const body = exchange.body ? exchange.body.toString("latin1").slice(0, 200) : "";
    this.faults.push(`${exchange.method} ${exchange.target.slice(0, 100)} ${body}\n    ${exchange.status ?? ""} ${what}`);
  }

  /** One request that must be refused. */
  async refuse(request) {
    this.sent += 1;
    let exchange;
    try {
      exchange = await this.server.ask(request);
    } catch (error) {
      return this.fault(request, error.message);
    }
    const isRefused = exchange.status >= 400 && exchange.status < 500;
    if (!isRefused) return this.fault(exchange, "is no refusal: " + exchange.answer.slice(0, 200));
    for (const what of this.description.check(exchange)) this.fault(exchange, what);
    return undefined;
  }

  async bodies({ method, path, operation }) {
    const schema = this.description.requestSchema(path, method);
    if (!schema) return;
    const name = operation.requestBody.content["application/json"].schema.$ref.split("/").at(-1);
    const target = named(path, path.includes("holds") ? "held" : path.includes("operations") ? "first" : "alice");
    const headers = { "Content-Type": "application/json" };
    const send = (body, others) => this.refuse({
      method: method.toUpperCase(), target, body, headers: { ...headers, ...others } });
    for (const value of values(good[name])) {
      if (this.description.faults(schema, value).length > 0) await send(Buffer.from(JSON.stringify(value)));
    }
    for (const text of texts(good[name])) {
      const mayBeEmpty = !operation.requestBody.required;
      if (text.length > 0 || !mayBeEmpty) await send(text);
    }
    const body = Buffer.from(JSON.stringify(good[name]));
    for (const type of ["text/plain", "application/xml", "application/x-www-form-urlencoded", "json", ";", "*/*"]) {
      await send(body, { "Content-Type": type });
    }
    await send(body, { "Content-Encoding": "gzip" });
    if (good[name].id && name !== "NewWallet") {
      for (const key of ["other", "", "x".repeat(65), "a b", "\u00e9"]) await send(body, { "Idempotency-Key": key });
    }
    await this.refuse({ method: method.toUpperCase(), target: target + "?dry_run=true", body, headers });
  }

  async targets({ method, path, operation }) {
    if (method !== "get" || !path.startsWith("/v1")) return;
    if (path.includes("{")) {
      for (const bad of badTargets) await this.refuse({ method: "GET", target: named(path, bad) });
    }
    const known = (operation.parameters ?? []).map(({ $ref }) => $ref.split("/").at(-1).toLowerCase());
    for (const query of badQueries) {
      const target = named(path, "alice") + "?" + query;
      const isKnown = known.includes(query.split("=")[0]);
      if (isKnown || query.includes("%") || query.startsWith("unknown")) await this.refuse({ method: "GET", target });
    }
  }

  async run() {
    await this.prepare();
    const before = await this.state();
    for (const operation of this.description.operations()) {
      await this.bodies(operation);
      await this.targets(operation);
    }
    if (await this.state() !== before) this.faults.push("something was changed by requests that were refused");
    return this.faults;
  }
}

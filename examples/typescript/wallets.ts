// Wallets over HTTP in TypeScript: two wallets, a transfer that happens once however often it is
// sent, a lock whose token keeps late holders out, a statement page by page.
//
//   npm ci && npx tsc && node dist/wallets.js [URL]     MIZAN_KEY holds the API key where one is wanted
import { randomUUID } from "node:crypto";

interface Problem {
  code: string;
  detail: string;
  available?: string;
  needed?: string;
}

interface Receipt {
  id: string;
  outcome: "applied" | "already_applied";
}

interface Lease {
  token: number;
  owner: string;
}

interface Entry {
  version: number;
  type: string;
  change: string;
  balance: string;
}

interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

/** An answer that repeating does not mend. */
class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
  }
}

/** No answer came in time: repeat with the same id, now or after a restart. */
class Unknown extends Error {}

const passing = new Set([
  "lock_busy", "contended", "in_progress", "unavailable", "rate_limited", "unknown"]);

interface Question {
  body?: unknown;
  /** The operation's id; the same at every attempt. */
  id?: string;
}

class Mizan {
  constructor(
    private readonly url: string,
    private readonly key: string | undefined,
    private readonly milliseconds = 30_000) {}

  /** Asks until there is an answer, always with the same operation id. */
  async ask<T>(method: string, path: string, question: Question = {}): Promise<T> {
    const until = Date.now() + this.milliseconds;
    for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
      let pause = Math.random() * wait;
      try {
        const answer = await this.once(method, path, question);
        const body: unknown = await answer.json();
        if (answer.ok) return body as T;
        const problem = body as Problem;
        if (!passing.has(problem.code)) throw new Refused(problem);
        const wanted = Number(answer.headers.get("Retry-After"));
        if (wanted > 0) pause = wanted * 1_000;
      } catch (error) {
        // Anything else may have been applied: only its id tells, by asking again.
        if (error instanceof Refused) throw error;
      }
      if (Date.now() + pause >= until) {
        throw new Unknown(`${method} ${path}, operation ${question.id ?? "-"}`);
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  async *statement(wallet: string, limit: number): AsyncGenerator<Entry> {
    const query = new URLSearchParams({ limit: String(limit) });
    while (true) {
      const path = `/v1/wallets/${encodeURIComponent(wallet)}/entries?${query}`;
      const page = await this.ask<Page<Entry>>("GET", path);
      yield* page.items;
      if (page.next_cursor === null) return;
      query.set("cursor", page.next_cursor);
    }
  }

  private once(method: string, path: string, { body, id }: Question): Promise<Response> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (id !== undefined) headers["Idempotency-Key"] = id;
    if (this.key !== undefined) headers["Authorization"] = `Bearer ${this.key}`;
    const text = body === undefined ? null : JSON.stringify(body);
    const signal = AbortSignal.timeout(10_000);
    return fetch(this.url + path, { method, headers, body: text, signal, redirect: "manual" });
  }
}

async function main(): Promise<void> {
  const mizan = new Mizan(process.argv[2] ?? "http://127.0.0.1:7780", process.env["MIZAN_KEY"]);
  for (const id of ["alice", "bob"]) {
    await mizan.ask("POST", "/v1/wallets", { body: { id, currency: "EUR" } });
  }

  // Amounts are strings of minor units: 10000 is 100.00 EUR. The id is the order's: kept where the
  // order is kept, so that a program that died repeats with the same one.
  await mizan.ask("POST", "/v1/deposits",
                  { id: "example-deposit-1", body: { wallet: "alice", amount: "10000" } });
  const order = { from: "alice", to: "bob", amount: "1234" };
  await mizan.ask("POST", "/v1/transfers", { id: "example-order-17", body: order });
  const again = await mizan.ask<Receipt>("POST", "/v1/transfers",
                                         { id: "example-order-17", body: order });
  console.log(`order 17, sent again: ${again.outcome}`);

  try {
    await mizan.ask("POST", "/v1/transfers",
                    { id: "example-order-18", body: { ...order, amount: "99999999" } });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { code, available, needed } = error.problem;
    console.log(`order 18: ${code}, ${available} available, ${needed} needed`);
  }

  // The owner is ours, so that an acquisition whose answer was lost can be repeated.
  const owner = randomUUID();
  const lease = await mizan.ask<Lease>("POST", "/v1/locks/payout",
                                       { body: { ttl_ms: 10_000, owner } });
  const fence = { resource: "payout", token: lease.token, owner };
  const paid = await mizan.ask<Receipt>("POST", "/v1/transfers", {
    id: `example-payout-${lease.token}`,
    body: { from: "bob", to: "alice", amount: "34", fence } });
  console.log(`under the lock: ${paid.outcome}`);
  // A lease that ended meanwhile is no matter: the token has done its work.
  await mizan.ask("DELETE", "/v1/locks/payout", { body: { owner } }).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });

  console.log("statement of alice:");
  for await (const entry of mizan.statement("alice", 2)) {
    console.log(`  ${entry.version} ${entry.type} ${entry.change} ${entry.balance}`);
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});

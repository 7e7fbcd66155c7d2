// Checks the server against its description: the document itself, every exchange of the integration
// tests, and requests that must be refused.
//   node run.mjs PROGRAM INTEGRATION_TESTS
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
if (!existsSync(join(here, "node_modules"))) {
  const isRequired = (process.env.MIZAN_REQUIRE ?? "").split(",").includes("clients");
  const what = "the packages are missing; run tools/setup.sh, or npm ci in tests/http";
  console.log(isRequired ? what : "skipped: " + what);
  process.exit(isRequired ? 1 : 0);
}
const { Validator } = await import("@seriousme/openapi-schema-validator");
const { Description } = await import("./openapi.mjs");
const { Fuzz } = await import("./fuzz.mjs");
const { Server } = await import("./server.mjs");

const [program, tests] = process.argv.slice(2);
const file = join(here, "../../src/http/documents/openapi.json");
const description = new Description(file);
const faults = [];

async function checkDocument() {
  const result = await new Validator().validate(JSON.parse(readFileSync(file, "utf8")));
  if (!result.valid) faults.push("the document is no OpenAPI: " + JSON.stringify(result.errors));
}

/** Runs the tests of the server with a record of what they sent and got. */
function recordExchanges() {
  const folder = mkdtempSync(join(tmpdir(), "mizan-exchanges-"));
  const record = join(folder, "exchanges.jsonl");
  const ran = spawnSync(tests, ["--gtest_filter=Http*", "--gtest_brief=1"], {
    env: { ...process.env, MIZAN_HTTP_EXCHANGES: record }, encoding: "utf8" });
  if (ran.status !== 0) faults.push("the integration tests failed:\n" + ran.stdout);
  const lines = existsSync(record) ? readFileSync(record, "utf8").trim().split("\n") : [];
  rmSync(folder, { recursive: true, force: true });
  return lines.map((line) => JSON.parse(line));
}

function checkExchanges(exchanges) {
  const seen = new Set();
  for (const exchange of exchanges) {
    const { route, name, operation } = description.find(exchange.method, exchange.target);
    if (operation) seen.add(`${name} ${route.path} ${exchange.status}`);
    for (const fault of description.check(exchange)) {
      faults.push(`${exchange.method} ${exchange.target} ${exchange.status}: ${fault}\n    ${exchange.answer}`);
    }
  }
  for (const { method, path, operation } of description.operations()) {
    const wanted = Object.keys(operation.responses).filter((status) => status < 300);
    for (const status of wanted) {
      if (!seen.has(`${method} ${path} ${status}`)) faults.push(`no test gets ${status} from ${method} ${path}`);
    }
  }
  console.log(`${exchanges.length} exchanges checked, ${seen.size} kinds of answers`);
}

async function fuzz() {
  const server = await Server.start(program);
  const fuzzing = new Fuzz(server, description);
  faults.push(...await fuzzing.run());
  const status = await server.stop();
  if (status !== 0) faults.push(`the server ended with ${status}`);
  console.log(`${fuzzing.sent} requests that must be refused were sent`);
}

await checkDocument();
if (tests) checkExchanges(recordExchanges());
await fuzz();
for (const fault of faults.slice(0, 40)) console.log("FAULT " + fault);
console.log(faults.length === 0 ? "no faults" : `${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);

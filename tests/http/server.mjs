// `mizan serve` on a free port over a file of its own, and a client of it.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const answerTime = 10_000;

export class Server {
  static async start(program) {
    const server = new Server();
    server.folder = mkdtempSync(join(tmpdir(), "mizan-fuzz-"));
    const store = "sqlite:" + join(server.folder, "mizan.db");
    server.process = spawn(program, ["serve", "--listen", "127.0.0.1:0", "--store", store], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    server.exited = new Promise((resolve) => server.process.on("exit", resolve));
    const lines = createInterface({ input: server.process.stdout });
    const first = await new Promise((resolve) => lines.once("line", resolve));
    server.port = Number(first.split(":").at(-1));
    server.agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
    return server;
  }

  /** Sends bytes as they are; the exchange as openapi.mjs checks it. */
  ask({ method, target, headers = {}, body }) {
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    const options = {
      port: this.port, host: "127.0.0.1", method, path: target, headers: { ...headers, ...length } };
    return new Promise((resolve, reject) => {
      const request = http.request({ ...options, agent: this.agent }, (response) => {
        const parts = [];
        response.on("data", (part) => parts.push(part));
        response.on("end", () => resolve({
          method, target, body,
          status: response.statusCode,
          headers: response.headers,
          answer: Buffer.concat(parts).toString("utf8"),
        }));
      });
      request.setTimeout(answerTime, () => request.destroy(new Error("no answer in time")));
      request.on("error", reject);
      request.end(body);
    });
  }

  json(method, target, value, headers = {}) {
    return this.ask({
      method, target,
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(value),
    });
  }

  async stop() {
    this.agent.destroy();
    this.process.kill("SIGTERM");
    const status = await this.exited;
    rmSync(this.folder, { recursive: true, force: true });
    return status;
  }
}

// The server's description, and what it says of one exchange.
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { readFileSync } from "node:fs";

const problemType = "application/problem+json";

const pointer = (...keys) =>
  keys.map((key) => "/" + String(key).replaceAll("~", "~0").replaceAll("/", "~1")).join("");

export class Description {
  constructor(file) {
    this.document = JSON.parse(readFileSync(file, "utf8"));
    this.ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
    addFormats(this.ajv);
    this.ajv.addSchema(this.document, "openapi");
    this.validators = new Map();
    this.routes = Object.entries(this.document.paths).map(([path, methods]) => ({
      path,
      methods,
      pattern: new RegExp("^" + path.replace(/\{[^}]+\}/g, "[^/]+") + "$"),
    }));
  }

  /** The operations of the document, each with its method, path and description. */
  operations() {
    return this.routes.flatMap(({ path, methods }) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })));
  }

  validator(at) {
    if (!this.validators.has(at)) {
      this.validators.set(at, this.ajv.compile({ $ref: "openapi#" + encodeURI(at) }));
    }
    return this.validators.get(at);
  }

  /** What is wrong with a value by the schema at this place; nothing where it is right. */
  faults(at, value) {
    const validate = this.validator(at);
    return validate(value) ? [] : [this.ajv.errorsText(validate.errors)];
  }

  find(method, target) {
    const path = target.split("?")[0];
    const route = this.routes.find(({ pattern }) => pattern.test(path));
    const name = method.toLowerCase() === "head" ? "get" : method.toLowerCase();
    return { route, name, operation: route?.methods[name] };
  }

  /** Where the schema of an operation's body is; nothing where it has none. */
  requestSchema(path, name) {
    const content = this.document.paths[path][name].requestBody?.content;
    return content && pointer("paths", path, name, "requestBody", "content", "application/json", "schema");
  }

  /** Where the response to this status is described. */
  response(route, name, status) {
    const described = route.methods[name].responses[status];
    if (!described) return undefined;
    const at = described.$ref
      ? described.$ref.slice(1)
      : pointer("paths", route.path, name, "responses", status);
    const keys = at.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    return { at, content: keys.reduce((node, key) => node[key], this.document) };
  }

  /** Everything that is wrong with one exchange. */
  check(exchange) {
    const { route, name, operation } = this.find(exchange.method, exchange.target);
    if (!operation) return this.checkOutside(exchange, route);
    const response = this.response(route, name, exchange.status);
    if (!response) return [`status ${exchange.status} is not described`];
    return [
      ...this.checkHeaders(exchange, response.content),
      ...this.checkBody(exchange, response),
      ...this.checkRequest(exchange, route, name),
    ];
  }

  /** There is no such path, or not for this method. */
  checkOutside(exchange, route) {
    const expected = route ? (exchange.method === "OPTIONS" ? 204 : 405) : 404;
    // A malformed request or one without a good key is not told what there is.
    if ([400, 401, 403, 429].includes(exchange.status)) return this.checkProblem(exchange);
    if (exchange.status !== expected) return [`${exchange.status} instead of ${expected}`];
    return expected === 204 ? [] : this.checkProblem(exchange);
  }

  checkHeaders(exchange, described) {
    const faults = [];
    for (const [header, { $ref }] of Object.entries(described.headers ?? {})) {
      const { required } = this.document.components.headers[$ref.split("/").at(-1)];
      const isThere = exchange.headers[header.toLowerCase()] !== undefined;
      if (required && !isThere) faults.push(`the header ${header} is missing`);
    }
    return faults;
  }

  checkBody(exchange, { at, content }) {
    if (!content.content) return exchange.answer ? ["there is a body where none is described"] : [];
    const type = (exchange.headers["content-type"] ?? "").split(";")[0];
    if (!content.content[type]) return [`the type ${type} is not described`];
    if (exchange.method === "HEAD") return [];
    if (type === problemType) return this.checkProblem(exchange);
    const body = type.endsWith("json") ? JSON.parse(exchange.answer) : exchange.answer;
    return this.faults(at + pointer("content", type, "schema"), body);
  }

  checkProblem(exchange) {
    if (exchange.method === "HEAD") return [];
    const body = JSON.parse(exchange.answer);
    const faults = this.faults(pointer("components", "schemas", "Problem"), body);
    if (body.status !== exchange.status) faults.push("the problem states another status");
    if (body.request_id !== exchange.headers["x-request-id"]) {
      faults.push("the problem states another request id than the header");
    }
    return faults;
  }

  /** What is done must be something that the document allows to ask for. */
  checkRequest(exchange, route, name) {
    const schema = this.requestSchema(route.path, name);
    // A malformed item of a batch is answered among its results.
    if (!schema || exchange.status >= 300 || !exchange.body || route.path === "/v1/batch") return [];
    return this.faults(schema, JSON.parse(exchange.body)).map((fault) => "accepted: " + fault);
  }
}

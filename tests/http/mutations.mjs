// Bodies that a description refuses, made from one that it allows.

const wrong = [null, true, 0, -1, 1.5, 1e300, "", "x".repeat(5000), "\u0000", "1e3", "0x10", "+5", ".5",
  "NaN", "9223372036854775808", "-9223372036854775809", [], [[]], {}, { a: { b: {} } }, ["a"]];

/** Every place in a JSON value, as a list of keys. */
function* places(value, at = []) {
  yield at;
  if (value === null || typeof value !== "object") return;
  for (const key of Object.keys(value)) yield* places(value[key], [...at, key]);
}

function changed(value, at, change) {
  if (at.length === 0) return change(value);
  const [key, ...rest] = at;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = changed(copy[key], rest, change);
  return copy;
}

function without(value, at) {
  return changed(value, at.slice(0, -1), (parent) => {
    const copy = Array.isArray(parent) ? [...parent] : { ...parent };
    delete copy[at.at(-1)];
    return Array.isArray(copy) ? copy.filter((item) => item !== undefined) : copy;
  });
}

/** Values of a wrong type or form, missing and unknown fields, at every place. */
export function* values(good) {
  for (const at of places(good)) {
    for (const value of wrong) yield changed(good, at, () => value);
    if (at.length > 0) yield without(good, at);
    yield changed(good, at, (value) =>
      value !== null && typeof value === "object" && !Array.isArray(value) ? { ...value, unknown: 1 } : value);
  }
}

const repeatFirstKey = (text) => text.replace(/^\{("[^"]+":)/, "{$10,$1");

/** Texts that are no strict JSON at all, as bytes. */
export function* texts(good) {
  const text = JSON.stringify(good);
  const bytes = Buffer.from(text);
  yield Buffer.alloc(0);
  yield Buffer.from(text.slice(0, -1));
  yield Buffer.from(text + "}");
  yield Buffer.from(text + " x");
  yield Buffer.from("\ufeff" + text);
  yield Buffer.from(repeatFirstKey(text));
  yield Buffer.concat([bytes.subarray(0, -1), Buffer.from(',"a":"\xff\xfe"}', "latin1")]);
  yield Buffer.concat([bytes.subarray(0, -1), Buffer.from(',"a":"\xed\xa0\x80"}', "latin1")]);
  yield Buffer.concat([bytes, Buffer.from([0]), bytes]);
  yield Buffer.from("[".repeat(200_000));
  yield Buffer.from('{"a":'.repeat(50_000));
  yield Buffer.from(text.slice(0, -1) + ',"a":' + "9".repeat(100_000) + "}");
  yield Buffer.from(text.slice(0, -1) + ',"a":1e999999}');
  yield Buffer.from(text.slice(0, -1) + ',"a":01}');
  yield Buffer.from(text.slice(0, -1) + ",}");
  yield Buffer.from(text.replaceAll('"', "'"));
  yield Buffer.from("// comment\n" + text);
  yield Buffer.from("null");
  yield Buffer.from('"' + "\\u0000".repeat(1000) + '"');
}

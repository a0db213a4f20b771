// Tests the app's ADIF writer, with the cases that it shares with the service
// (t/unit-adif-writing.c) and the client kit (t/clients_python_reader.t).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { standardTags } from "../../app/adif.js";
import { FIELDS } from "../../clients/qsosync-fields.js";

const table = readFileSync(new URL("../data/adif_written.tsv", import.meta.url), "utf8");
const ESCAPES = { n: "\n", r: "\r", t: "\t", "\\": "\\" };
const unescape = (cell) => {
  const bytes = cell.replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_, hex, letter) =>
    hex ? String.fromCharCode(parseInt(hex, 16)) : ESCAPES[letter],
  );
  return Buffer.from(bytes, "latin1").toString();
};
/** Returns the pairs in a cell: "NAME=value; NAME=value". */
const pairsOf = (cell) =>
  cell.split("; ").map((pair) => {
    const [, name, value] = /^(\w+)=([^]*)$/.exec(unescape(pair));
    return [name, value];
  });
const valueOf = (name, text) => {
  const { kind } = FIELDS.find((field) => field.name === name);
  if (kind === "boolean") return text === "true";
  return kind === "integer" || kind === "real" ? Number(text) : text;
};
const EMPTY = Object.fromEntries(FIELDS.map(({ name }) => [name, null]));
const fieldsOf = (qso) =>
  Object.fromEntries(
    standardTags(qso).map((text) => {
      const [, name, length, value] = /^<(\w+):(\d+)>([^]*)$/.exec(text);
      assert.equal(Number(length), Buffer.byteLength(value));
      return [name, value];
    }),
  );

for (const line of table.split("\n").filter((row) => row && !row.startsWith("#"))) {
  const [rule, values, expected] = line.split("\t");
  test(rule, () => {
    const given = pairsOf(values).map(([name, text]) => [name, valueOf(name, text)]);
    assert.deepEqual(
      fieldsOf({ ...EMPTY, qsoAt: "2026-05-17T19:42:33.000Z", ...Object.fromEntries(given) }),
      Object.fromEntries([["QSO_DATE", "20260517"], ["TIME_ON", "194233"], ...pairsOf(expected)]),
    );
  });
}

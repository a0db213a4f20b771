// Tests the storage in a file: what was stored is read again, whatever a power failure left behind.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { FileStorage } from "../../clients/qsosync-file.js";

/** Returns the path of a storage in a new folder, which is removed after the test. */
function place(context) {
  const folder = mkdtempSync(join(tmpdir(), "qsosync-file-"));
  context.after(() => rmSync(folder, { recursive: true }));
  return join(folder, "log");
}
const all = (storage) => storage.change((records) => records.after("qsos", "", Infinity));
/** Runs work on the storage, closes it, and returns the result. */
async function using(path, work) {
  const storage = new FileStorage(path);
  try {
    return await work(storage);
  } finally {
    storage.close();
  }
}
const keys = async (path) => (await using(path, all)).map(({ key }) => key).join(" ");
const put = (...names) => {
  const change = async (records) => {
    for (const key of names) await records.put("qsos", { key, text: `${key} äöü` });
  };
  return (storage) => storage.change(change);
};

test("a file has the records of all changes, and the file is private", async (context) => {
  const path = place(context);
  await using(path, put("a", "b"));
  await using(path, (storage) => storage.change((records) => records.remove("qsos", "a")));
  await using(path, put("c"));
  assert.deepEqual(await using(path, all), [
    { key: "b", text: "b äöü" },
    { key: "c", text: "c äöü" },
  ]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});
test("a change that fails leaves nothing in the file", async (context) => {
  const path = place(context);
  await using(path, put("a"));
  const failing = async (records) => {
    await records.put("qsos", { key: "b" });
    throw new Error("not now");
  };
  await using(path, async (storage) => {
    await assert.rejects(storage.change(failing), /not now/);
    assert.equal((await all(storage)).length, 1);
  });
  assert.equal(await keys(path), "a");
});
test("a file cut at any byte keeps whole changes, and stores further changes", async (context) => {
  const path = place(context);
  await using(path, put("a", "b"));
  const first = statSync(path).size;
  await using(path, put("c", "d"));
  const whole = readFileSync(path);
  for (let size = 0; size < whole.length; size++) {
    writeFileSync(path, whole.subarray(0, size));
    assert.equal(await keys(path), size < first ? "" : "a b", `${size} bytes`);
    await using(path, put("e"));
    assert.equal(await keys(path), size < first ? "e" : "a b e", `${size} bytes, and a change`);
  }
  assert.equal(existsSync(`${path}.damaged`), false);
});
test("a damaged file with later changes is kept as a copy", async (context) => {
  const path = place(context);
  await using(path, put("a"));
  appendFileSync(path, "\0\0\0\n");
  await using(path, (storage) => all(storage));
  assert.equal(await keys(path), "a");
  assert.match(readFileSync(`${path}.damaged`, "utf8"), /\0\0\0\n$/);
});
test("a file that grows by changes to the same record is rewritten", async (context) => {
  const path = place(context);
  const text = "x".repeat(1 << 16);
  await using(path, async (storage) => {
    for (let place = 0; place < 100; place++)
      await storage.change((records) => records.put("qsos", { key: "a", text, place }), "relaxed");
  });
  assert.ok(statSync(path).size < 2 << 20, `${statSync(path).size} bytes`);
  assert.equal((await using(path, all))[0].place, 99);
});
test("only one program uses a file, and a killed program's lock ends", async (context) => {
  const path = place(context);
  const open = `import { FileStorage } from "${new URL("../../clients/qsosync-file.js", import.meta.url)}";
    new FileStorage(process.argv[1]);`;
  const run = (end) => spawnSync("node", ["--input-type=module", "-e", open + end, path]);
  await using(path, async () => {
    assert.throws(() => new FileStorage(path), /another program is using/);
    assert.match(String(run("").stderr), /another program is using/);
  });
  run('process.kill(process.pid, "SIGKILL");');
  assert.ok(existsSync(`${path}.lock`));
  await using(path, put("a"));
  assert.equal(await keys(path), "a");
});

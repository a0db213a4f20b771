// Runs the engine of the app, or the copy of a page, for t/simulate/run. Each input line is a command
// in JSON, and each output line is its answer.
//   engine.mjs KIND SOURCES URL KEY FOLDER, where KIND is "app" or "page"
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , kind, sources, url, key, folder] = process.argv;
const { Log, synchronise } = await import(`${sources}/qsosync.js`);
const { LocalLog, readOutbox } = await import(`${sources}/qsosync-sync.js`);
const { MemoryStorage } = await import(`${sources}/qsosync-storage.js`);
const STORES = ["state", "qsos", "outbox"];
const path = `${folder}/${kind}.json`;

const wait = () => new Promise((done) => setTimeout(done, 10));
const line = new Log(url, key, wait);
const kept = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
function keep(value) {
  writeFileSync(`${path}.new`, JSON.stringify(value));
  renameSync(`${path}.new`, path);
}

/** Keeps the device's records in a file for the next process. */
class KeptStorage extends MemoryStorage {
  async change(work) {
    return super.change(async (records) => {
      const result = await work(records);
      const all = STORES.map(async (store) => [store, await records.after(store, "", Infinity)]);
      keep(Object.fromEntries(await Promise.all(all)));
      return result;
    });
  }
}
const storage = new KeptStorage();
if (kind === "app" && kept)
  await storage.change(async (records) => {
    for (const store of STORES)
      for (const record of kept[store]) await records.put(store, record);
  });
const log = new LocalLog(storage);
let copy = kind === "page" ? kept : null;

const APP = {
  save: ({ qso }) => log.save(qso),
  delete: ({ key: id }) => log.delete(id),
  sync: async () => {
    const outcome = await log.synchronise(line);
    return outcome === "done" ? {} : { error: outcome };
  },
  decide: async ({ choice }) => {
    for (const { key: id, state } of await readOutbox(storage))
      if (state === "conflict") await log.resolve(id, choice);
  },
  copy: async () => {
    const copies = await storage.change((records) => records.after("qsos", "", Infinity));
    const outbox = await readOutbox(storage);
    const refused = outbox.filter(({ state }) => state === "refused").map(({ error }) => error);
    const items = Object.fromEntries(copies.map(({ key: id, qso }) => [id, qso]));
    return { items, waiting: outbox.length, refused };
  },
};
const PAGE = {
  sync: async () => {
    copy = await synchronise(line, copy);
    keep(copy);
  },
  copy: () => ({ items: copy?.items ?? {}, waiting: 0, refused: [] }),
};

for await (const text of createInterface({ input: process.stdin })) {
  const command = JSON.parse(text);
  let answer;
  try {
    if (command.do === "key") line.key = command.key;
    else answer = await { app: APP, page: PAGE }[kind][command.do]?.(command);
  } catch (error) {
    if (error.name !== "ServiceError") throw error;
    answer = { error: error.message };
  }
  console.log(JSON.stringify(answer instanceof Object ? answer : {}));
}

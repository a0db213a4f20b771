// Runs PoLo's own sync source as a phone: node phone.mjs FOLDER. The folder contains PoLo's src/. Each
// input line is a JSON array, a command with its arguments; each output line is a command's result.
import { register } from "node:module";
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";

const here = new URL("./world.mjs", import.meta.url).href;
const root = `${pathToFileURL(process.argv[2]).href}/src/`;
const parts = {
  sync: `${root}store/sync/sync.js`,
  lofi: `${root}extensions/data/ham2k-lofi-sync/Ham2KLoFiSyncExtension.js`,
  qsos: `${root}store/qsos/actions/qsosDB.js`,
  operations: `${root}store/operations/actions/operationsDB.js`,
  global: `${root}GLOBAL.js`,
};
// PoLo's files import each other; world.mjs replaces their other imports.
register(`data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from "node:fs";
  const parts = ${JSON.stringify(parts)};
  const isPart = (url) => Object.values(parts).includes(url);
  export async function resolve(name, context, next) {
    if (isPart(name)) return { url: name, shortCircuit: true };
    if (!isPart(context.parentURL)) return next(name, context);
    const [last] = name.split("/").slice(-1);
    const part = last === "GLOBAL" ? parts.global
      : context.parentURL === parts.sync && last === "qsos" ? parts.qsos
      : last === "operations" && context.parentURL !== parts.operations ? parts.operations : null;
    return { url: part ?? ${JSON.stringify(here)}, shortCircuit: true };
  }
  export async function load(url, context, next) {
    if (!isPart(url)) return next(url, context);
    let source = readFileSync(new URL(url), "utf8");
    if (url === parts.sync) source += "\\nexport { _doOneRoundOfSyncing };";
    if (url === parts.operations) source += "\\nexport { actions };";
    return { format: "module", source, shortCircuit: true };
  }
`)}`);

const { world, dispatch, getState, setLocalExtensionData, dbExecute, dbSelectAll } = await import(here);
const [sync, lofi, qsos, operations, { default: GLOBAL }] = await Promise.all(
  ["sync", "lofi", "qsos", "operations", "global"].map((name) => import(parts[name])),
);
const realNow = Date.now.bind(Date);
let last = 0;
console.log = console.info = () => {};

const commands = {
  async begin(server, name, ahead, file, batch) {
    Date.now = () => (last = Math.max(last + 1, realNow() + ahead));
    Object.assign(world, { file });
    Object.assign(GLOBAL, { deviceId: name, deviceName: "phone", syncEnabled: true, syncBatchSize: batch });
    lofi.default.onActivation({ registerHook: (await import(here)).registerHook });
    setLocalExtensionData({ key: "ham2k-lofi", server });
    await dbExecute(`CREATE TABLE qsos (uuid TEXT PRIMARY KEY, operation, key, data, ourCall, theirCall, mode, band,
      startAtMillis, deleted, synced);
      CREATE TABLE operations (uuid TEXT PRIMARY KEY, data, localData, startAtMillisMin, startAtMillisMax, qsoCount,
      deleted, synced)`);
  },
  put(kind, record) {
    return kind === "qsos"
      ? dispatch(qsos.addQSOs({ uuid: record.operation, qsos: [record] }))
      : dispatch(operations.saveOperation(record));
  },
  async reset() {
    await dispatch(operations.resetSyncedStatus());
  },
  async round(fault) {
    Object.assign(world, { fault, last: null });
    await sync._doOneRoundOfSyncing({ dispatch });
    return world.last;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  let came = null;
  try {
    came = (await commands[name](...given)) ?? null;
  } catch (error) {
    came = { failed: String(error?.stack ?? error) };
  }
  const rows = world.file ? await dbSelectAll("SELECT 'qsos' AS kind, uuid, data, synced FROM qsos UNION ALL SELECT 'operations', uuid, data, synced FROM operations") : [];
  process.stdout.write(`${JSON.stringify({ came, rows, sync: getState().local.sync ?? {} })}\n`);
}
process.exit(0);

// Provides the environment of PoLo's own sync source: its database (SQLite, through the sqlite3 shell),
// its settings, and a network that loses messages on a test's command. All other parts of PoLo are empty.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";

/** @type {any} the phone, and the fate of its next request */
export const world = { file: "", state: { settings: { operatorCall: "21SD333" }, local: {} }, fault: {}, last: null };

// The database is SQLite in a child process.
const END = "end-of-answer";

/** @param {any} value */
function literal(value) {
  if (value === undefined || value === null) return "NULL";
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}
/** @type {{ stdin: any, done: (text: string) => void } | null} the shell stays open, because starting it is slow */
let shell = null;
function openShell() {
  const { stdin, stdout, stderr } = spawn("sqlite3", ["-bail", "-json", "-cmd", "PRAGMA synchronous = OFF", world.file]);
  let text = "";
  shell = { stdin, done: () => {} };
  stderr.pipe(process.stderr);
  stdout.setEncoding("utf8").on("data", (part) => {
    text += part;
    if (!text.endsWith(`${END}\n`)) return;
    shell.done(text.slice(0, -END.length - 1));
    text = "";
  });
  stdout.on("end", () => shell.done("failed"));
}
let before = Promise.resolve(); // the queries run one after the other
/** @param {string} sql @param {any[]} params */
function ask(sql, params = []) {
  let at = 0;
  const text = sql.replace(/\?/g, () => literal(params[at++]));
  const answer = before.then(
    () =>
      new Promise((done) => {
        if (!shell) openShell();
        shell.done = done;
        shell.stdin.write(`${text};\n.print ${END}\n`);
      }),
  );
  before = answer;
  return answer.then((output) => (output ? JSON.parse(output) : []));
}
export const dbExecute = async (sql, params) => ({ rows: await ask(sql, params) });
export const dbSelectAll = async (sql, params, { row = (it) => it } = {}) =>
  (await ask(sql, params)).map((it) => row(it));
export const dbSelectOne = async (sql, params, { row = (it) => it } = {}) => row((await ask(sql, params))[0]);
export const dbExecuteBatch = (list) => Promise.all(list.map(([sql, params]) => ask(sql, params)));
export const closeDatabaseAndRestart = () => {};

// The state is PoLo's settings.
export const dispatch = (action) => (typeof action === "function" ? action(dispatch, getState) : action);
export const getState = () => ({ ...world.state, operations: { info: {} }, qsos: { qsos: {} } });
export const selectSettings = (state) => state.settings;
export const selectLocalData = (state) => state.local;
export const selectLocalExtensionData = (state, key) => state.local.extensions?.[key] ?? {};
export const setLocalData = (data) => Object.assign(world.state.local, data);
export const setLocalExtensionData = ({ key, ...data }) => {
  world.state.local.extensions ??= {};
  world.state.local.extensions[key] = { ...world.state.local.extensions[key], ...data };
};
export const actions = new Proxy({}, { get: () => () => ({}) });
const hooks = [];
export const registerHook = (_, { hook }) => hooks.push(hook);
export const findHooks = () => hooks;

// The network loses messages.
export class FetchTimeoutError extends Error {
  name = "FetchTimeoutError";
}
export async function fetchWithTimeout(url, { timeout, ...options }) {
  const { fault } = world;
  const send = () => fetch(url, options);
  world.asked?.({ url, ...options });
  if (!url.endsWith("/v1/sync")) return send();
  if (fault.lose === "request") throw new Error("Network request failed");
  let response = await send();
  if (fault.twice) response = await send();
  if (fault.lose === "answer") throw new Error("Network request failed");
  const text = await response.text();
  world.last = { status: response.status, body: text };
  return new Response(text, { status: response.status });
}

// All other parts of PoLo are empty.
export const useCallback = () => {};
export const useEffect = () => {};
export const useMemo = () => {};
export const useState = () => [];
export const useSelector = () => {};
export const diff = () => {};
export const addNotice = () => ({});
export const clearMatchingNotices = () => ({});
export const selectFeatureFlag = () => undefined;
export const selectFiveSecondsTick = () => 0;
export const startTickTock = () => ({});
export const stopTickTock = () => ({});
export const logTimer = () => {};
export const syncMetaForDistribution = () => ({});
export const reportError = () => {};
export const sendQSOsToSyncService = () => {};
export const sendOperationsToSyncService = () => {};
export const saveOperationLocalData = () => ({});
export const qsoKey = () => "key";
export const annotateQSO = () => {};
export const selectRuntimeOnline = () => true;
export const fmtTimestamp = () => "0";
export const persistor = { purge: () => {} };
export const Platform = { OS: "android", Version: "1" };
export default { v4: randomUUID, version: "1.0" };

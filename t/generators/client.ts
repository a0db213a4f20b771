// Synchronises a log in the seven steps of the API's page. Each of the other files defines the
// requests of this client with the functions and types of one generator. These types must have every
// field that the client needs.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";

export type Answer<Body> = { status: number; headers: Headers; body: Body };
type Named = { clientId: string | null; id: string };
export type Page<Qso> = {
  items: Qso[];
  deleted?: Named[];
  deletedComplete?: boolean;
  nextCursor: string | null;
  serverTime: string;
};
type Result = { clientId: string | null; id: string | null; error?: string; permanent?: boolean };
export type Query = {
  limit: number;
  includeDeleted: boolean;
  updatedSince?: string;
  cursor?: string;
};

export interface Api<Qso, Entry> {
  list(query: Query): Promise<Answer<Page<Qso>>>;
  ids(): Promise<Answer<{ items: Named[] }>>;
  save(entries: Entry[]): Promise<Answer<{ results: Result[] }>>;
  remove(clientId: string): Promise<Answer<unknown>>;
  create(clientId: string, qsoAt: string, callsignWorked: string): Entry;
  change(qso: Qso | Entry, notes: string, baseSyncedAt: string | undefined): Entry;
  again(qso: Qso): Entry;
}

type Stored = { clientId: string | null; callsignWorked?: string | null };
type Log<Qso, Entry> = {
  qsos: Record<string, Qso>;
  unsent: Record<string, Entry>;
  deleted: string[];
  refused: Record<string, [string | undefined, Entry]>;
  since: string | null;
  epoch: string | null;
};

const FILE = "log.json";

// Waits and repeats while the service is busy. A request that can never succeed ends the program.
async function ask<Body>(send: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
  for (;;) {
    const answer = await send();
    if (answer.status < 400 || answer.status === 404) return answer;
    if (answer.status !== 429 && answer.status < 500) throw new Error(`status ${answer.status}`);
    const seconds = Number(answer.headers.get("Retry-After") ?? 1);
    await new Promise((next) => setTimeout(next, 1000 * seconds));
  }
}

export async function run<
  Qso extends Stored & Named & { syncedAt: string },
  Entry extends Stored & { clientId: string },
>(api: Api<Qso, Entry>) {
  const log: Log<Qso, Entry> = existsSync(FILE)
    ? JSON.parse(readFileSync(FILE, "utf8"))
    : { qsos: {}, unsent: {}, deleted: [], refused: {}, since: null, epoch: null };
  const keep = () => {
    const file = openSync(`${FILE}.new`, "w");
    writeSync(file, JSON.stringify(log));
    fsyncSync(file);
    closeSync(file);
    renameSync(`${FILE}.new`, FILE);
  };
  const nameOf = ({ clientId, id }: Named) => clientId ?? id;

  async function send() {
    const entries = Object.values(log.unsent);
    for (let at = 0; at < entries.length; at += 200) {
      const some = entries.slice(at, at + 200);
      const { results } = (await ask(() => api.save(some))).body;
      results.forEach(({ id, permanent, error }, place) => {
        const entry = some[place]!;
        if (id === null && permanent) log.refused[entry.clientId] = [error, entry];
        if (id !== null || permanent) delete log.unsent[entry.clientId];
      });
      keep();
    }
    for (; log.deleted.length; keep()) {
      await ask(() => api.remove(log.deleted[0]!));
      log.deleted.shift();
    }
  }

  async function receive(earlier: Record<string, Qso> = {}): Promise<void> {
    let since: string | null = null;
    let cursor: string | null = null;
    let complete = true;
    for (;;) {
      const query: Query = { limit: 500, includeDeleted: true };
      if (log.since) query.updatedSince = log.since;
      if (cursor) query.cursor = cursor;
      const { body, headers } = await ask(() => api.list(query));
      const epoch = headers.get("X-Log-Epoch");
      if (log.epoch && log.epoch !== epoch) {
        Object.assign(earlier, log.qsos);
        Object.assign(log, { qsos: {}, since: null, epoch });
        return receive(earlier);
      }
      log.epoch = epoch;
      since ??= body.serverTime;
      for (const qso of body.items) log.qsos[nameOf(qso)] = qso;
      for (const gone of body.deleted ?? []) delete log.qsos[nameOf(gone)];
      complete &&= body.deletedComplete ?? false;
      cursor = body.nextCursor;
      if (cursor === null) break;
    }
    if (!complete) {
      const { body, headers } = await ask(() => api.ids());
      if (headers.get("X-Log-Epoch") !== log.epoch) return receive(earlier);
      const there = new Set(body.items.map(nameOf));
      for (const name of Object.keys(log.qsos)) if (!there.has(name)) delete log.qsos[name];
    }
    for (const [name, qso] of Object.entries(earlier)) {
      const stored = log.qsos[name];
      if (qso.clientId && (!stored || stored.syncedAt < qso.syncedAt))
        log.unsent[name] ??= api.again(qso);
    }
    log.since = since;
    keep();
  }

  const [act = "sync", name = "", notes = ""] = process.argv.slice(2);
  if (act === "add") {
    const clientId = crypto.randomUUID();
    log.unsent[clientId] = api.create(clientId, new Date().toISOString(), name);
  } else if (act === "edit") {
    const qso = log.unsent[name] ?? log.qsos[name]!;
    log.unsent[name] = api.change(qso, notes, log.qsos[name]?.syncedAt);
  } else if (act === "delete") {
    log.deleted.push(name);
    delete log.qsos[name];
    delete log.unsent[name];
  } else if (act === "sync") {
    for (const step of [send, receive, send]) await step();
  }
  for (const qso of Object.values({ ...log.qsos, ...log.unsent }))
    console.log(qso.clientId, qso.callsignWorked);
  keep();
}

export const url = process.env["QSOSYNC_URL"] ?? "";
export const headers = { Authorization: `Bearer ${process.env["QSOSYNC_KEY"]}` };

// Models the service in memory, according to the contract: one member's log, with stamps,
// deletions, epochs and backups. The model's line loses requests and answers. Used by
// sync-*.test.js and kit.test.js.
import { ServiceError } from "../../clients/qsosync.js";
import { findFaults, normalise } from "../../clients/qsosync-fields.js";

// Returns a generator of random numbers from a seed (mulberry32).
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const iso = (ms) => new Date(ms).toISOString();

export class ModelService {
  /**
   * @param {() => number} random
   * @param {{tellsDeletions?: boolean, limit?: number, ahead?: number}} [options] limit: the page
   *   size, so that small logs have several pages; ahead: the greatest number of pages that a page
   *   names
   */
  constructor(random, { tellsDeletions = true, limit = 7, ahead = 8 } = {}) {
    Object.assign(this, { random, tellsDeletions, limit, ahead });
    this.now = Date.parse("2026-05-17T19:00:00Z");
    this.log = {
      qsos: new Map(),
      deleted: new Map(),
      epoch: "1",
      id: 0,
      stamp: 0,
      deletionsSince: 0,
    };
    this.epochs = 1;
    this.foreign = new Set(); // ids of other members' QSOs
    this.requests = 0;
  }

  backup() {
    return structuredClone(this.log);
  }
  restore(backup) {
    this.log = {
      ...structuredClone(backup),
      epoch: String(++this.epochs),
      deletionsSince: this.now,
    };
    this.log.stamp = Math.max(this.log.stamp, this.now);
  }

  stamp() {
    this.log.stamp = Math.max(this.now + 1, this.log.stamp + 1);
    return this.log.stamp;
  }

  answer(path, { method = "GET", body } = {}) {
    this.requests++;
    this.now += 1 + Math.floor(this.random() * 50);
    const url = new URL(path, "http://model");
    if (url.pathname === "/logs/batch") return this.batch(JSON.parse(body).entries);
    if (method === "DELETE") return this.delete(url.pathname.split("/").pop());
    if (url.pathname === "/logs/ids")
      return { items: [...this.log.qsos.values()].map(({ id, clientId }) => ({ id, clientId })) };
    return this.page(url.searchParams);
  }

  batch(entries) {
    const syncedAt = iso(this.stamp());
    return { results: entries.map((entry) => this.save(entry, syncedAt)) };
  }
  save(entry, syncedAt) {
    const { clientId } = entry;
    if (this.foreign.has(clientId))
      return { clientId, id: null, error: "CLIENT_ID_CONFLICT", permanent: true };
    const [fault] = findFaults(entry);
    if (fault) return { clientId, id: null, error: fault.join(" "), permanent: true };
    const before = this.log.qsos.get(clientId);
    const { sendSpot, ...values } = normalise(entry);
    const qso = {
      id: before?.id ?? String(++this.log.id),
      crossConfirmedAt: null,
      createdAt: before?.createdAt ?? syncedAt,
      spottedAt: before?.spottedAt ?? (sendSpot ? iso(this.now) : null),
    };
    this.log.qsos.set(clientId, { ...values, ...qso, syncedAt });
    this.log.deleted.delete(clientId);
    return { clientId, id: qso.id, spottedAt: qso.spottedAt };
  }
  delete(clientId) {
    if (!this.log.qsos.has(clientId)) throw new ServiceError("404", 404);
    const { id } = this.log.qsos.get(clientId);
    this.log.qsos.delete(clientId);
    this.log.deleted.set(clientId, { id, clientId, deletedAt: iso(this.stamp()) });
    return null;
  }

  /** Returns the rest of the log after a cursor, and the cursors of the pages in the rest. */
  rest(query) {
    const since = query.get("updatedSince") ?? "";
    const from = query.get("cursor") ?? "";
    const place = (row) => `${row.syncedAt ?? row.deletedAt} ${row.id.padStart(9, "0")}`;
    const deleted = since && this.tellsDeletions ? [...this.log.deleted.values()] : [];
    const rows = [...this.log.qsos.values(), ...deleted]
      .filter((row) => (row.syncedAt ?? row.deletedAt) > since && place(row) > from)
      .sort((a, b) => (place(a) < place(b) ? -1 : 1));
    const isLastOfPage = (_, at) => (at + 1) % this.limit === 0 && at + 1 < rows.length;
    return { rows, cursors: rows.filter(isLastOfPage).map(place) };
  }
  /** Returns the header of a page that names the following pages. */
  link(query) {
    const ahead = Math.max(1, Math.min(this.ahead, Number(query.get("ahead"))));
    return this.rest(query)
      .cursors.slice(0, ahead)
      .map((cursor, at) => {
        const link = new URLSearchParams({ limit: "7", cursor });
        return `<?${link}>; rel="${at ? "section" : "next"}"`;
      })
      .join(", ");
  }
  page(query) {
    const since = query.get("updatedSince") ?? "";
    const { rows, cursors } = this.rest(query);
    const page = rows.slice(0, this.limit);
    return {
      items: page.filter((row) => row.syncedAt),
      ...(this.tellsDeletions && {
        deleted: page.filter((row) => row.deletedAt),
        deletedComplete: !since || Date.parse(since) >= this.log.deletionsSince,
      }),
      nextCursor: cursors[0] ?? null,
      serverTime: iso(this.now - 1),
    };
  }
}

/** Models a device's connection to the service. `fate()` decides the outcome of each request. */
export class ModelLine {
  constructor(service, fate, meanwhile = async () => {}) {
    Object.assign(this, { service, fate, meanwhile });
  }
  async request(path, options) {
    const fate = this.fate();
    await this.meanwhile();
    if (fate === "lost") throw new ServiceError("no answer");
    if (fate === "limited") throw new ServiceError("429", 429, 1);
    if (fate === "refused") throw new ServiceError("401", 401);
    if (fate === "failed") throw new ServiceError("500", 500);
    const body = structuredClone(this.service.answer(path, options));
    const headers = new Headers({ "X-Log-Epoch": this.service.log.epoch });
    if (/^\/logs\?/.test(path) && !/updatedSince|cursor/.test(path))
      headers.set("X-Log-Count", String(this.service.log.qsos.size));
    if (body?.nextCursor)
      headers.set("Link", this.service.link(new URL(path, "http://model").searchParams));
    options?.onHeaders?.(headers);
    await this.meanwhile();
    if (fate === "cut") throw new ServiceError("no answer");
    return { body, headers };
  }
}

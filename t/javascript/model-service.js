// The service as the contract describes it, in memory: one member's log, with stamps, deletions,
// epochs and backups, and a line to it that loses requests and answers. For sync-evenings.test.js.
import { ServiceError } from "../../clients/qsosync.js";
import { findFaults, normalise } from "../../clients/qsosync-fields.js";

const iso = (ms) => new Date(ms).toISOString();

export class ModelService {
  constructor(random, { tellsDeletions = true } = {}) {
    this.random = random;
    this.tellsDeletions = tellsDeletions;
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

  page(query) {
    const since = query.get("updatedSince") ?? "";
    const from = query.get("cursor") ?? "";
    const limit = 7; // of a page here, so that small logs have several
    const place = (row) => `${row.syncedAt ?? row.deletedAt} ${row.id.padStart(9, "0")}`;
    const deleted = since && this.tellsDeletions ? [...this.log.deleted.values()] : [];
    const rows = [...this.log.qsos.values(), ...deleted]
      .filter((row) => (row.syncedAt ?? row.deletedAt) > since && place(row) > from)
      .sort((a, b) => (place(a) < place(b) ? -1 : 1));
    const page = rows.slice(0, limit);
    return {
      items: page.filter((row) => row.syncedAt),
      ...(this.tellsDeletions && {
        deleted: page.filter((row) => row.deletedAt),
        deletedComplete: !since || Date.parse(since) >= this.log.deletionsSince,
      }),
      nextCursor: rows.length > limit ? place(page.at(-1)) : null,
      serverTime: iso(this.now - 1),
    };
  }
}

/** What a device has of the service: `fate()` says what happens to each request. */
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
      headers.set("Link", `<?limit=7&cursor=${encodeURIComponent(body.nextCursor)}>; rel="next"`);
    options?.onHeaders?.(headers);
    await this.meanwhile();
    if (fate === "cut") throw new ServiceError("no answer");
    return { body, headers };
  }
}

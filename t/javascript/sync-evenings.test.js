// Plays evenings of random faults. Devices log, change and delete offline, and are killed. The
// service limits requests, fails, loses answers, and is restored from backups. At the end, all
// devices and the service have the same QSOs, and nothing is lost. EVENINGS=5000 SEED=1000 runs
// further evenings.
import assert from "node:assert/strict";
import test from "node:test";
import { LocalLog, readOutbox } from "../../clients/qsosync-sync.js";
import { MemoryStorage } from "../../clients/qsosync-storage.js";
import { isSame, normalise } from "../../clients/qsosync-fields.js";
import { ModelLine, ModelService, randomOf } from "./model-service.js";

const EVENINGS = Number(process.env.EVENINGS || 150);
// The seeds are constant, so that a failure can be repeated.
const SEED = Number(process.env.SEED || 1);

class Killed extends Error {}

/** Implements a storage whose program can be killed before and after each change. */
class MortalStorage {
  constructor(storage, dies) {
    Object.assign(this, { storage, dies, isDead: false });
  }
  async change(work) {
    if (this.isDead || this.dies()) this.isDead = true;
    if (this.isDead) throw new Killed();
    const result = await this.storage.change(work);
    if (this.dies()) this.isDead = true;
    if (this.isDead) throw new Killed();
    return result;
  }
}

class Evening {
  constructor(seed) {
    this.random = randomOf(seed);
    this.service = new ModelService(this.random, { tellsDeletions: this.chance(0.8) });
    this.ids = 0;
    this.conflicts = 0;
    this.restores = 0;
    this.isWild = true;
    this.deaths = this.random() * 0.03;
    this.trouble = this.random() * 0.4;
    // Members' writes by clientId: every state, the devices that wrote the QSO, and whether the QSO
    // was deleted.
    this.written = new Map();
    this.devices = Array.from({ length: 1 + Math.floor(this.random() * 2) }, (_, number) => ({
      number,
      storage: new MemoryStorage(),
      skew: Math.floor((this.random() - 0.5) * 7200000),
    }));
    this.backups = [];
    for (let stored = this.random() * 20; stored > 0; stored--)
      this.service.save(
        { clientId: this.makeId(), band: "PMR446", channel: 8, qsoAt: "2026-01-01T00:00Z" },
        "2026-01-01T00:00:00.000Z",
      );
    for (const qso of this.service.log.qsos.values())
      this.note(qso.clientId, { number: -1 }, normalise(qso));
  }
  chance(share) {
    return this.random() < share;
  }
  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }
  makeId() {
    return `00000000-0000-4000-8000-${String(++this.ids).padStart(12, "0")}`;
  }
  fate() {
    if (!this.isWild || !this.chance(this.trouble)) return "pass";
    return this.pick(["lost", "lost", "cut", "cut", "limited", "failed", "refused"]);
  }

  // Starts a program on a device. The program runs until it is killed.
  open(device) {
    const storage = new MortalStorage(
      device.storage,
      () => this.isWild && this.chance(this.deaths),
    );
    return new LocalLog(storage, {
      now: () => this.service.now + device.skew,
      makeId: () => this.makeId(),
    });
  }
  note(clientId, device, qso) {
    const known = this.written.get(clientId) ?? { states: [], devices: new Set(), last: null };
    if (qso) known.states.push(qso);
    else known.isDeleted = true;
    known.devices.add(device.number);
    known.last = qso;
    this.written.set(clientId, known);
  }

  // Performs a random act of a member. If the program is killed before it confirms the act, the
  // result is either stored or not stored; both are correct.
  async act(device, log) {
    const values = {
      band: "ELEVEN_METERS",
      qsoAt: new Date(this.service.now).toISOString(),
      notes: this.pick(["", "one ", "two"]),
      dxLocator: this.pick(["jo59JW", null]),
    };
    const outbox = await readOutbox(device.storage);
    const known = await device.storage.change((records) => records.after("qsos", "", Infinity));
    const keys = [...outbox, ...known].map(({ key }) => key);
    const isOld = keys.length > 0 && this.chance(0.5);
    const clientId = isOld ? this.pick(keys) : this.makeId();
    const before = outbox.find(({ key }) => key === clientId);
    const wasDeleted = this.written.get(clientId)?.isDeleted ?? false;
    const last = this.written.get(clientId)?.last;
    try {
      if (isOld && this.chance(0.4)) {
        this.note(clientId, device, null);
        const order = await log.delete(clientId);
        if (this.chance(0.3)) await this.pass(device, log);
        if (order && this.chance(0.5) && (await log.takeBack(clientId, order, before)))
          Object.assign(this.written.get(clientId), { isDeleted: wasDeleted, last });
      } else {
        const qso = normalise({ ...values, clientId });
        this.note(clientId, device, qso);
        await log.save(qso);
      }
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.written.get(clientId).isUnsure = true;
    }
  }
  async decide(device, log) {
    for (const { key, state } of await readOutbox(device.storage))
      if (state === "conflict") {
        this.conflicts++;
        const known = this.written.get(key);
        if (known) known.isDecided = true;
        await log.resolve(key, this.pick(["mine", "theirs"]));
      }
  }
  line(device, log) {
    return new ModelLine(
      this.service,
      () => this.fate(),
      async () => {
        if (this.isWild && this.chance(0.1)) await this.act(device, log);
        if (this.isWild && this.chance(0.04)) this.disturb();
      },
    );
  }
  disturb() {
    if (this.chance(0.5)) this.backups.push(this.service.backup());
    else if (this.backups.length) {
      this.restores++;
      this.service.restore(this.pick(this.backups));
    }
  }
  async pass(device, log) {
    try {
      return await log.synchronise(this.line(device, log));
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      return "killed";
    }
  }

  async run() {
    const logs = this.devices.map((device) => this.open(device));
    const steps = 10 + Math.floor(this.random() * 40);
    for (let step = 0; step < steps; step++) {
      const place = Math.floor(this.random() * logs.length);
      const device = this.devices[place];
      if (logs[place].storage.isDead) logs[place] = this.open(device);
      const choice = this.random();
      if (choice < 0.6) await this.act(device, logs[place]);
      else if (choice < 0.66)
        await Promise.all([this.pass(device, logs[place]), this.pass(device, this.open(device))]);
      else if (choice < 0.72)
        await Promise.all(this.devices.map((one, number) => this.pass(one, logs[number])));
      else await this.pass(device, logs[place]);
      if (this.chance(0.03)) this.disturb();
    }
    this.isWild = false;
    // A device with an open conflict still sends its other QSOs.
    for (let round = 0; round < 6; round++)
      for (const device of this.devices) {
        const log = this.open(device);
        await this.decide(device, log);
        assert.equal(await this.pass(device, log), "done");
      }
  }

  async judge() {
    if (this.devices.length === 1 && !this.restores)
      assert.equal(this.conflicts, 0, "the only device of a log has no conflicts");
    for (const device of this.devices) {
      assert.deepEqual(await readOutbox(device.storage), [], "the outbox is empty");
      const copies = await device.storage.change((records) => records.after("qsos", "", Infinity));
      const stored = [...this.service.log.qsos.values()].sort((a, b) =>
        a.clientId < b.clientId ? -1 : 1,
      );
      assert.deepEqual(
        copies.map(({ qso }) => qso),
        stored,
        "the device has the same QSOs as the service",
      );
    }
    for (const [clientId, { states, devices, last, ...fate }] of this.written) {
      const stored = this.service.log.qsos.get(clientId);
      if (!fate.isDeleted && !fate.isUnsure && !fate.isDecided)
        assert.ok(stored, `${clientId} is stored, because nobody deleted it`);
      if (stored)
        assert.ok(
          states.some((state) => isSame(state, stored)),
          `${clientId} has a state that a member wrote`,
        );
      if (
        stored &&
        [...devices].filter((number) => number >= 0).length < 2 &&
        !fate.isDeleted &&
        !fate.isUnsure &&
        !fate.isDecided
      )
        assert.ok(isSame(stored, last), `${clientId} has its last state`);
    }
  }
}

test(`${EVENINGS} evenings from seed ${SEED}`, async () => {
  for (let number = 0; number < EVENINGS; number++) {
    const evening = new Evening(SEED + number);
    try {
      await evening.run();
      await evening.judge();
    } catch (error) {
      error.message = `evening of seed ${SEED + number}: ${error.message}`;
      throw error;
    }
  }
});

// Packs of QSOs: what is asked of them while they come and go.
import assert from "node:assert/strict";
import test from "node:test";
import { Packs } from "../../app/packs.js";

const [PACKS, SIZE] = [20, 50];

/** A store as IndexedDB has it, as far as packs need one. */
class Store {
  records = new Map();
  last = 0;
  #answer(result) {
    const request = { result };
    queueMicrotask(() => request.onsuccess());
    return request;
  }
  getAllKeys = () => this.#answer([...this.records.keys()]);
  get = (number) => this.#answer(this.records.get(number));
  put = (records) => (this.records.set(++this.last, records), this.#answer(this.last));
  delete = (number) => void this.records.delete(number);
}
const callOf = (number) => `${(number * 7919) % 100}AT${number % 10}`;
const keyOf = (number) => String(number).padStart(5, "0");
let reads = 0;
const recordOf = (number) => ({
  key: keyOf(number),
  qso: {},
  get call() {
    reads++;
    return callOf(number);
  },
});
const packOf = (number) => Array.from({ length: SIZE }, (_, at) => recordOf(number * SIZE + at));

const sorted = (numbers) =>
  numbers
    .map((number) => [callOf(number), keyOf(number)])
    .sort(([a, first], [b, second]) => (a === b ? (first < second ? -1 : 1) : a < b ? -1 : 1));
const numbersOf = (from, to) => Array.from({ length: to - from }, (_, at) => from + at);
const ask = (packs, range, most) =>
  packs.merge([], "call", range, most).map(({ call, key }) => [call, key]);

async function fill() {
  const [store, packs] = [new Store(), new Packs({ call: "call" })];
  for (let number = 0; number < PACKS; number++) await packs.add(store, packOf(number));
  return { store, packs };
}

test("what several packs have comes in the order of the index", async () => {
  const { packs } = await fill();
  const all = sorted(numbersOf(0, PACKS * SIZE));
  assert.deepEqual(ask(packs, null), all);
  assert.deepEqual(ask(packs, null, 7), all.slice(0, 7));
  for (const [lowerOpen, upperOpen] of [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ]) {
    const range = { lower: "26AT1", upper: "50AT3", lowerOpen, upperOpen };
    const part = all.filter(
      ([call]) =>
        (lowerOpen ? call > "26AT1" : call >= "26AT1") &&
        (upperOpen ? call < "50AT3" : call <= "50AT3"),
    );
    assert.deepEqual(ask(packs, range), part);
    for (const most of [1, 2, 30, part.length])
      assert.equal(packs.keyFromEnd("call", range, most), part.at(-most)[0]);
    assert.equal(packs.keyFromEnd("call", range, part.length + 1), null);
  }
  assert.deepEqual(ask(packs, { lower: "x" }), []);
});

test("a pack that comes or goes leaves the others sorted", async () => {
  const { store, packs } = await fill();
  reads = 0;
  ask(packs, null, 1);
  assert.equal(reads, PACKS * SIZE + 1);
  await packs.add(store, packOf(PACKS));
  reads = 0;
  ask(packs, null, 1);
  assert.equal(reads, SIZE + 1, "of the new one");
  await packs.remove(
    store,
    packs.some(SIZE / 2).map(({ key }) => key),
  );
  reads = 0;
  ask(packs, null, 1);
  assert.equal(reads, SIZE / 2 + 1, "of what is left of the oldest one");
  assert.deepEqual(ask(packs, null), sorted(numbersOf(SIZE / 2, (PACKS + 1) * SIZE)));
  const other = new Packs({ call: "call" });
  await other.follow(store);
  assert.deepEqual(ask(other, null), ask(packs, null), "another tab knows the same");
});

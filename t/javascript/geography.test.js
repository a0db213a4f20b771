// Places on the globe and on the map.
import assert from "node:assert/strict";
import test from "node:test";
import { bearing, distanceKm, greatCircle, parseLocator } from "../../src/pages/map/geography.js";
import {
  WORLD,
  clamp,
  firstViewOf,
  project,
  viewOf,
  ways,
} from "../../src/pages/map/projection.js";

const HAMBURG = { lat: 53.55, lng: 10 };
const TOKYO = { lat: 35.68, lng: 139.77 };
const near = (value, expected, by) => assert.ok(Math.abs(value - expected) <= by, `${value}`);

test("a locator is the middle of its field", () => {
  assert.deepEqual(parseLocator("JO59"), { lat: 59.5, lng: 11 });
  const place = parseLocator(" jo59jw ");
  near(place.lat, 59 + 22.5 / 24, 1e-9);
  near(place.lng, 10 + 9.5 / 12, 1e-9);
});

test("what is no locator has no place", () => {
  for (const text of ["", "J", "JO5", "SO59", "JO59j", "JO59yy", "JO59jw12", "59JO"])
    assert.equal(parseLocator(text), null, text);
});

test("distances are those of the globe, in both directions", () => {
  near(distanceKm(HAMBURG, TOKYO), 8990, 40);
  near(distanceKm(TOKYO, HAMBURG), distanceKm(HAMBURG, TOKYO), 1e-6);
  near(distanceKm({ lat: 0, lng: 0 }, { lat: 0, lng: 180 }), Math.PI * 6371, 1e-6);
  assert.equal(distanceKm(TOKYO, TOKYO), 0);
});

test("bearings go clockwise from north and stay below 360", () => {
  const equator = { lat: 0, lng: 0 };
  const to = { north: [1, 0], east: [0, 1], south: [-1, 0], west: [0, -1] };
  const bearings = Object.values(to).map(([lat, lng]) => bearing(equator, { lat, lng }));
  assert.deepEqual(bearings, [0, 90, 180, 270]);
  assert.equal(bearing(equator, { lat: 1, lng: -0.000001 }), 0);
});

test("a great circle has both ends, and no step of more than four degrees", () => {
  const way = greatCircle(HAMBURG, TOKYO);
  for (const [place, end] of [
    [way[0], HAMBURG],
    [way.at(-1), TOKYO],
  ]) {
    near(place.lat, end.lat, 1e-9);
    near(place.lng, end.lng, 1e-9);
  }
  for (let i = 1; i < way.length; i++)
    assert.ok(distanceKm(way[i - 1], way[i]) <= (4.001 * Math.PI * 6371) / 180);
  assert.equal(greatCircle(TOKYO, TOKYO).length, 2);
});

test("the map's corners are those of the projection", () => {
  assert.deepEqual(project({ lat: 90, lng: -180 }), { x: 0, y: 0 });
  assert.deepEqual(project({ lat: 84, lng: 180 }), { x: WORLD.width, y: WORLD.y });
  assert.deepEqual(project({ lat: -60, lng: 0 }), { x: 720, y: WORLD.y + WORLD.height });
});

test("a way over the edge of the map is cut in two", () => {
  const count = (path) => path.split("M").length - 1;
  assert.equal(count(ways([[HAMBURG, TOKYO]])), 1);
  assert.equal(count(ways([[TOKYO, { lat: 37.77, lng: -122.42 }]])), 2);
  assert.equal(ways([]), "");
});

test("a view shows every point, has the map's shape, and is never too near", () => {
  assert.deepEqual(viewOf([]), { ...WORLD });
  assert.equal(viewOf([], 0.5).height, WORLD.height, "a high view of nothing shows all latitudes");
  for (const places of [
    [HAMBURG],
    [HAMBURG, TOKYO],
    [HAMBURG, { lat: 50, lng: 8 }],
    [TOKYO, { lat: -50, lng: -100 }],
  ]) {
    const points = places.map(project);
    const view = viewOf(points);
    for (const { x, y } of points) {
      assert.ok(x >= view.x && x <= view.x + view.width);
      assert.ok(y >= view.y && y <= view.y + view.height);
    }
    near(view.width / view.height, WORLD.width / WORLD.height, 1e-9);
    assert.ok(view.width >= 160 && view.width <= WORLD.width);
  }
});

test("a map that is high shows first what is around most points", () => {
  const points = [HAMBURG, { lat: 50, lng: 8 }, { lat: 41, lng: 2 }, TOKYO].map(project);
  const view = firstViewOf(points, 1);
  assert.equal(view.height, WORLD.height);
  for (const { x } of points.slice(0, 3)) assert.ok(x > view.x && x < view.x + view.width);
  assert.deepEqual(firstViewOf(points, 2.5), viewOf(points, 2.5), "a wide one shows all");
});

test("a map shows first where most points are, if a few are far away", () => {
  const near = Array.from({ length: 18 }, (_, n) => ({ lat: 40 + n, lng: n }));
  const points = [...near, TOKYO, { lat: -33, lng: 151 }].map(project);
  const view = firstViewOf(points, 2);
  assert.ok(view.width < WORLD.width / 4, `${view.width}`);
  for (const { x, y } of near.slice(4, -4).map(project))
    assert.ok(x > view.x && x < view.x + view.width && y > view.y && y < view.y + view.height);
});

test("a value is held between two bounds", () => {
  assert.deepEqual(
    [-1, 0, 5, 9, 10].map((value) => clamp(value, 0, 9)),
    [0, 0, 5, 9, 9],
  );
});

// Tests places on the globe and on the map.
import assert from "node:assert/strict";
import test from "node:test";
import { RADIUS, landOf, pointOf, rangeOf, wayOf } from "../../src/web/shared/map/azimuth.js";
import {
  bearing,
  distanceKm,
  greatCircle,
  parseLocator,
} from "../../src/web/shared/map/geography.js";
import { placeLabels } from "../../src/web/shared/map/labels.js";
import { dotsOf, gridOf } from "../../src/web/shared/map/map-layers.js";
import {
  WORLD,
  clamp,
  firstViewOf,
  project,
  viewOf,
  ways,
} from "../../src/web/shared/map/projection.js";
import { clockAhead, nightPath, placeUnderSun, sunHeight } from "../../src/web/shared/map/sun.js";

const HAMBURG = { lat: 53.55, lng: 10 };
const TOKYO = { lat: 35.68, lng: 139.77 };
const near = (value, expected, by) => assert.ok(Math.abs(value - expected) <= by, `${value}`);

test("a locator is the centre of its area", () => {
  assert.deepEqual(parseLocator("JO59"), { lat: 59.5, lng: 11 });
  const place = parseLocator(" jo59jw ");
  near(place.lat, 59 + 22.5 / 24, 1e-9);
  near(place.lng, 10 + 9.5 / 12, 1e-9);
});

test("an invalid locator has no place", () => {
  for (const text of ["", "J", "JO5", "SO59", "JO59j", "JO59yy", "JO59jw12", "59JO"])
    assert.equal(parseLocator(text), null, text);
});

test("distances are measured on the globe, and are equal in both directions", () => {
  near(distanceKm(HAMBURG, TOKYO), 8990, 40);
  near(distanceKm(TOKYO, HAMBURG), distanceKm(HAMBURG, TOKYO), 1e-6);
  near(distanceKm({ lat: 0, lng: 0 }, { lat: 0, lng: 180 }), Math.PI * 6371, 1e-6);
  assert.equal(distanceKm(TOKYO, TOKYO), 0);
});

test("bearings are clockwise from north, and below 360", () => {
  const equator = { lat: 0, lng: 0 };
  const to = { north: [1, 0], east: [0, 1], south: [-1, 0], west: [0, -1] };
  const bearings = Object.values(to).map(([lat, lng]) => bearing(equator, { lat, lng }));
  assert.deepEqual(bearings, [0, 90, 180, 270]);
  assert.equal(bearing(equator, { lat: 1, lng: -0.000001 }), 0);
});

test("a great circle has both ends, and its steps are at most four degrees", () => {
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

test("the corners of the map match the projection", () => {
  assert.deepEqual(project({ lat: 90, lng: -180 }), { x: 0, y: 0 });
  assert.deepEqual(project({ lat: 84, lng: 180 }), { x: WORLD.width, y: WORLD.y });
  assert.deepEqual(project({ lat: -60, lng: 0 }), { x: 720, y: WORLD.y + WORLD.height });
});

test("a path across the edge of the map is cut in two", () => {
  const count = (path) => path.split("M").length - 1;
  assert.equal(count(ways([[HAMBURG, TOKYO]])), 1);
  assert.equal(count(ways([[TOKYO, { lat: 37.77, lng: -122.42 }]])), 2);
  assert.equal(ways([]), "");
});

test("a view shows every point, has the map's shape, and has a minimum size", () => {
  assert.deepEqual(viewOf([]), { ...WORLD });
  assert.equal(
    viewOf([], 0.5).height,
    WORLD.height,
    "a tall view without points shows all latitudes",
  );
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

test("a tall map starts with the area of most points", () => {
  const points = [HAMBURG, { lat: 50, lng: 8 }, { lat: 41, lng: 2 }, TOKYO].map(project);
  const view = firstViewOf(points, 1);
  assert.equal(view.height, WORLD.height);
  for (const { x } of points.slice(0, 3)) assert.ok(x > view.x && x < view.x + view.width);
  assert.deepEqual(firstViewOf(points, 2.5), viewOf(points, 2.5), "a wide map shows all points");
});

test("a map starts with the area of most points, even if a few points are far away", () => {
  const near = Array.from({ length: 18 }, (_, n) => ({ lat: 40 + n, lng: n }));
  const points = [...near, TOKYO, { lat: -33, lng: 151 }].map(project);
  const view = firstViewOf(points, 2);
  assert.ok(view.width < WORLD.width / 4, `${view.width}`);
  for (const { x, y } of near.slice(4, -4).map(project))
    assert.ok(x > view.x && x < view.x + view.width && y > view.y && y < view.y + view.height);
});

test("a value is limited to its bounds", () => {
  assert.deepEqual(
    [-1, 0, 5, 9, 10].map((value) => clamp(value, 0, 9)),
    [0, 0, 5, 9, 9],
  );
});

// Tests the layers of the map (dots, labels and the grid), and the sun.

const point = (lat, lng, kind = "spotted") => ({ ...project({ lat, lng }), kind });

test("a dot counts all points in its square, but no points of another square", () => {
  const points = [point(59.9, 10.8), point(59.2, 10.2), point(59.5, 12.5)];
  const dots = dotsOf(points, 0.1);
  assert.deepEqual(dots.map((dot) => dot.points.length).sort(), [1, 2]);
  const { y, radius } = dots.find((dot) => dot.points.length === 2);
  const top = project({ lat: 60, lng: 10 }).y;
  assert.ok(y >= top && y <= top + 4, "the dot is in its square");
  assert.ok(radius > dots.find((dot) => dot.points.length === 1).radius);
});

test("from afar a dot combines several squares, so that dots can be distinguished", () => {
  const points = Array.from({ length: 400 }, (_, i) => point(40 + (i % 20), -10 + i / 10));
  const [far, closer] = [dotsOf(points, 3), dotsOf(points, 0.1)];
  assert.ok(far.length < closer.length / 4);
  for (const dots of [far, closer])
    assert.equal(
      dots.reduce((sum, dot) => sum + dot.points.length, 0),
      400,
    );
});

test("in a dense log no dot overlaps another dot or the member's own place", () => {
  const home = project({ lat: 53.2, lng: 9.9 });
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
  const points = Array.from({ length: 3000 }, (_, i) =>
    point(30 + random() * 35 * random(), -20 + random() * 60, i % 3 ? "open" : "confirmed"),
  );
  for (const unit of [4, 1, 0.5, 0.25, 0.02]) {
    const dots = dotsOf(points, unit, home);
    assert.equal(
      dots.reduce((sum, dot) => sum + dot.points.length, 0),
      3000,
    );
    for (const [i, a] of dots.entries())
      for (const b of [...dots.slice(i + 1), { ...home, radius: 6 }])
        assert.ok(Math.hypot(a.x - b.x, a.y - b.y) >= (a.radius + b.radius) * unit - 1e-9);
  }
});

test("a dot for several kinds has the kind of most points, or is marked as needed or fresh", () => {
  const at = (kind) => point(50, 10, kind);
  const kindOf = (...kinds) => dotsOf(kinds.map(at), 1).map((dot) => dot.kind);
  assert.deepEqual(kindOf("open", "confirmed", "open"), ["open"]);
  assert.deepEqual(kindOf("open", "confirmed", "confirmed"), ["confirmed"]);
  assert.deepEqual(kindOf("open", "needed", "open"), ["needed"]);
  assert.deepEqual(kindOf("open", "fresh", "open"), ["open with-fresh"]);
  assert.equal(dotsOf(["open", "confirmed"].map(at), 1)[0].confirmed, 0.5);
});

test("the dot of the last point is the last dot", () => {
  const dots = dotsOf([point(10.2, 10), point(40, 40), point(10.4, 10.1)], 0.1);
  assert.equal(dots.at(-1).points.length, 2);
});

test("no label touches a dot or another label", () => {
  const dots = Array.from({ length: 60 }, (_, i) => ({
    x: (i * 37) % 200,
    y: (i * 53) % 150,
    radius: 5,
  }));
  const wanted = dots.map((dot, i) => ({ ...dot, text: `26AT${100 + i}` }));
  const labels = placeLabels(wanted, dots, 1);
  assert.ok(labels.length > 5 && labels.length < 60, `${labels.length}`);
  const boxes = labels.map(({ x, y, text }) => [x, y - 5, x + text.length * 6, y + 5]);
  for (const [i, a] of boxes.entries()) {
    for (const b of boxes.slice(i + 1))
      assert.ok(a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3]);
    for (const { x, y } of dots) assert.ok(x < a[0] || x > a[2] || y < a[1] || y > a[3]);
  }
});

test("no label extends beyond its allowed distance", () => {
  const at = (x, y) => ({ x, y, radius: 3, text: "26AT101" });
  const [right, left] = placeLabels([at(90, 0), at(-90, 5)], [], 1, 96);
  assert.ok(
    right.x < 90 && left.x > -90,
    "a label that does not fit on the outer side of its dot is on the inner side",
  );
  assert.deepEqual(placeLabels([at(0, 0)], [], 1, 20), [], "a label that fits nowhere is left out");
});

test("the grid names fields from afar, and squares from nearby", () => {
  const names = (view, unit) => gridOf(view, unit).names.map((name) => name.text);
  assert.ok(names(WORLD, 1).includes("JO") && names(WORLD, 1).includes("QF"));
  assert.deepEqual(names(WORLD, 4), [], "names are hidden where they do not fit");
  const { x, y } = project({ lat: 59.5, lng: 11 });
  assert.ok(names({ x: x - 10, y: y - 10, width: 20, height: 20 }, 0.05).includes("JO59"));
});

test("the sun is over the tropics at the solstices, and over the equator at the equinoxes", () => {
  near(placeUnderSun(Date.UTC(2026, 5, 21, 12)).lat, 23.44, 0.02);
  near(placeUnderSun(Date.UTC(2026, 11, 21, 12)).lat, -23.44, 0.02);
  near(placeUnderSun(Date.UTC(2026, 2, 20, 14, 46)).lat, 0, 0.02);
  // The equation of time: on 3 November the sun is 16.4 minutes early.
  near(placeUnderSun(Date.UTC(2026, 10, 3, 12)).lng, -16.4 / 4, 0.1);
});

test("the sun is up by day and down by night", () => {
  const oslo = { lat: 59.9, lng: 10.75 };
  near(sunHeight(oslo, Date.UTC(2026, 5, 21, 11, 19)), 53.5, 0.3);
  assert.ok(sunHeight(oslo, Date.UTC(2026, 5, 21, 23)) < 0);
});

test("the night covers the pole of the winter", () => {
  assert.ok(nightPath(Date.UTC(2026, 5, 21)).startsWith(`M0 ${WORLD.y + WORLD.height}`));
  assert.ok(nightPath(Date.UTC(2026, 11, 21)).startsWith(`M0 ${WORLD.y}`));
});

test("a station has the time of its country, or else of the sun", () => {
  const summer = Date.UTC(2026, 6, 1);
  assert.equal(clockAhead("", { lat: 0, lng: 31 }, summer), 120);
  assert.equal(clockAhead("", null, summer), null);
  assert.equal(clockAhead("x!", { lat: 0, lng: -74 }, summer), -300);
  const region = new Intl.Locale("und-SE");
  if (!region.getTimeZones && !region.timeZones) return;
  assert.equal(clockAhead("SE", null, summer), 120, "summer time is included");
  assert.equal(clockAhead("US", { lat: 40.7, lng: -74 }, summer), -240);
  assert.equal(
    clockAhead("US", null, summer),
    null,
    "a country with several zones gets no arbitrary zone",
  );
});

const MADRID = parseLocator("IN80");
test("a round map keeps directions, and shows each place within its range", () => {
  for (const km of [100, 2000, 8000, 16000]) assert.ok(rangeOf(km).km > km, `${km}`);
  assert.deepEqual(rangeOf(Infinity), rangeOf(19000));
  for (const range of [rangeOf(9000), rangeOf(19000)]) {
    const { x, y } = pointOf(HAMBURG, TOKYO, range);
    near((Math.atan2(x, -y) * 180) / Math.PI, bearing(HAMBURG, TOKYO), 0.6);
    assert.ok(Math.hypot(x, y) < RADIUS);
  }
  assert.deepEqual(pointOf(HAMBURG, HAMBURG, rangeOf(0)), { x: 0, y: -0 });
  const path = wayOf(HAMBURG, HAMBURG, TOKYO, rangeOf(9000));
  assert.match(path, /^M0\.0 -?0\.0L/);
});

// Returns whether a point is inside a path, by the rule "evenodd".
function isInPath(path, { x, y }) {
  let isIn = false;
  for (const part of path.split("M").slice(1)) {
    const points = part.includes("H")
      ? [-20000, 20000, 20000, -20000].map((at, i) => ({ x: at, y: i < 2 ? -20000 : 20000 }))
      : part.match(/-?[\d.]+ -?[\d.]+/g).map((text) => {
          const [px, py] = text.split(" ").map(Number);
          return { x: px, y: py };
        });
    points.forEach((a, index) => {
      const b = points.at(index - 1);
      if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) isIn = !isIn;
    });
  }
  return isIn;
}
test("land and sea are in their places on a round map", () => {
  const places = [
    ["JN58", true],
    ["EM12", true],
    ["JO24", false],
    ["HM58", false],
    ["IL46", true],
    ["PG66", true],
    ["OM50", true],
    ["RF71", true],
    ["AF08", false],
  ];
  for (const home of [HAMBURG, MADRID, TOKYO]) {
    const range = rangeOf(20000);
    const land = landOf(home, range);
    for (const [locator, isLand] of places)
      assert.equal(isInPath(land, pointOf(home, parseLocator(locator), range)), isLand, locator);
  }
  assert.equal(landOf(MADRID, rangeOf(20000)), landOf({ ...MADRID }, rangeOf(20000)));
});

test("a round map of a small area inland is land", () => {
  const bavaria = parseLocator("JN68");
  assert.ok(isInPath(landOf(bavaria, rangeOf(100)), { x: 0, y: 0 }));
});

// What lies on the map: dots, labels and the grid; and the sun.
import assert from "node:assert/strict";
import test from "node:test";
import { dotsOf, gridOf, placeLabels } from "../../src/pages/map/map-layers.js";
import { WORLD, project } from "../../src/pages/map/projection.js";
import { clockAhead, nightPath, placeUnderSun, sunHeight } from "../../src/pages/map/sun.js";

const near = (value, expected, by) => assert.ok(Math.abs(value - expected) <= by, `${value}`);
const point = (lat, lng, kind = "spotted") => ({ ...project({ lat, lng }), kind });

test("a dot counts all points of its square, and no points of another kind or square", () => {
  const points = [point(59.9, 10.8), point(59.2, 10.2), point(59.5, 12.5), point(59.5, 11, "by")];
  const dots = dotsOf(points, 0.3);
  assert.deepEqual(dots.map((dot) => dot.points.length).sort(), [1, 1, 2]);
  const { y, radius } = dots.find((dot) => dot.points.length === 2);
  const top = project({ lat: 60, lng: 10 }).y;
  assert.ok(y >= top && y <= top + 4, "the dot is in its square");
  assert.ok(radius > dots.find((dot) => dot.points.length === 1).radius);
});

test("from far a dot stands for more squares, so that dots can be told apart", () => {
  const points = Array.from({ length: 400 }, (_, i) => point(40 + (i % 20), -10 + i / 10));
  const [far, closer] = [dotsOf(points, 3), dotsOf(points, 0.1)];
  assert.ok(far.length < closer.length / 4);
  for (const dots of [far, closer])
    assert.equal(
      dots.reduce((sum, dot) => sum + dot.points.length, 0),
      400,
    );
});

test("dots that count do not cover each other", () => {
  const points = Array.from({ length: 900 }, (_, i) => point(40 + (i % 90) / 9, (i % 70) / 5));
  for (const unit of [1, 0.5, 0.25]) {
    const dots = dotsOf(points, unit).filter((dot) => dot.points.length > 1);
    for (const [i, a] of dots.entries())
      for (const b of dots.slice(i + 1))
        assert.ok(Math.hypot(a.x - b.x, a.y - b.y) >= (a.radius + b.radius) * unit - 1e-9);
  }
});

test("the dot of the last point is the last", () => {
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

test("the grid names fields from far and squares from near", () => {
  const names = (view, unit) => gridOf(view, unit).names.map((name) => name.text);
  assert.ok(names(WORLD, 1).includes("JO") && names(WORLD, 1).includes("QF"));
  assert.deepEqual(names(WORLD, 4), [], "where there is no room there are no names");
  const { x, y } = project({ lat: 59.5, lng: 11 });
  assert.ok(names({ x: x - 10, y: y - 10, width: 20, height: 20 }, 0.05).includes("JO59"));
});

test("the sun stands over the tropics at the solstices and over the equator between", () => {
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

test("the time of a station is that of its country, else the sun's", () => {
  const summer = Date.UTC(2026, 6, 1);
  assert.equal(clockAhead("", { lat: 0, lng: 31 }, summer), 120);
  assert.equal(clockAhead("", null, summer), null);
  assert.equal(clockAhead("x!", { lat: 0, lng: -74 }, summer), -300);
  const region = new Intl.Locale("und-SE");
  if (!region.getTimeZones && !region.timeZones) return;
  assert.equal(clockAhead("SE", null, summer), 120, "with the country's summer time");
  assert.equal(clockAhead("US", { lat: 40.7, lng: -74 }, summer), -240);
  assert.equal(clockAhead("US", null, summer), null, "of several zones none is taken by chance");
});

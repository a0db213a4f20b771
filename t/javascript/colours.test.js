// Each accent colour that a club may choose can be read on what is behind it (WCAG 2.1, 1.4.3).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const css = readFileSync(new URL("../../src/pages/site/site.css", import.meta.url), "utf8");

function luminance(colour) {
  const full = colour.length === 4 ? colour.replace(/[0-9a-f]/g, "$&$&") : colour;
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(full.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}
const coloursOf = (text) =>
  Object.fromEntries(
    [...text.matchAll(/(--[\w-]+): (#[0-9a-f]{3,6});/g)].map(([, name, value]) => [name, value]),
  );

const roots = [...css.matchAll(/:root \{([^}]*)\}/g)].map(([, text]) => coloursOf(text));
const clubs = [...css.matchAll(/\[data-accent="(\w+)"\] \{([^}]*)\}/g)];
const choices = readFileSync(new URL("../../src/store/club.c", import.meta.url), "utf8")
  .match(/CLUB_ACCENT\].*?ONE_OF\("(.*?)"/s)[1]
  .split(/, | or /);

for (const [index, tone] of ["light", "dark"].entries())
  for (const name of choices)
    test(`${name} can be read, ${tone}`, () => {
      const own = clubs.filter(([, is]) => is === name)[index];
      assert.ok(own || name === choices[0], "the style sheet has it");
      const colours = {
        ...roots[0],
        ...(index ? roots[1] : {}),
        ...(own ? coloursOf(own[2]) : {}),
      };
      for (const [above, behind] of [
        ["--accent", "--page"],
        ["--accent", "--surface"],
        ["--accent", "--soft"],
        ["--on-accent", "--accent"],
        ["--text", "--soft"],
      ])
        assert.ok(
          contrast(colours[above], colours[behind]) >= 4.5,
          `${above} on ${behind}: ${contrast(colours[above], colours[behind]).toFixed(2)}`,
        );
    });

// Rules that eslint checks in addition to its recommended rules. The type check finds undefined
// names.
import { createRequire } from "node:module";

const tools = createRequire(new URL("../browser/package.json", import.meta.url));
const eslint = createRequire(tools.resolve("eslint/package.json"));

const rules = {
  ...eslint("@eslint/js").configs.recommended.rules,
  "no-undef": "off",
  // plain() in src/web/shared/page.js needs control characters in a pattern.
  "no-control-regex": "off",
  eqeqeq: "error",
  "no-var": "error",
  "prefer-const": "error",
  "no-shadow": "off",
  "no-implied-eval": "error",
  "no-eval": "error",
  "no-restricted-properties": [
    "error",
    ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({
      property,
      message: "Data becomes text nodes and attributes, never markup.",
    })),
  ],
  "no-restricted-syntax": [
    "error",
    {
      selector: "Literal[value=/^javascript:/i]",
      message: "Pages must not run scripts in addresses.",
    },
  ],
  "max-len": [
    "error",
    { code: 100, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true },
  ],
};

export default [
  { ignores: ["src/web/shared/map/land.js"] },
  { files: ["**/*.js"], languageOptions: { ecmaVersion: 2022, sourceType: "module" }, rules },
  // The length of lines in browser tests is not limited.
  { files: ["t/browser/*.js"], rules: { "max-len": "off" } },
  { files: ["src/**/*.js"], rules: { "max-lines-per-function": ["error", 60] } },
  {
    files: ["src/web/**/*.js"],
    ignores: ["src/web/shared/query.js"],
    rules: {
      "no-restricted-globals": [
        "error",
        { name: "URLSearchParams", message: "query.js writes and reads queries." },
      ],
    },
  },
];

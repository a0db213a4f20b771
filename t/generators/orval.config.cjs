// Configures orval, whose functions send requests with fetch through the function in orval-fetch.ts.
const mutator = { path: "./orval-fetch.ts", name: "request" };
module.exports = {
  api: {
    input: "./openapi.json",
    output: { target: "./made/orval.ts", client: "fetch", override: { mutator } },
  },
};

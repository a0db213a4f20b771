// Runs the client with the functions of @hey-api/openapi-ts.
import { headers, run, url, type Api } from "./client.js";
import { client } from "./made/hey-api/client.gen.js";
import { deleteQso, listIds, listQsos, saveQsos } from "./made/hey-api/sdk.gen.js";
import type { Qso, QsoEntry } from "./made/hey-api/types.gen.js";

client.setConfig({ baseUrl: url, headers });
const answerOf = <Body>({ data, response }: { data?: Body; response: Response }) => ({
  status: response.status,
  headers: response.headers,
  body: data as Body,
});

const api: Api<Qso, QsoEntry> = {
  list: async (query) => answerOf(await listQsos({ query })),
  ids: async () => answerOf(await listIds()),
  save: async (entries) => answerOf(await saveQsos({ body: { entries } })),
  remove: async (clientId) => answerOf(await deleteQso({ path: { clientId } })),
  create: (clientId, qsoAt, callsignWorked) => ({
    clientId,
    band: "ELEVEN_METERS",
    qsoAt,
    callsignWorked,
    frequencyMhz: "27.555",
    mode: "USB",
  }),
  change: (qso, notes, baseSyncedAt) => {
    const entry = { ...(qso as QsoEntry) };
    entry.notes = notes;
    entry.baseSyncedAt = baseSyncedAt;
    return entry;
  },
  again: (qso) => qso as QsoEntry,
};
await run(api);

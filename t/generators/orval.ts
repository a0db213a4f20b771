// Runs the client with orval's functions.
import { run, type Api } from "./client.js";
import { deleteQso, listIds, listQsos, saveQsos, type Qso, type QsoEntry } from "./made/orval.js";

const answerOf = <Body>(answer: { status: number; headers: Headers; data: unknown }) => ({
  status: answer.status,
  headers: answer.headers,
  body: answer.data as Body,
});
type Good<Given extends { status: number; data: unknown }> = Extract<
  Given,
  { status: 200 }
>["data"];

const api: Api<Qso, QsoEntry> = {
  list: async (query) =>
    answerOf<Good<Awaited<ReturnType<typeof listQsos>>>>(await listQsos(query)),
  ids: async () => answerOf<Good<Awaited<ReturnType<typeof listIds>>>>(await listIds()),
  save: async (entries) =>
    answerOf<Good<Awaited<ReturnType<typeof saveQsos>>>>(await saveQsos({ entries })),
  remove: async (clientId) => answerOf(await deleteQso(clientId)),
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

// Runs the client with the class of swagger-typescript-api, which throws answers that are not 2xx.
import { headers, run, url, type Api } from "./client.js";
import {
  Api as Generated,
  type HttpResponse,
  type Qso,
  type QsoEntry,
} from "./made/swagger-typescript-api.js";

const client = new Generated({ baseUrl: url, baseApiParams: { headers } });
const answerOf = async <Body>(asked: Promise<HttpResponse<Body, unknown>>) => {
  const answer = await asked.catch((thrown) => {
    if (thrown instanceof Response) return thrown as HttpResponse<Body, unknown>;
    throw thrown;
  });
  return { status: answer.status, headers: answer.headers, body: answer.data };
};

const api: Api<Qso, QsoEntry> = {
  list: (query) => answerOf(client.logs.listQsos(query)),
  ids: () => answerOf(client.logs.listIds()),
  save: (entries) => answerOf(client.logs.saveQsos({ entries })),
  remove: (clientId) => answerOf(client.logs.deleteQso(clientId)),
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

// Evenings of a member with one device or two (evening.js).
import { Evening, play } from "./evening.js";

await play(Number(process.env.QSOSYNC_TEST_ROUNDS || 3), (browser, number) => new Evening(browser, number));

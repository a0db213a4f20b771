// Names and reads the app's databases in this browser, for the app and for pages that remove the
// app's logs. Each log has a database and a channel of the same name.

const NAME = "qsosync-app";

/**
 * @param {string} station the station whose log the database contains; empty: the member's own log
 */
export const databaseOf = (station) => (station ? `${NAME} ${station}` : NAME);
/** @param {string} name */
export const isDatabaseOfApp = (name) => name === NAME || name.startsWith(`${NAME} `);

/**
 * Resolves to the result of a request to a database.
 * @template Result
 * @param {IDBRequest<Result>} request
 * @returns {Promise<Result>}
 */
export function answerOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

// What somebody typed and did not save, kept in this browser: it survives a dialog that is left, a
// reload, and a tab that ends. Each tab has its own drafts, and a new tab begins with the newest.

/** How all of them begin in the browser's storage; those of the app go with its log. */
export const DRAFT = "qsosync-draft ";
export const APP_DRAFT = `${DRAFT}app:`;

export class Drafts {
  /** @type {Map<string, string>} what the browser did not store */
  #unstored = new Map();

  /** @param {string} of whose they are, and of which page */
  constructor(of) {
    this.prefix = `${DRAFT}${of} `;
  }
  /**
   * null: there is none.
   * @param {string} name
   * @returns {any}
   */
  read(name) {
    let text = this.#unstored.get(name) ?? null;
    try {
      // If the newest is gone, the member has signed out or removed the log.
      const newest = localStorage.getItem(this.prefix + name);
      text ??= newest && (sessionStorage.getItem(this.prefix + name) ?? newest);
    } catch {
      /* the page has what was typed until it ends */
    }
    return JSON.parse(text ?? "null");
  }
  /**
   * Whether this tab has kept it; if not, a tab that is open may be about to save it.
   * @param {string} name
   */
  isOwn(name) {
    try {
      return this.#unstored.has(name) || sessionStorage.getItem(this.prefix + name) !== null;
    } catch {
      return false;
    }
  }
  /**
   * @param {string} name
   * @param {unknown} value
   */
  keep(name, value) {
    const text = JSON.stringify(value);
    this.#unstored.set(name, text);
    try {
      for (const storage of [sessionStorage, localStorage])
        storage.setItem(this.prefix + name, text);
      this.#unstored.delete(name);
    } catch {
      /* as in read() */
    }
  }
  /** @param {string} name */
  drop(name) {
    this.#unstored.delete(name);
    try {
      for (const storage of [sessionStorage, localStorage]) storage.removeItem(this.prefix + name);
    } catch {
      /* as in read() */
    }
  }
}

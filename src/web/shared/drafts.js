// Stores unsaved text in this browser. A draft survives a closed dialog, a reload and a closed tab.
// Each tab has its own drafts; a new tab starts with the newest draft.

/**
 * The prefix of all drafts in the browser's storage, except the app's. The app's drafts have their
 * own prefix, because they are removed together with the app's log.
 */
export const DRAFT = "qsosync-draft ";
export const APP_DRAFT = `${DRAFT}app:`;

export class Drafts {
  /** @type {Map<string, string>} drafts that the browser could not store */
  #unstored = new Map();

  /** @param {string} of owner and page of the drafts */
  constructor(of) {
    this.prefix = `${DRAFT}${of} `;
  }
  /**
   * Returns a draft, or null.
   * @param {string} name
   * @returns {any}
   */
  read(name) {
    let text = this.#unstored.get(name) ?? null;
    try {
      // If the newest draft is missing, the member has signed out or removed the log, so this tab's
      // own draft is not used either.
      const newest = localStorage.getItem(this.prefix + name);
      text ??= newest && (sessionStorage.getItem(this.prefix + name) ?? newest);
    } catch {
      /* without storage, the draft is only in memory */
    }
    return JSON.parse(text ?? "null");
  }
  /**
   * Returns whether this tab stored the draft. If another tab stored the draft, that tab could be
   * about to save the draft as a QSO.
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
      /* without storage, the draft is only in memory */
    }
  }
  /** @param {string} name */
  drop(name) {
    this.#unstored.delete(name);
    try {
      for (const storage of [sessionStorage, localStorage]) storage.removeItem(this.prefix + name);
    } catch {
      /* without storage, the draft was only in memory */
    }
  }
}

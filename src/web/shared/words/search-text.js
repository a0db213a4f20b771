// Reads the text of a search as a member types it, and returns the words that are compared with the
// log. A day with the name of a month becomes a date. The beginning of a place's name becomes a
// choice that includes the place's divisions. For example, "17 May Norway" becomes "????-05-17
// Norway|#20".

/** @typedef {{number: number, names: string[]}} Place a division, with its names */

const PLACES_MAX = 12; // if more names begin with a text, the text is not read as a place
const LETTERS_MIN = 3;
const ANY_YEAR = "????";
const DAY = /^(?:(\d{1,2})\.(\d{1,2})\.|(\d{1,2})\/(\d{1,2})\/(?=\d))(\d{4})?$/;

/** @param {string} text */
function plain(text) {
  return text
    .normalize("NFD")
    .replace(/\p{M}|\.$/gu, "")
    .toLowerCase();
}
/** @param {string | number} number */
const twoDigits = (number) => String(number).padStart(2, "0");
/** @param {string | undefined} text */
const isDay = (text) => /^\d{1,2}[.,]?$/.test(text ?? "") && parseInt(text ?? "", 10) <= 31;

/**
 * Returns the numbers of the months by their long and short names, in lower case without accents.
 * @param {string[]} languages
 * @returns {Map<string, string>}
 */
export function readMonths(languages) {
  const months = new Map();
  for (const language of languages)
    for (const month of /** @type {const} */ (["long", "short"]))
      for (let n = 0; n < 12; n++) {
        const format = new Intl.DateTimeFormat(language, {
          month,
          day: "numeric",
          timeZone: "UTC",
        });
        const parts = format.formatToParts(Date.UTC(2026, n, 1));
        const name = parts.find(({ type }) => type === "month")?.value ?? "";
        months.set(plain(name), twoDigits(n + 1));
      }
  return months;
}

/**
 * Returns the words of a search, for example `robert ????-05-17`.
 * @param {string} typed
 * @param {Map<string, string>} months from readMonths
 * @param {Place[]} places
 */
export function readSearch(typed, months, places) {
  /** @type {string[]} */
  const words = [];
  const texts = typed.split(/\s+/).filter((text) => text && text !== "de");
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at];
    const name = plain(text);
    const month = months.get(name);
    const [, day, monthOfDay, other, monthOfOther, year = ANY_YEAR] = DAY.exec(text) ?? [];
    if (day ?? other) {
      words.push([year, twoDigits(monthOfDay ?? monthOfOther), twoDigits(day ?? other)].join("-"));
    } else if (month) {
      const before = isDay(texts[at - 1]) ? words.pop() : undefined;
      const after = !before && isDay(texts[at + 1]) ? texts[++at] : undefined;
      const ofYear = /^\d{4}$/.test(texts[at + 1] ?? "") ? texts[++at] : ANY_YEAR;
      const dayOfMonth = before ?? after;
      if (dayOfMonth) words.push(`${ofYear}-${month}-${twoDigits(parseInt(dayOfMonth, 10))}`);
      else words.push(ofYear === ANY_YEAR ? `${text}|${ofYear}-${month}` : `${ofYear}-${month}`);
    } else {
      const found = places.filter(({ names }) =>
        names.some((one) =>
          plain(one)
            .split(/[\s-]+/)
            .some((part) => part.startsWith(name)),
        ),
      );
      const isPlace = name.length >= LETTERS_MIN && found.length <= PLACES_MAX;
      words.push([text, ...(isPlace ? found.map(({ number }) => `#${number}`) : [])].join("|"));
    }
  }
  return words.join(" ");
}

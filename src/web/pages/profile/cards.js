// Shows the section QSL cards: the member's own card, loaded when opened, and the cards for
// confirmed QSOs, newest first. The first card is drawn immediately. Other cards are drawn shortly
// before they become visible, one per frame, so that long galleries scroll smoothly.
import { segmentsOf } from "../../shared/awards/award-segments.js";
import { callsignOf } from "../../shared/parts/row.js";
import {
  day,
  drawing,
  element,
  find,
  hour,
  moveFocus,
  number,
  recall,
  remember,
} from "../../shared/page.js";
import { formatQuery, parseQuery } from "../../shared/query.js";
import { TOAST_MS, showToast } from "../../shared/toast.js";
import { loadSheet } from "../site/sections.js";
import { CARDS_SHOWN, explain, get, inLog } from "../../shared/service.js";
import { learn, say } from "../../shared/language.js";
import { readDesign } from "./card-drawing.js";
import { cardAsPng } from "./card-file.js";
import { cardAsSvg, measure } from "./card-paint.js";

/** @import { Card, CardsPage, Member, Qso, ReceivedCard } from "../types.js" */

/**
 * Resolves when the style sheet and the texts in the reader's language are loaded. All functions in
 * this file require both.
 */
export const prepared = Promise.all([learn("cards"), loadSheet("./cards.css")]);

// The first calls to these functions are slow, so they run while the page is waiting for answers.
day(0);
measure("0", true);

/** Addresses of pictures by name, so that each picture is requested only once. */
/** @type {Map<string, string>} */
const pictures = new Map();
/**
 * @param {ReceivedCard} received
 * @param {string} callsign the member's callsign
 * @returns {Card}
 */
function cardOf({ qso, design, picture }, callsign) {
  if (picture && !pictures.has(picture))
    pictures.set(picture, inLog(`data/cards/${qso.id}/picture`));
  return {
    from: qso.callsignWorked ?? "",
    to: String(qso.operatorCallsign ?? callsign),
    isMine: false,
    qsos: [qso],
    design: readDesign(design, qso.callsignWorked ?? ""),
    picture: picture ? (pictures.get(picture) ?? null) : null,
  };
}
/**
 * Returns a function that creates the member's own cards.
 * @returns {Promise<(qsos: Qso[]) => Card>}
 */
export async function ownCards() {
  const [me, design, { picture }] = await Promise.all([
    get("me"),
    get("card"),
    get("cards?limit=1"),
  ]);
  return (qsos) => ({
    from: String(qsos[0].operatorCallsign ?? me.callsign),
    to: qsos[0].callsignWorked ?? "",
    isMine: true,
    qsos,
    design: readDesign(design, me.callsign),
    picture: picture && inLog(`data/card/picture?${picture}`),
  });
}

/** Returns the other station. @param {Card} card */
const stationOf = ({ from, to, isMine }) => (isMine ? to : from);
/** @param {Card} card */
async function fileOfCard(card) {
  const name = `qsl-${card.from}-${card.qsos[0].qsoAt.slice(0, 10)}`.replace(/[^\w-]+/g, "-");
  return new File([await cardAsPng(card)], `${name}.png`, { type: "image/png" });
}
/** @param {File} file */
function saveFile(file) {
  const href = URL.createObjectURL(file);
  const link = element("a", { href, download: file.name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
}
/**
 * Returns buttons that save or share a card as a file.
 * @param {Card} card
 * @param {(refusal: unknown) => void} tellTrouble
 */
export function fileButtons(card, tellTrouble) {
  /** @param {(file: File) => unknown} use */
  const withFile = (use) => async () => {
    try {
      await use(await fileOfCard(card));
    } catch (refusal) {
      if (!(refusal instanceof DOMException && refusal.name === "AbortError")) tellTrouble(refusal);
    }
  };
  const probe = new File([], "qsl.png", { type: "image/png" });
  const canShare = navigator.canShare?.({ files: [probe] });
  return [
    element("button", { type: "button", click: withFile(saveFile) }, say("Save as picture")),
    canShare
      ? element(
          "button",
          { type: "button", click: withFile((file) => navigator.share({ files: [file] })) },
          say("Share"),
        )
      : null,
  ];
}
/** @param {Card} card */
function addressOfQso({ qsos: [{ qsoAt, callsignWorked }] }) {
  const on = qsoAt.slice(0, 10);
  const callsign = callsignWorked && { callsign: callsignWorked };
  return `#log?${formatQuery({ from: on, to: on, ...callsign })}`;
}
/**
 * Returns a button that shows a drawing in place of its name.
 * @param {string} name
 * @param {string} d
 * @param {() => unknown} click
 */
function glyphOf(name, d, click) {
  return element(
    "button",
    { type: "button", class: "glyph", "aria-label": name, title: name, click },
    drawing("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" }, drawing("path", { d })),
  );
}
/**
 * Opens a card over the page. The arrow keys show the other cards.
 * @param {Card[]} cards
 * @param {number} at
 * @param {() => Promise<unknown>} more adds further cards to the list, if there are further cards
 */
async function openCards(cards, at, more = async () => {}) {
  const { openDialog } = await import("../../shared/dialog.js");
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  const place = element("div", { class: "qsl-large" });
  const caption = element("p", { class: "muted", role: "status" });
  const actions = element("div", { class: "buttons" });
  /** @param {unknown} refusal */
  function tellTrouble(refusal) {
    trouble.hidden = false;
    trouble.textContent = explain(refusal);
  }
  function show() {
    const card = cards[at];
    const [{ qsoAt }] = card.qsos;
    drawIn(place, card);
    caption.replaceChildren(callsignOf(stationOf(card)), ` · ${day(qsoAt)}, ${hour(qsoAt)} UTC`);
    trouble.hidden = true;
    const files = fileButtons(card, tellTrouble).flatMap((button) => button ?? []);
    files.at(-1)?.classList.add("main");
    const leave = () => place.closest("dialog")?.close();
    actions.replaceChildren(
      ...files,
      element(
        "a",
        { class: "button", href: addressOfQso(card), click: leave },
        say("Show the QSO"),
      ),
    );
    before.setAttribute("aria-disabled", String(at === 0));
  }
  /** @param {number} by */
  async function step(by) {
    if (at + by === cards.length) await more();
    if (!cards[at + by]) return;
    at += by;
    show();
    moveFocus(by < 0 ? before : after); // if a removed button had the focus
  }
  const before = glyphOf(say("Previous card"), "M11 3l-6 6 6 6", () => step(-1));
  const after = glyphOf(say("Next card"), "M7 3l6 6-6 6", () => step(1));
  await openDialog(say("QSL card"), (close) => {
    queueMicrotask(() => {
      const dialog = place.closest("dialog");
      dialog?.classList.add("qsl-open");
      dialog?.addEventListener("keydown", ({ key }) => {
        if (key === "ArrowLeft") step(-1);
        if (key === "ArrowRight") step(1);
      });
    });
    show();
    const row = element("div", { class: "buttons" }, before, actions, after);
    return [
      element("div", { class: "qsl-shown" }, place, caption, trouble, row),
      glyphOf(say("Close"), "M4 4l10 10M14 4L4 14", () => close("")),
    ];
  });
}
/**
 * Opens the card received for a confirmed QSO in the log.
 * @param {string} id of the QSO
 */
export async function openReceived(id) {
  const [me, received] = await Promise.all([
    get("me"),
    get(`cards/${encodeURIComponent(id)}`),
    prepared,
  ]);
  await openCards([cardOf(received, me.callsign)], 0);
}

/**
 * Draws a card in its place. If drawing fails, a message replaces the card, and other cards are not
 * affected.
 * @param {HTMLElement} place
 * @param {Card} card
 */
function drawIn(place, card) {
  try {
    place.replaceChildren(cardAsSvg(card));
  } catch (fault) {
    console.warn("card", card.from, fault);
    place.replaceChildren(element("p", { class: "note" }, say("This card can't be shown.")));
  }
}
/** Draws a gallery's cards shortly before they become visible, one per frame. */
class Painter {
  isFirst = true;
  /** @type {[HTMLElement, Card][]} cards to draw in the next frames */
  waiting = [];
  /** @type {Map<Element, Card>} cards that have not come near the visible part yet */
  cards = new Map();
  sight =
    "IntersectionObserver" in window
      ? new IntersectionObserver((entries) => this.#look(entries), { rootMargin: "300px" })
      : null;

  /** @param {HTMLElement} place @param {Card} card */
  add(place, card) {
    if (this.isFirst) {
      this.isFirst = false;
      drawIn(place, card);
      return;
    }
    if (!this.sight) return this.#drawSoon(place, card);
    this.cards.set(place, card);
    this.sight.observe(place);
  }
  /** @param {IntersectionObserverEntry[]} entries */
  #look(entries) {
    for (const { target, isIntersecting } of entries) {
      const card = this.cards.get(target);
      if (!isIntersecting || !card) continue;
      this.sight?.unobserve(target);
      this.cards.delete(target);
      this.#drawSoon(/** @type {HTMLElement} */ (target), card);
    }
  }
  /** @param {HTMLElement} place @param {Card} card */
  #drawSoon(place, card) {
    this.waiting.push([place, card]);
    if (this.waiting.length === 1) requestAnimationFrame(() => this.#drawNext());
  }
  #drawNext() {
    const [next, ...others] = this.waiting.filter(([place]) => place.isConnected);
    this.waiting = others;
    if (!next) return;
    const [place, card] = next;
    drawIn(place, card);
    if (others.length) requestAnimationFrame(() => this.#drawNext());
  }
}
/**
 * @param {Painter} painter
 * @param {Card} card
 * @param {boolean} isNew
 * @param {() => void} open
 */
function itemOf(painter, card, isNew, open) {
  const place = element("div", { class: "qsl-place", click: open });
  painter.add(place, card);
  const on = day(card.qsos[0].qsoAt);
  return element(
    "li",
    {},
    place,
    element(
      "button",
      { type: "button", click: open },
      callsignOf(stationOf(card)),
      element("small", {}, on, isNew ? " · " : null, isNew ? element("b", {}, say("new")) : null),
    ),
  );
}

/**
 * Returns the number of new cards in words, or a text for an empty gallery.
 * @param {CardsPage} first
 */
function summary({ newer, items }) {
  if (newer) return say("{n} new card|{n} new cards", { n: newer });
  return items.length ? "" : say("No cards yet. Each confirmed QSO adds the other station's card.");
}
/**
 * @param {(received: ReceivedCard) => Card} cardFor
 * @param {HTMLElement} place
 * @param {CardsPage} first
 * @param {string} seen time of the last visit, by the service's clock; empty: no card is new
 */
function showGallery(cardFor, place, first, seen) {
  const painter = new Painter();
  // Each page of cards is a list of its own. So the browser need not render the pages of a long
  // gallery that are out of view.
  /** @type {Card[]} */
  const cards = [];
  const listOf = (/** @type {ReceivedCard[]} */ received) => {
    const items = received.map((one) => {
      const isNew = seen !== "" && one.pairedAt > seen;
      const card = cardFor(one);
      const at = cards.push(card) - 1;
      return itemOf(painter, card, isNew, () => openCards(cards, at, add));
    });
    return element("ul", { class: "qsl-gallery" }, ...items);
  };
  const more = element("button", { type: "button" }, say("Show more"));
  const trouble = element("p", { class: "note bad", role: "alert", hidden: true });
  let after = first.nextCursor;
  let isBusy = false;
  async function add() {
    if (isBusy || !after) return;
    isBusy = true;
    try {
      const page = await get(`cards?${formatQuery({ limit: CARDS_SHOWN, after })}`);
      trouble.before(listOf(page.items));
      after = page.nextCursor;
      trouble.hidden = true;
    } catch (refusal) {
      trouble.textContent = explain(refusal);
      trouble.hidden = false;
    }
    more.hidden = !after;
    isBusy = false;
  }
  more.hidden = !after;
  more.addEventListener("click", add);
  place.replaceChildren(
    element("p", { role: "status" }, summary(first)),
    listOf(first.items),
    trouble,
    more,
  );
  if (painter.sight) {
    const nearing = new IntersectionObserver(
      async (entries) => {
        if (!entries.some((entry) => entry.isIntersecting) || !trouble.hidden) return;
        nearing.unobserve(more);
        await add();
        nearing.observe(more); // the observer reports the new position
      },
      { rootMargin: "600px" },
    );
    nearing.observe(more);
  }
}
/**
 * Returns chips for the received and the sent cards, and for sheets of paper. Each confirmed QSO
 * has a received card and a sent card.
 * @param {CardsPage} first
 * @param {(isSent: boolean) => unknown} show
 */
function kindsOf({ count }, show) {
  const n = number(count ?? 0);
  const kinds = [say("Received · {n}", { n }), say("Sent · {n}", { n })].map((name, isSent) =>
    element("button", { type: "button", class: "chip", click: () => choose(isSent) }, name),
  );
  /** @param {number} chosen */
  function choose(chosen) {
    kinds.forEach((kind, at) => kind.setAttribute("aria-pressed", String(at === chosen)));
    show(chosen === 1);
  }
  choose(0);
  const print = async () =>
    (await import("./card-send.js")).sendFiltered(new Map([["confirmed", "yes"]]));
  return element(
    "div",
    { class: "chips", hidden: !count },
    ...kinds,
    element("button", { type: "button", class: "chip", click: print }, say("Print a sheet")),
  );
}

/**
 * Returns the panel with the member's own card, and the button that shows and hides the panel.
 * @param {Member} member
 * @param {CardsPage} club
 */
function ownCard(member, club) {
  const place = element("div");
  const panel = element(
    "div",
    { id: "my-card-panel", hidden: true },
    element(
      "p",
      { class: "muted" },
      say(
        "The other station in each confirmed QSO sees this card at once. You don't need to send it.",
      ),
    ),
    place,
  );
  const button = element(
    "button",
    {
      id: "my-card-title",
      type: "button",
      "aria-expanded": "false",
      "aria-controls": "my-card-panel",
    },
    drawing(
      "svg",
      { viewBox: "0 0 18 18", "aria-hidden": "true" },
      drawing("path", { d: "M3 15l.8-3.4L12.2 3.2l2.6 2.6-8.4 8.4zM10.4 5l2.6 2.6" }),
    ),
    element("span", {}, say("My card")),
  );
  async function show() {
    try {
      const [{ showMine }, design] = await Promise.all([import("./card-mine.js"), get("card")]);
      showMine(place, member, design, club);
    } catch (refusal) {
      place.replaceChildren(element("p", { class: "note bad", role: "alert" }, explain(refusal)));
    }
  }
  button.addEventListener("click", () => {
    panel.hidden = !panel.hidden;
    button.setAttribute("aria-expanded", String(!panel.hidden));
  });
  button.addEventListener("click", show, { once: true });
  return { button, panel };
}

/**
 * Opens what the address asks for, as the app does: the card of a QSO, or the sending of cards for
 * the QSOs that match a filter.
 */
async function openAsked() {
  const asked = parseQuery(location.hash.split("?")[1] ?? "");
  const id = asked.get("qso");
  if (!asked.size) return;
  history.replaceState(null, "", "#cards");
  try {
    await (id ? openReceived(id) : (await import("./card-send.js")).sendFiltered(asked));
  } catch (refusal) {
    showToast(element("p", { class: "note bad" }, explain(refusal)), TOAST_MS);
  }
}
/**
 * Shows the member's own card and the gallery. Can be called repeatedly.
 * @param {Member} member
 * @param {{first: Promise<CardsPage>}} asked
 */
export async function showCards(member, asked) {
  const [first] = await Promise.all([asked.first, prepared]);
  const gallery = element("div");
  const seen = recall("cards-seen") ?? "";
  /** @param {boolean} isSent */
  async function show(isSent) {
    if (!isSent) return showGallery((one) => cardOf(one, member.callsign), gallery, first, seen);
    const ownCard = await ownCards();
    showGallery(({ qso }) => ownCard([qso]), gallery, { ...first, newer: 0 }, "");
  }
  const all = element("div", {}, kindsOf(first, show), gallery);
  const { button, panel } = ownCard(member, first);
  const segments = segmentsOf("cards", {
    part: (part) => (part === "divisions" ? "#awards" : `#awards?part=${part}`),
    cards: "#cards",
  });
  const head = element("div", { class: "view-head" }, element("div", {}, segments), button);
  find("cards").replaceChildren(head, panel, all);
  button.addEventListener("click", () => {
    all.hidden = !panel.hidden;
  });
  if (first.items.length) remember("cards-seen", first.serverTime);
  openAsked();
}

// Lists the views that a person opens, and defines checks of their appearance. Each check runs in the page, in any
// browser, and returns the places at fault.
export const GUEST = { front: "/", spots: "/cluster/", "sign-in": "/sign-in", station: "/log/21SD333", documentation: "/docs/",
  "not-found": "/profile/nothing" };
export const MEMBER = { logbook: "/profile/#log", awards: "/profile/#awards", squares: "/profile/#awards?part=squares",
  cards: "/profile/#cards", "spots-member": "/cluster/", profile: "/profile/#profile",
  ...Object.fromEntries(["locator", "language", "passkeys", "password", "devices", "another", "keys", "uploads", "clusters", "clubs",
    "alerts", "import", "download", "history", "deleted", "delete"].map((name) => [name, `/profile/#profile/${name}`])),
  members: "/operator/#members", stations: "/operator/#stations", peers: "/operator/#peers", service: "/operator/#health" };
export const APP = { log: "/app/#log", qsos: "/app/#logbook", "awards-app": "/app/#awards", "spots-app": "/app/#spots",
  paper: "/app/#lines", activation: "/app/#outing", settings: "/app/#settings" };

// Finds texts that are cut. An ellipsis is intended, and texts for screen readers are one pixel wide.
export function findCutTexts() {
  const isShown = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getClientRects().length > 0 && !node.closest(".unseen");
  return [...document.querySelectorAll("body *")].filter((node) => {
    const { overflowX, textOverflow } = getComputedStyle(node);
    return overflowX !== "visible" && overflowX !== "auto" && overflowX !== "scroll" && textOverflow !== "ellipsis" && node.clientWidth > 2
      && node.scrollWidth > node.clientWidth + 1 && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim())
      && isShown(node);
  }).map((node) => `${node.tagName}.${node.className} ${node.textContent.trim().slice(0, 40)}`);
}

export function findFilledButtons() {
  return [...document.querySelectorAll(":is(a, button, input):is(.main, .primary)")]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && node.getClientRects().length > 0)
    .map((node) => node.textContent.trim());
}

// Finds controls that a thumb can miss. A chip is 36 pixels high and a tile 34, and both have space around them. Links
// inside a text have the height of the text's lines. If a row has only one control, the whole row is the target.
export function findSmallTargets() {
  const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  const target = (node) => {
    const row = node.closest("tr, li");
    if (row?.querySelectorAll(controls).length === 1) return row;
    return ["checkbox", "radio"].includes(node.type) ? node.labels[0] ?? node : node;
  };
  return [...document.querySelectorAll(controls)]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && node.getClientRects().length > 0 && !node.closest(".unseen, .skip")
      && getComputedStyle(node).display !== "inline" && target(node).getBoundingClientRect().height < 33.5)
    .map((node) => `${node.tagName}.${node.className}#${node.id} ${node.textContent.trim().slice(0, 30)}`);
}

// Finds rows of chips that have several lines. On a phone, a row has one line and scrolls.
export function findWrappedChips() {
  return [...document.querySelectorAll("#chips, .chips")].filter((row) => {
    const middles = [...row.children].map((node) => node.getBoundingClientRect()).filter(({ height }) => height > 2)
      .map(({ top, bottom }) => (top + bottom) / 2);
    return Math.max(...middles) - Math.min(...middles) > 10;
  }).map((row) => `${row.tagName}.${row.className}#${row.id} ${row.textContent.trim().slice(0, 40)}`);
}

// Finds controls that look the same with and without the focus. The focus can also be shown by an element around the control.
export function findFocusUnseen() {
  const look = (node, pseudo) => {
    const { outlineStyle, outlineColor, boxShadow, borderColor, backgroundColor } = getComputedStyle(node, pseudo);
    return [outlineStyle, outlineColor, boxShadow, borderColor, backgroundColor].join();
  };
  const looks = (node) => [look(node), look(node, "::after"), look(node.parentElement), look(node.closest("li") ?? node)].join();
  return [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")].filter((node) => {
    if (node.disabled || node.tabIndex < 0 || !node.checkVisibility({ visibilityProperty: true })) return false;
    const before = looks(node);
    node.focus({ focusVisible: true, preventScroll: true });
    const isUnseen = document.activeElement === node && looks(node) === before;
    node.blur();
    return isUnseen;
  }).map((node) => `${node.tagName}.${node.className}#${node.id} ${node.textContent.trim().slice(0, 30)}`);
}

// Finds headings and controls of the view that the head covers.
export function findUnderHead() {
  const { bottom } = document.querySelector("header.top").getBoundingClientRect();
  return [...document.querySelectorAll("main :is(h1, h2, a[href], button, input, select)")].filter((node) => {
    const { top, width } = node.getBoundingClientRect();
    return width > 2 && top < bottom - 2 && !node.closest(".unseen, .in-head, .back") && node.checkVisibility({ visibilityProperty: true });
  }).map((node) => `${node.tagName}.${node.className}#${node.id} ${node.textContent.trim().slice(0, 30)}`);
}

// Returns the top of the Logbook's first row, and how many rows are on the first screen.
export function measureRows() {
  const rows = [...document.querySelectorAll(".rows > li")].map((row) => row.getBoundingClientRect()).filter((row) => row.height > 0);
  const bar = document.querySelector("nav.places")?.getBoundingClientRect();
  const end = bar?.top > innerHeight / 2 ? bar.top : innerHeight;
  return { top: rows[0]?.top, count: rows.filter((row) => row.bottom <= end).length };
}

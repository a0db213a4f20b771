// Searches the headings of the papers and of the API's requests. Adds "Try it" to each GET request
// in the API description; the form is loaded on the first click. A language that the reader chooses
// for one example is shown in all examples.
import { drawing, element } from "../../shared/page.js";
import "./paper.js";
import { say } from "../../shared/language.js";

for (const section of document.querySelectorAll("section")) {
  const [method, path] = ["h3 .method", "h3 code"].map(
    (part) => section.querySelector(part)?.textContent ?? "",
  );
  if (method !== "GET" || !path) continue;
  const click = async () => button.replaceWith((await import("./docs-try.js")).formOf(path));
  const button = element("button", { type: "button", click }, say("Try it"));
  section.append(button);
}

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.matches(".codes input")) return;
  const top = target.getBoundingClientRect().top;
  /** @type {NodeListOf<HTMLInputElement>} */
  const same = document.querySelectorAll(`.codes [value="${target.value}"]`);
  for (const radio of same) radio.checked = true;
  // The heights of the examples above have changed. The page scrolls so that the reader's example
  // stays in its place.
  scrollBy(0, target.getBoundingClientRect().top - top);
});

const field = element("input", {
  type: "search",
  autocomplete: "off",
  placeholder: say("Search the documentation"),
});
const none = element("p", { class: "muted", role: "status" });
document
  .querySelector(".view-head")
  ?.append(
    element(
      "label",
      { id: "docs-find", class: "sought" },
      drawing(
        "svg",
        { viewBox: "0 0 24 24", "aria-hidden": "true" },
        drawing("path", { d: "M11 17.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.8 15.8 20 20" }),
      ),
      element("span", { class: "unseen" }, say("Search the documentation")),
      field,
      element("kbd", {}, "/"),
    ),
  );
document.querySelector(".doors")?.after(none);
const rows = [...document.querySelectorAll(".doors li, .docs nav li:not(:has(li))")];
/** Shows only the rows that contain all typed words. */
function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const row of rows) {
    const text = (row.textContent ?? "").toLowerCase();
    const isFound = words.every((word) => text.includes(word));
    row.toggleAttribute("hidden", !isFound);
    if (isFound) found++;
  }
  none.textContent = found ? "" : say("Nothing has this word in its heading.");
}
field.addEventListener("input", search);
document.addEventListener("keydown", (event) => {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  if (key !== "/" || ctrlKey || metaKey || altKey) return;
  if (!(target instanceof Element) || target.matches("input, select, textarea")) return;
  event.preventDefault();
  field.focus();
});

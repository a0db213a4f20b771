// Adds "Try it" to each GET request in the API description; the form is loaded on the first click.
import { element } from "../../shared/page.js";
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

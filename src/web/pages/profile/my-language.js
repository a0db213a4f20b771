// Shows the section for the language of all pages and of the app in this browser.
import { element, find, remember } from "../../shared/page.js";
import { LANGUAGES, language } from "../../shared/language.js";

export async function showLanguages() {
  find("languages").replaceChildren(
    ...Object.entries(LANGUAGES).map(([code, name]) => {
      const button = element(
        "button",
        {
          type: "button",
          class: "go",
          lang: code,
          "aria-current": code === language ? "true" : null,
        },
        name,
      );
      button.addEventListener("click", () => {
        remember("language", code);
        location.reload();
      });
      return element("li", {}, button);
    }),
  );
}

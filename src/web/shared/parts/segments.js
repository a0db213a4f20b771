// Creates a segmented control: a row of buttons. The chosen button stays pressed.
import { element } from "../page.js";

/**
 * Returns the control. `choose` is called with the key of the chosen segment.
 * @param {string} name
 * @param {[key: string, text: string][]} rows
 * @param {string} current
 * @param {(key: string) => void} choose
 */
export function segmentsOf(name, rows, current, choose) {
  const buttons = rows.map(([key, text]) =>
    element(
      "button",
      {
        type: "button",
        "data-segment": key,
        "aria-pressed": String(key === current),
        click: () => {
          for (const button of buttons)
            button.setAttribute("aria-pressed", String(button.dataset.segment === key));
          choose(key);
        },
      },
      text,
    ),
  );
  return element("div", { class: "segments", role: "group", "aria-label": name }, ...buttons);
}

// Shows the section that imports a file. The code that reads and imports files is loaded with the
// first file.
import { element, find, input } from "../../shared/page.js";
import { Refusal, explain } from "../../shared/service.js";
import { showEarlier } from "./import-earlier.js";

/** @param {File} file */
async function take(file) {
  input("file").disabled = true;
  const loading = import("./adif.js");
  loading.catch(() => {
    const text = explain(new Refusal(0, "", [], null));
    find("report").replaceChildren(element("p", { class: "note bad", role: "alert" }, text));
    input("file").value = "";
    input("file").disabled = false;
  });
  await (await loading).takeFile(file);
}

export async function showAdif() {
  const drop = find("drop");
  showEarlier();
  find("file").addEventListener("change", () => {
    const [file] = input("file").files ?? [];
    if (file) take(file);
  });
  // Files can be dropped anywhere on the page; otherwise the browser would open a file that is
  // dropped outside the section.
  for (const kind of /** @type {const} */ (["dragover", "dragleave", "drop"])) {
    document.addEventListener(kind, (event) => {
      const brought = event.dataTransfer;
      if (find("section-import").hidden || !brought?.types.includes("Files")) return;
      event.preventDefault();
      drop.classList.toggle("over", kind === "dragover");
      if (kind === "drop" && brought.files.length && !input("file").disabled)
        take(brought.files[0]);
    });
  }
}

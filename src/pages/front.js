// The front page: complete without this file, which adds a button that copies the address.
import { copyButton, find } from "./page.js";

find("copy").append(copyButton(find("address").textContent));

// Asks again every ten seconds while the service does not respond, such as during an upgrade. Then
// opens the page that the member wanted, which has the same address. Without this file, the page is
// loaded again.
import "../../shared/page.js";

const WAIT_MS = 10000;

async function responds() {
  try {
    const response = await fetch(location.href, { method: "HEAD", cache: "no-store" });
    return response.status < 500 && response.status !== 429;
  } catch {
    return false;
  }
}
if (document.getElementById("again"))
  setInterval(async () => {
    if (!document.hidden && (await responds())) location.reload();
  }, WAIT_MS);

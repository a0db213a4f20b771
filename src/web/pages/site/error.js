// While the service does not respond, for example during an upgrade, sends a request every ten
// seconds. Once the service responds, loads the page that the reader wanted, which has the same
// address. Without JavaScript, the error page reloads itself.
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

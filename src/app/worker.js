// The service worker: keeps the app's own files, so that it opens without a network. make writes
// the
// list of files and their version into it; what the service answers is never kept here. A classic
// script, because that is what all browsers start.
const VERSION = "@version";
const FILES = [
  // @files
];
const NAME = `qsosync-app-${VERSION}`;

self.addEventListener("install", (event) => {
  const requests = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
  const removeOld = async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("qsosync-app-"));
    await Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(removeOld());
});

// The page says when nothing is being typed.
self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});

const ADDRESSES = new Set(FILES.map((file) => new URL(file, self.registration.scope).pathname));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (!ADDRESSES.has(url.pathname)) return;
  const answer = async () => {
    // Where the browser's storage fails, there may be a network.
    const cache = await caches.open(NAME).catch(() => null);
    return (await cache?.match(url.origin + url.pathname)) ?? fetch(event.request);
  };
  event.respondWith(answer());
});

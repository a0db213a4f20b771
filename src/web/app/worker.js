// This service worker stores the app's files, so that the app opens offline. The build inserts the
// list of files and their version. The worker never stores the service's answers, and stores only
// the languages in use. This file is a classic script, because not all browsers start a module as a
// worker.
const VERSION = "@version";
const FILES = [
  // @files
];
const NAME = `qsosync-app-${VERSION}`;

// Returns whether a file must be stored. A language's texts are stored if the browser prefers the
// language. Otherwise, they are stored only if a cache contains them because somebody has chosen
// the language.
const TEXTS = /(?:^|\/)texts-(\w+)\.js$/;
async function isWanted(file) {
  const [, code] = TEXTS.exec(file) ?? [];
  if (!code) return true;
  const isPreferred = self.navigator.languages.some(
    (wish) => wish.slice(0, 2).toLowerCase() === code,
  );
  return isPreferred || Boolean(await caches.match(new URL(file, self.registration.scope).href));
}

self.addEventListener("install", (event) => {
  const keep = async () => {
    const cache = await caches.open(NAME);
    const wanted = await Promise.all(FILES.map(isWanted));
    const files = FILES.filter((_, place) => wanted[place]);
    await cache.addAll(files.map((file) => new Request(file, { cache: "reload" })));
  };
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  const removeOld = async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("qsosync-app-"));
    await Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(removeOld());
});

// The page sends this message when nobody is typing.
self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});

const ADDRESSES = new Set(FILES.map((file) => new URL(file, self.registration.scope).pathname));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (!ADDRESSES.has(url.pathname)) return;
  const answer = async () => {
    // If the browser's storage fails, the network is used.
    const cache = await caches.open(NAME).catch(() => null);
    const kept = await cache?.match(url.origin + url.pathname);
    if (kept) return kept;
    const fetched = await fetch(event.request);
    if (fetched.ok && TEXTS.test(url.pathname))
      await cache?.put(url.origin + url.pathname, fetched.clone()).catch(() => {});
    return fetched;
  };
  event.respondWith(answer());
});

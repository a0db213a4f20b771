// This service worker shows the alerts that the service sends to this browser, even while no page
// is open. It handles no requests. This file is a classic script, because not all browsers start a
// module as a worker.
self.addEventListener("push", (event) => {
  const { title, text, link } = event.data.json();
  // A new alert about a station replaces the earlier alert, and the device signals it again.
  const options = { body: text, tag: link, renotify: true, data: link };
  event.waitUntil(self.registration.showNotification(title, options));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data));
});

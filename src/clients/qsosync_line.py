# Sends requests to one address over connections that stay open, each used by one thread at a time.
# Over a long distance, opening a connection takes as long as several answers. Part of qsosync.py
# and udp-bridge.py.
from __future__ import annotations

import base64
import gzip
import http.client
import urllib.parse
import urllib.request
import zlib
from email.message import Message as Headers
from typing import Callable, Tuple

TIMEOUT_SECONDS = 300


class Line:
    """Returns answers with any status, and does not follow redirections, so the key is sent only to
    the address that the user gave. Raises OSError, http.client.HTTPException or ValueError if no
    answer arrives."""

    def __init__(self, url: str) -> None:
        address = urllib.parse.urlsplit(url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"{url} is not an address that begins with http:// or https://")
        self.address, self.host = address, address.hostname
        self.idle: list[http.client.HTTPConnection] = []
        self.path = address.path
        proxy = urllib.request.getproxies().get(address.scheme)
        self.proxy = urllib.parse.urlsplit(proxy if "://" in proxy else "http://" + proxy) \
            if proxy and not urllib.request.proxy_bypass(address.netloc) else None
        self.proxy_headers: dict[str, str] = {}
        if self.proxy and self.proxy.username:
            name, password = (urllib.parse.unquote(part or "")
                              for part in (self.proxy.username, self.proxy.password))
            self.proxy_headers["Proxy-Authorization"] = \
                "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()

    def connect(self) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self.address.scheme == "https" else \
            http.client.HTTPConnection
        if not self.proxy or not self.proxy.hostname:
            return kind(self.host, self.address.port, timeout=TIMEOUT_SECONDS)
        connection = kind(self.proxy.hostname, self.proxy.port or 80, timeout=TIMEOUT_SECONDS)
        if self.address.scheme == "https":
            connection.set_tunnel(self.host, self.address.port or 443, self.proxy_headers)
        return connection

    def ask(self, method: str, path: str, data: bytes | None,
            headers: dict[str, str]) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """Returns a connection and its answer, whose headers have arrived."""
        target = self.path + path
        headers = {"Accept-Encoding": "gzip", **headers}
        if self.proxy and self.address.scheme == "http":
            target = f"http://{self.address.netloc}{target}"
            headers.update(self.proxy_headers)
        while True:
            try:
                connection, is_used = self.idle.pop(), True
            except IndexError:
                connection, is_used = self.connect(), False
            try:
                connection.request(method, target, data, headers)
                return connection, connection.getresponse()
            except BaseException as error:
                connection.close()
                # The service could have closed an idle connection in the meantime.
                if not is_used or not isinstance(error, ConnectionError):
                    raise

    def request(self, method: str, path: str, data: bytes | None, headers: dict[str, str],
                on_headers: Callable[[int, Headers], None]) -> Tuple[int, Headers, bytes]:
        """Returns (status, headers, body); on_headers receives the status and the headers before
        the body arrives."""
        connection, answer = self.ask(method, path, data, headers)
        try:
            on_headers(answer.status, answer.headers)
            body = answer.read()
        except BaseException:
            connection.close()
            raise
        if answer.will_close:
            connection.close()
        else:
            self.idle.append(connection)
        if answer.headers.get("Content-Encoding") == "gzip":
            try:
                body = gzip.decompress(body)
            except (EOFError, zlib.error) as error:
                raise ValueError(f"the answer is cut off: {error}") from None
        return answer.status, answer.headers, body

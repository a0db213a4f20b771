# Reads datagrams from several sockets as fast as they arrive. Part of udp-bridge.py, which
# interprets them.
from __future__ import annotations

import ipaddress
import os
import selectors
import socket
import sys
import threading
from queue import Empty, SimpleQueue
from typing import Iterable

from qsosync_decoding import shown

BUFFER_BYTES = 4194304 # requested from the system, which can grant fewer bytes


def say(text: object) -> None:
    print(f"udp-bridge.py: {shown(text)}", file=sys.stderr, flush=True)


def open_socket(address: str) -> socket.socket:
    """Opens a socket for ADDRESS:PORT. For a multicast address, the socket joins the group, because
    WSJT-X can send to several programs by multicast."""
    host, _, port = address.rpartition(":")
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    if ipaddress.ip_address(host).is_multicast:
        receiver.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        receiver.bind(("", int(port)))
        receiver.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                            socket.inet_aton(host) + socket.inet_aton("0.0.0.0"))
    else:
        receiver.bind((host, int(port)))
    receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
    print("listening on {}:{}".format(*receiver.getsockname()), flush=True)
    return receiver


def open_sockets(addresses: Iterable[str]) -> list[socket.socket]:
    """Opens the sockets that can be opened: an address that another program uses does not affect
    the other addresses."""
    sockets, trouble = [], None
    for address in addresses:
        try:
            sockets.append(open_socket(address))
        except (OSError, ValueError) as error:
            trouble = f"cannot listen on {address}: {error}"
            say(trouble)
    if not sockets:
        raise OSError(trouble or "no address to listen on")
    return sockets


class Receiver(threading.Thread):
    """A thread that only reads, because datagrams that arrive while the system's buffer is full are
    lost."""

    def __init__(self, sockets: Iterable[socket.socket]) -> None:
        super().__init__(daemon=True)
        self.selector = selectors.DefaultSelector()
        for receiver in sockets:
            self.selector.register(receiver, selectors.EVENT_READ, receiver)
        self.inodes = {str(os.fstat(receiver.fileno()).st_ino) for receiver in sockets}
        self.arrived: SimpleQueue[bytes] = SimpleQueue()
        self.told = 0

    def run(self) -> None:
        while True:
            for key, _ in self.selector.select():
                self.arrived.put(key.data.recv(65536))

    def take(self, seconds: float | None, most: int) -> list[bytes]:
        """Returns at most `most` datagrams that have arrived. Waits up to `seconds` for the first
        datagram; None: without a limit."""
        datagrams = []
        try:
            datagrams.append(self.arrived.get(timeout=seconds))
            while len(datagrams) < most:
                datagrams.append(self.arrived.get_nowait())
        except Empty:
            pass
        return datagrams

    def count_lost(self) -> int:
        """Returns the number of datagrams that the system has dropped since the last call, if the
        system counts them (Linux)."""
        try:
            with open("/proc/net/udp", encoding="ascii") as file:
                lines = [line.split() for line in file]
            lost = sum(int(words[12]) for words in lines if len(words) > 12
                       and words[9] in self.inodes)
        except (OSError, ValueError):
            return 0
        self.told, more = lost, lost - self.told
        return more

#!/usr/bin/env python3
"""Saves in QSOsync the QSOs that logging programs broadcast over UDP: WSJT-X, JTDX and WSJT-CB
("Logged ADIF"), JS8Call, FreeDV ("QSO Logged"), DXKeeper, any program that sends ADIF text, and
N1MM and fldigi (XML). See qsosync-clients(7).

The service is QSOSYNC_URL (or --url), and the key is in the file QSOSYNC_KEY_FILE (or --key-file).
Every message is first written to a file, and stays there until the service has its QSOs. Messages
that cannot be understood, or are rejected, are kept in a folder; --again sends these messages again
and ends. Ctrl-C ends the program."""
from __future__ import annotations

import argparse
import os
import signal
import socket
import sys

from qsosync_queue import Queue
from qsosync_sending import GATHER_SECONDS, Sender
from qsosync_service import BATCH, Service, ServiceError
from qsosync_udp import Receiver, open_sockets, say

LISTEN = ("127.0.0.1:2237", "127.0.0.1:2242", "127.0.0.1:2333", "127.0.0.1:12060")


def receive(sockets: list[socket.socket], queue: Queue) -> None:
    sys.setswitchinterval(0.0005) # so that other threads do not delay reading
    receiver = Receiver(sockets)
    receiver.start()
    busy = False
    while True:
        datagrams = receiver.take(GATHER_SECONDS if busy else None, BATCH)
        understood = [(data, message) for data, message in
                      ((data, queue.understand(data)) for data in datagrams) if message]
        if understood:
            queue.add(understood)
        lost = receiver.count_lost()
        if lost > 0:
            say(f"{lost} datagrams were lost: they came faster than this computer reads them; "
                "send the file of the logging program with qsosync.py push")
        busy = bool(datagrams)


def try_again(queue: Queue, sender: Sender) -> int:
    """Sends the kept datagrams that can now be understood, and returns the exit status."""
    count = queue.again()
    sender.work()
    left = queue.kept.names()
    print(f"{count} datagrams retried, {len(left)} still kept in {queue.kept.folder}")
    return 1 if left or queue.entries else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default=os.environ.get("QSOSYNC_URL"))
    parser.add_argument("--key-file", default=os.environ.get("QSOSYNC_KEY_FILE"))
    parser.add_argument("--listen", metavar="ADDRESS:PORT", action="append",
                        help="can be given several times; default: " + ", ".join(LISTEN))
    parser.add_argument("--queue", metavar="FOLDER",
                        default=os.path.expanduser("~/.local/state/qsosync-udp"))
    parser.add_argument("--spot", action="store_true",
                        help="publish live QSOs on the service's DX cluster")
    parser.add_argument("--again", action="store_true",
                        help="send the datagrams that were kept because they were not "
                             "understood, and exit")
    arguments = parser.parse_args()
    if not arguments.url or not arguments.key_file:
        parser.error("QSOSYNC_URL and QSOSYNC_KEY_FILE, or --url and --key-file, are needed")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with open(arguments.key_file, encoding="ascii") as file:
            service = Service(arguments.url, file.read().strip())
        queue = Queue(arguments.queue)
        sender = Sender(queue, service, arguments.spot)
        if arguments.again:
            return try_again(queue, sender)
        sockets = open_sockets(arguments.listen or LISTEN)
        sender.start()
        receive(sockets, queue)
    except KeyboardInterrupt:
        pass
    except (OSError, ServiceError, UnicodeError, ValueError) as error:
        say(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

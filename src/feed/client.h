/* A client of the feed. */
#ifndef QSOSYNC_FEED_CLIENT_H
#define QSOSYNC_FEED_CLIENT_H

/* Serves the client on standard input until the client disconnects. If the logbook cannot be read,
 * the client gets a message. The names of the node and the club must not contain a word that
 * clients answer as a prompt. */
void client_serve(const char *logbook, const char *node, const char *club);

#endif

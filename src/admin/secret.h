/* Prints secrets: keys, tokens and links. */
#ifndef QSOSYNC_ADMIN_SECRET_H
#define QSOSYNC_ADMIN_SECRET_H

#include <stdbool.h>
#include <stddef.h>

/* Prints a key, a token, a link or a code on its own line, unbuffered and directly from the
 * caller's memory, which the caller wipes. The final NUL becomes a line feed. Returns false if the
 * secret cannot be written. A closed pipe also counts as such a failure, because SIGPIPE is ignored
 * from then on. */
bool secret_print(char *secret, size_t length);

/* Shows a link that contains a secret as a QR code for terminals. Wipes the code's buffer. Returns
 * false if the QR code cannot be written. */
bool secret_print_qr_code(int file, const char *link);

#endif

/* Keys as rows of a list. */
#ifndef QSOSYNC_ADMIN_KEYS_H
#define QSOSYNC_ADMIN_KEYS_H

#include "admin/command.h"
#include "admin/listing.h"

/* Begins *listing in the invocation's arena, with the keys of all members, which have a column. */
enum store_result keys_collect_all(const struct invocation *invocation, struct listing *listing);

/* Prints a key or a token on a line of its own, straight from the caller's memory, which the caller
 * wipes, and through no buffer that would keep it; the byte after it, the NUL, becomes the line
 * feed. False when it cannot be written, also if the reader of a pipe is gone: SIGPIPE is
 * ignored from then on. */
bool keys_print_secret(char *secret, size_t length);

/* Shows a link that holds a secret as a QR code for terminals, likewise through no buffer that
 * would keep it. False when it cannot be written. */
bool keys_print_qr_code(int file, const char *link);

#endif

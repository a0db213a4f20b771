/* Helpers of the routes below /profile/data. */
#ifndef QSOSYNC_SITE_PROFILE_H
#define QSOSYNC_SITE_PROFILE_H

#include "json/read.h"
#include "worker/route.h"
#include "worker/body.h"
#include "worker/input.h"

/* Runs before most routes below /profile/data. For a POST, reads the JSON object, exchange->sent,
 * and checks that the session has not ended meanwhile. Reads {number}, if the path contains it,
 * into exchange->number. Returns NULL, or the error to answer with. */
const struct error *profile_prepare(struct exchange *exchange);

/* Reads the object's field "name": 1 to KEY_NAME_MAX code points, trimmed, without control
 * characters. */
const struct error *profile_read_name(struct exchange *exchange, struct text *name);

/* Reads the object's field "locator", in its normal form, in the arena. */
const struct error *profile_read_locator(struct exchange *exchange, struct text *locator);

/* Reads a required field that contains the text of a list or a file. */
const struct error *profile_read_list(struct exchange *exchange, const char *name,
                                      struct text *list);

/* Reads a required field that is true or false. A missing field is refused, so it never switches
 * anything off. */
const struct error *profile_read_flag(struct exchange *exchange, const char *name, bool *flag);

/* Reads an optional field that is true or false; a missing field is false. A value of another type
 * is refused, because its sender may have intended a dry run. */
const struct error *profile_read_optional_flag(struct exchange *exchange, const char *name,
                                               bool *flag);

/* Reads the parameter "limit": 1 to 200; 50 if the parameter is missing. */
const struct error *profile_read_limit(struct exchange *exchange, int64_t *limit);

/* Read the parameter "after", and write the field "nextCursor", which is null at the end. Both are
 * cursors with two numbers (qso/cursor.h). If the parameter is missing, *first and *second stay
 * unchanged. */
const struct error *profile_read_cursor(struct exchange *exchange, int64_t *first, int64_t *second);
void profile_write_cursor(struct exchange *exchange, bool more, int64_t first, int64_t second);

/* Writes a piece of a long answer, as a callback of exports; the context is the exchange. Returns
 * false if the client has disconnected, or if there is no space for the piece. */
bool profile_write_piece(void *context, const char *bytes, size_t length);

/* Returns the error to answer with; NULL for STORE_DONE. STORE_NONE becomes 404. STORE_REFUSED
 * means that the member has the maximum number of keys or tokens, and STORE_FULL that no storage is
 * left. STORE_DENIED means that the session has ended, and STORE_NO_GRANT that the grant has ended.
 * STORE_BUSY becomes error_busy, and every other result becomes error_internal. */
const struct error *profile_store_error(enum store_result result);

/* Returns the entity tag of an answer that is computed from a whole log. The tag changes with the
 * log, its owner's callsign and locator, the query, and the version of this program. */
const char *profile_log_tag(struct exchange *exchange);

/* Returns a tag as profile_log_tag does; this tag also changes with the number `also`. */
const char *profile_log_tag_for(struct exchange *exchange, int64_t also);

#endif

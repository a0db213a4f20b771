/* Brings the records of an ADIF file into a member's log, piece by piece, in transactions of at
 * most IMPORT_TRANSACTION_MAX records. Never publishes a spot. */
#ifndef QSOSYNC_TRANSFER_IMPORT_H
#define QSOSYNC_TRANSFER_IMPORT_H

#include "base/buffer.h"
#include "transfer/report.h"
#include "store/credentials.h"
#include "store/members.h"

#define IMPORT_TRANSACTION_MAX 500

struct import;

/* Nothing else may have a transaction of this store open until the import is finished. dry_run:
 * nothing is saved, the report says what would happen. The report is the caller's, was begun, and
 * lives longer than the import. */
struct import *import_create(struct store *store, const struct identity *member, bool dry_run,
                             struct report *report);
void import_free(struct import *import); /* NULL is allowed */

/* Says that it is a file that is imported, for the history; name is what it is called (no text: not
 * known). To be called before the first bytes, if at all. */
void import_name_file(struct import *import, struct text name);

/* Takes the next bytes of the file, or learns that there are no more. Anything but STORE_DONE ends
 * the import: records that the report counts as imported or updated are saved, all others are not.
 */
enum store_result import_feed(struct import *import, const void *bytes, size_t length);
enum store_result import_finish(struct import *import);

/* True if anything looked like ADIF: a header, or a record, however wrong. */
bool import_found_adif(const struct import *import);

/* A file may be imported in slices that are cut between records, each by an import of its own:
 * import_append_state appends the state that the next slice needs, as printable ASCII without
 * quotes, and import_restore takes it before the first bytes of that slice; it returns false for
 * any other text. */
void import_append_state(const struct import *import, struct buffer *out);
bool import_restore(struct import *import, struct text state);

#endif

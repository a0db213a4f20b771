/* Imports the records in an ADIF file into a member's log, in transactions of at most
 * IMPORT_TRANSACTION_MAX records. Never publishes a spot. */
#ifndef QSOSYNC_TRANSFER_IMPORT_H
#define QSOSYNC_TRANSFER_IMPORT_H

#include "adif/encoding.h"
#include "base/buffer.h"
#include "transfer/report.h"
#include "transfer/stations.h"
#include "store/credentials.h"

struct import;

/* Creates an import. A dry run saves no records, but its report shows the result of a real run. The
 * caller owns the report and has initialised it. All arguments must outlive the import, which
 * belongs to the arena. */
struct import *import_create(struct store *store, const struct identity *member, bool dry_run,
                             struct report *report, struct arena *arena);

/* Marks the work as the import of a file, for the history. `name` is the file's name (no text:
 * unknown). If needed, call this function before import_take. */
void import_name_file(struct import *import, struct text name);

/* Set and return the program that has written the file. The first function is for files whose
 * header does not name a program. The second function returns the program that is known so far, or
 * no text if no program is known. */
void import_set_program(struct import *import, struct text program);
struct text import_program(const struct import *import);

/* Makes the import append JSON pairs [number,"key"] to *keys. The keys of a record are values that
 * the record shares with records that can be the same QSO. A caller that imports a file in slices
 * must keep such records together. */
void import_tell_keys(struct import *import, struct buffer *keys);

/* Makes the import write one letter per record to *outcomes, in the order of the records: n (new),
 * c (replaces or adds values), u (unchanged), r (repeated in the file), o (on another band) or x
 * (rejected). */
void import_tell_outcomes(struct import *import, struct buffer *outcomes);

/* Sets the encoding of values that are not UTF-8. Without an encoding, these values are read as
 * Windows-1252, which the report mentions. If needed, call this function before import_take. */
void import_set_encoding(struct import *import, struct encoding *encoding);

/* Makes the report give these numbers, one per record, as the lines of the records. Further records
 * keep their lines. If needed, call this function before import_take. */
void import_set_rows(struct import *import, const int64_t *rows, int64_t count);

/* Makes the import count station callsigns that are not the log's own, and replace them if the
 * member requests it. Without this call, these callsigns are kept. If needed, call this function
 * before import_take. */
void import_set_stations(struct import *import, struct stations *stations);

/* Imports the file. The store must not have another open transaction. After any result except
 * STORE_DONE, only the records that the report counts as imported or updated are saved. `tell` (can
 * be NULL) receives the progress after a full transaction, in bytes, and while deferred records are
 * saved, in records. */
enum store_result import_take(struct import *import, struct text file,
                              void (*tell)(const char *phase, int64_t done, int64_t total));

#endif

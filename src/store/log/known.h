/* Stores known records from other programs: the QSO that each record describes, the values that the
 * record's source has sent, and the ids that programs have given to QSOs. Also lists the callsigns
 * that can identify a log in records. src/transfer/matching.c interprets the known records.
 *
 * Functions with a transaction are called inside a write transaction; all others inside a read
 * transaction or a write transaction. Texts that a visitor receives are valid during its call. Do
 * not assume that a record's QSO still exists: rows of deleted QSOs stay. */
#ifndef QSOSYNC_STORE_KNOWN_H
#define QSOSYNC_STORE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "qso/contact.h"
#include "qso/qso.h"
#include "store/transaction.h"

#define KNOWN_SOURCE_MAX 32      /* maximum length in bytes, which are printable ASCII */
#define KNOWN_SAID_MAX 400       /* maximum length in bytes */
#define KNOWN_RECORDS_OF_QSO 100 /* maximum number of known records per QSO */
#define KNOWN_IDS_OF_QSO 20      /* maximum number of ids from programs per QSO */

/* The identity of a record: the contact's time, and a hash of all other values that identify a
 * contact. */
struct known_key {
    int64_t at_ms;
    int64_t mark;
};

/* The data about a QSO that a source has sent in one record. */
struct known_row {
    struct known_key key;
    struct text source;
    int64_t until_ms; /* end of the contact; 0: the contact was short, or its end is not known */
    struct text said; /* digests of the texts that the source has sent */
};

/* The QSO that a known record describes, and the digests that one source has sent in the record. */
struct known_record {
    int64_t qso_id;
    /* digests from this source; no text: only other sources have sent the record */
    struct text said;
};

/* Finds a record from any source, with this source's digests in the arena. Returns STORE_NONE if no
 * source has sent the record, or if its QSO is not in the log. */
enum store_result store_find_known(struct store *store, int64_t member_id,
                                   const struct known_key *key, struct text source,
                                   struct arena *arena, struct known_record *out);

typedef void known_visitor(void *context, const struct known_row *row);

/* Calls visit for each known record of this QSO. */
enum store_result store_list_known(struct store *store, int64_t member_id, int64_t qso_id,
                                   known_visitor *visit, void *context);

/* Stores in *out whether any contact in the log is known to have been long. */
enum store_result store_has_long_known(struct store *store, int64_t member_id, bool *out);

/* Finds the QSO to which a program has given this id. Returns STORE_NONE if no QSO in the log has
 * this id. */
enum store_result store_find_program_id(struct store *store, int64_t member_id,
                                        struct contact_id id, int64_t *qso_id);

/* Stores in *out whether the program has given the QSO an id. For PoLo, *out is also true if the
 * QSO has no clientId, because PoLo cannot have such a QSO. */
enum store_result store_has_program_id(struct store *store, int64_t member_id, int64_t qso_id,
                                       struct text program, bool *out);

typedef void program_visitor(void *context, struct contact_id id);

/* Calls visit for each id that programs have given to the QSO. */
enum store_result store_list_programs(struct store *store, int64_t member_id, int64_t qso_id,
                                      program_visitor *visit, void *context);

/* Finds the number of the upload token that wrote the QSO, if all writes to the QSO used the same
 * token, and otherwise 0. */
enum store_result store_find_token_of_qso(struct store *store, int64_t qso_id, int64_t *token);

/* Calls visit for the current and the previous callsigns of the member. */
enum store_result store_list_own_callsigns(struct store *store, int64_t member_id,
                                           void (*visit)(void *context, struct text callsign),
                                           void *context);

/* Stores that a record describes this QSO. Replaces earlier data about the record. is_new means
 * that the transaction has created the QSO. */
enum store_result store_write_known(struct transaction *transaction, int64_t member_id,
                                    int64_t qso_id, bool is_new, const struct known_row *row);

/* Removes the data that a source has sent in a record. */
enum store_result store_forget_known(struct transaction *transaction, int64_t member_id,
                                     const struct known_key *key, struct text source);

/* Stores the id that a program has given to the QSO, unless the QSO already has KNOWN_IDS_OF_QSO
 * ids. */
enum store_result store_write_program_id(struct transaction *transaction, int64_t member_id,
                                         int64_t qso_id, struct contact_id id);

/* Moves all known records and ids of the QSO old_id to another QSO of the member. */
enum store_result store_move_known(struct transaction *transaction, int64_t member_id,
                                   int64_t old_id, int64_t qso_id);

/* Removes the known records and ids of a deleted QSO that cannot be restored. */
enum store_result known_forget(struct transaction *transaction, int64_t member_id, int64_t qso_id);

#endif

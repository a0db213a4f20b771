/* Known records of other programs: the QSO of each, the values that its source has sent, and the
 * ids that programs have given to QSOs. Also the callsigns by which records name a log.
 * src/transfer/matching.c interprets them.
 *
 * A QSO that is not in the log belongs to no record, whatever is stored here. */
#ifndef QSOSYNC_STORE_KNOWN_H
#define QSOSYNC_STORE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "qso/contact.h"
#include "qso/qso.h"
#include "store/transaction.h"

#define KNOWN_SOURCE_MAX 32      /* bytes, only printable ASCII */
#define KNOWN_SAID_MAX 400       /* bytes */
#define KNOWN_RECORDS_OF_QSO 100 /* known records of a QSO; its ids: */
#define KNOWN_IDS_OF_QSO 20

/* The identity of a record: its time, and a hash of all other values that identify a contact. */
struct known_key {
    int64_t at_ms;
    int64_t mark;
};

/* The data that a source has given about a QSO in one record. */
struct known_row {
    struct known_key key;
    struct text source;
    int64_t until_ms; /* 0: the contact was short, or its end is not known */
    struct text said; /* digests */
};

/* Finds the member's QSO for a record, and the source's data in this record, in the arena (no text:
 * only other sources have sent the record). STORE_NONE: the record is not known. */
enum store_result store_find_known(struct store *store, int64_t member_id,
                                   const struct known_key *key, struct text source,
                                   struct arena *arena, int64_t *qso_id, struct text *said);

/* Calls visit for each record that is known as this QSO. The texts are valid during the call. */
typedef void known_visitor(void *context, const struct known_row *row);
enum store_result store_list_known(struct store *store, int64_t member_id, int64_t qso_id,
                                   known_visitor *visit, void *context);

/* Whether any contact of the log is known to have been long. */
enum store_result store_has_long_known(struct store *store, int64_t member_id, bool *out);

/* The QSO that a program calls by this id. STORE_NONE: none. */
enum store_result store_find_program_id(struct store *store, int64_t member_id,
                                        struct contact_id id, int64_t *qso_id);

/* Whether the QSO has an id of the program. */
enum store_result store_has_program_id(struct store *store, int64_t member_id, int64_t qso_id,
                                       struct text program, bool *out);

typedef void program_visitor(void *context, struct contact_id id);
enum store_result store_list_programs(struct store *store, int64_t member_id, int64_t qso_id,
                                      program_visitor *visit, void *context);

/* The search for QSOs of a member that a record may describe. */
struct candidate_search {
    int64_t member_id;
    int64_t from_ms, to_ms; /* bounds for the start */
    struct text worked;     /* compared form of the callsign; no text: no callsign */
    int64_t limit;          /* QSOs per slot of two hours */
};

/* Call visit for QSOs that start in this time, or for earlier QSOs that are known to last until
 * to_ms. length_ms: length of the contact; 0: unknown or short. The QSO is valid during the call.
 */
typedef void candidate_visitor(void *context, const struct qso *qso, int64_t length_ms);
enum store_result store_list_candidates(struct store *store, const struct candidate_search *search,
                                        candidate_visitor *visit, void *context);
enum store_result store_list_long_candidates(struct store *store,
                                             const struct candidate_search *search,
                                             candidate_visitor *visit, void *context);

/* Two QSOs with one station: the second starts soon after the first, or during it. */
struct near_pair {
    int64_t slot; /* slot of the first */
    int64_t one, other;
    int64_t length_ms; /* length of the first; 0: unknown or short */
};

/* Lists at most `limit` pairs, newest first, in the arena. The slot (match_slot) of the first QSO
 * is between `above` and `below`. */
enum store_result store_list_near_pairs(struct store *store, int64_t member_id, int64_t above,
                                        int64_t below, int64_t limit, struct arena *arena,
                                        struct near_pair **out, size_t *count);

/* Skips `count` QSOs in slots below `below`, newest first, and returns the slot of the next one.
 * STORE_NONE: the log has fewer. */
enum store_result store_find_slot_below(struct store *store, int64_t member_id, int64_t below,
                                        int64_t count, int64_t *slot);

/* Whether one program, or PoLo, has different ids for two QSOs. */
enum store_result store_have_ids_of_one_program(struct store *store, int64_t member_id, int64_t one,
                                                int64_t other, bool *out);

/* Whether PoLo has sent the QSO with this clientId. */
enum store_result store_is_of_polo(struct store *store, int64_t member_id, struct text client_id,
                                   bool *out);

/* The number of the upload token that alone has written the QSO; 0: none. */
enum store_result store_find_token_of_qso(struct store *store, int64_t qso_id, int64_t *token);

/* Calls visit for the callsigns that the member has, or had before. */
enum store_result store_list_own_callsigns(struct store *store, int64_t member_id,
                                           void (*visit)(void *context, struct text callsign),
                                           void *context);

/* -- In a write transaction -------------------------------------------------------------------- */

/* Stores that a record is this QSO, in place of earlier data about the record. is_new: nothing was
 * known of the QSO. */
enum store_result store_write_known(struct transaction *transaction, int64_t member_id,
                                    int64_t qso_id, bool is_new, const struct known_row *row);

/* Removes the data that a source has given in a record. */
enum store_result store_forget_known(struct transaction *transaction, int64_t member_id,
                                     const struct known_key *key, struct text source);

enum store_result store_write_program_id(struct transaction *transaction, int64_t member_id,
                                         int64_t qso_id, struct contact_id id);

/* Stores that two QSOs are two contacts, as ids of a program that no record can name; and removes
 * this. */
enum store_result store_tell_apart(struct transaction *transaction, int64_t member_id, int64_t one,
                                   int64_t other);
enum store_result store_tell_no_longer_apart(struct transaction *transaction, int64_t member_id,
                                             int64_t one, int64_t other);

/* Gives everything that is known of one QSO to another of the same member. */
enum store_result store_move_known(struct transaction *transaction, int64_t member_id,
                                   int64_t former_id, int64_t qso_id);

/* -- For other files of the store -------------------------------------------------------------- */

/* After a QSO was deleted that will not come back. */
enum store_result known_forget(struct transaction *transaction, int64_t member_id, int64_t qso_id);

#endif

/* The owner's view of a log: search, counts, map; and QSL cards. */
#ifndef QSOSYNC_STORE_LOG_H
#define QSOSYNC_STORE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "qso/match.h"
#include "store/members.h"
#include "store/qsos.h"

/* The QSOs that a walk visits, and their fields. */
struct log_walk {
    int64_t from_ms, to_ms; /* range of qsoAt: QSOs of other days may come, too */
    bool with_texts;        /* all fields; otherwise those that are FIELD_FILTERED */
    bool in_any_order;      /* faster, for callers that only count */
    /* Filters of the index, so that fewer rows are read; QSOs that do not match may come, too. */
    bool asks_confirmed, confirmed;
    int division;                   /* 0: any */
    struct match_callsign callsign; /* how the callsign worked begins; empty: any */
};

/* False: stop. */
typedef bool log_visitor(void *context, const struct qso *qso);

/* Calls visit for the member's QSOs, newest first by units of two hours (match_slot). QSOs of one
 * unit, or all if the walk allows it, come in any order. The QSO's texts are valid during the call,
 * which must not use the store. */
enum store_result store_walk_log(struct store *store, int64_t member_id,
                                 const struct log_walk *walk, log_visitor *visit, void *context);

/* Calls visit for the member's newest QSOs, in the order in which they were stored, with the fields
 * of a map alone (FIELD_MAPPED). */
enum store_result store_list_map_points(struct store *store, int64_t member_id, int64_t limit,
                                        qso_visitor *visit, void *context);

typedef void near_match_visitor(void *context, const struct qso *qso, const char *rule);

/* Calls visit for at most `limit` of the member's newest QSOs that another member's would confirm
 * but for one rule, with the rule's name. */
enum store_result store_list_near_matches(struct store *store, const struct member *member,
                                          int64_t limit, near_match_visitor *visit, void *context);

/* How many QSOs the member has, all and since the beginning of now_ms's day, month and year (UTC),
 * inside a read transaction. */
struct log_counts {
    int64_t qsos, of_day, of_month, of_year;
};
enum store_result store_count_log(struct store *store, int64_t member_id, int64_t now_ms,
                                  struct log_counts *out);

/* -- Cards: a design and a picture of each member ---------------------------------------------- */

enum card_part { CARD_DESIGN, CARD_PICTURE };

#define CARD_DESIGN_MAX_BYTES 4096
#define CARD_PICTURE_MAX_BYTES (300 << 10)

/* A card that came with a confirmation, as far as it is known without its QSO. */
struct card {
    int64_t id; /* id of the member's own QSO */
    int64_t confirmed_at_ms;
    /* with the other member's QSO; a peer may have confirmed it before */
    int64_t paired_at_ms;
    struct text design;        /* no text: none */
    int64_t picture_set_at_ms; /* 0: no picture */
};
typedef void card_visitor(void *context, const struct card *card);

/* Reads a part of a member's own card, or of the card of the member whose QSO confirms this QSO, in
 * the arena. STORE_NONE: no such part, or the QSO is not the member's, or not confirmed. */
enum store_result store_read_card(struct store *store, int64_t member_id, int64_t confirmed_qso,
                                  enum card_part part, struct arena *arena, struct text *content,
                                  int64_t *set_at_ms);

/* Runs its own transaction. */
enum store_result store_set_card(struct store *store, int64_t member_id, enum card_part part,
                                 struct text content);

/* Removes the picture, or the whole card. STORE_NONE: nothing to remove. The removal survives a
 * restore. Runs its own transaction. */
enum store_result store_remove_card(struct store *store, int64_t member_id, bool design_too);

/* The cards of a member's confirmed QSOs, those confirmed last first, from behind a position. Texts
 * are valid during the call. */
enum store_result store_list_cards(struct store *store, int64_t member_id, struct position before,
                                   int64_t limit, card_visitor *visit, void *context);

/* The one of this QSO; STORE_NONE as above. The design is in the arena. */
enum store_result store_find_card(struct store *store, int64_t member_id, int64_t id,
                                  struct arena *arena, struct card *out);

/* How many were confirmed after a time. */
enum store_result store_count_new_cards(struct store *store, int64_t member_id, int64_t since_ms,
                                        int64_t *count);

#endif

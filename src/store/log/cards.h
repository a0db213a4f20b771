/* QSL cards: a design and a picture of each member. */
#ifndef QSOSYNC_STORE_CARDS_H
#define QSOSYNC_STORE_CARDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"
#include "store/position.h"

struct store;

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

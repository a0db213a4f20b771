/* QSL cards: each member has a design and a picture. */
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

/* A card that a member received with a confirmation, without the data of the QSO. */
struct card {
    int64_t id; /* id of the member's own QSO */
    int64_t confirmed_at_ms;
    int64_t paired_at_ms;      /* by the other member's QSO; a peer may have confirmed it earlier */
    struct text design;        /* no text: none */
    int64_t picture_set_at_ms; /* 0: no picture */
};
typedef void card_visitor(void *context, const struct card *card);

/* The content of a card's part. */
struct card_content {
    struct text text;
    int64_t set_at_ms;
};

/* Reads a part of the card of the member whose QSO confirms confirmed_qso, or (0) of the member's
 * own card, into the arena. STORE_NONE: the part does not exist, or the member has no such
 * confirmed QSO; *out is then unchanged. */
enum store_result store_read_card(struct store *store, int64_t member_id, int64_t confirmed_qso,
                                  enum card_part part, struct arena *arena,
                                  struct card_content *out);

/* Sets a part of the member's own card. STORE_FULL: the member's storage is full. Runs its own
 * transaction. */
enum store_result store_set_card(struct store *store, int64_t member_id, enum card_part part,
                                 struct text content);

/* Removes the picture, or the whole card. STORE_NONE: nothing to remove. The removal survives a
 * restore. Runs its own transaction. */
enum store_result store_remove_card(struct store *store, int64_t member_id, bool design_too);

/* Lists the cards for a member's confirmed QSOs after a position, latest confirmation first. Texts
 * are valid during the call. */
enum store_result store_list_cards(struct store *store, int64_t member_id, struct position before,
                                   int64_t limit, card_visitor *visit, void *context);

/* Finds the card for one QSO; its design is in the arena. STORE_NONE: the member has no such
 * confirmed QSO. */
enum store_result store_find_card(struct store *store, int64_t member_id, int64_t id,
                                  struct arena *arena, struct card *out);

/* Counts the cards for QSOs that were confirmed after a time. */
enum store_result store_count_new_cards(struct store *store, int64_t member_id, int64_t since_ms,
                                        int64_t *count);

#endif

/* Stores QSL cards: members' designs and pictures. */
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

/* A card that a member received with a confirmation, without the QSO's data. */
struct card {
    int64_t id; /* id of the member's own QSO */
    int64_t confirmed_at_ms;
    /* time of the confirmation by the other member's QSO; a peer may have confirmed earlier */
    int64_t paired_at_ms;
    struct text design;        /* the other member's design; no text: none */
    int64_t picture_set_at_ms; /* time at which the picture was set; 0: no picture */
};
typedef void card_visitor(void *context, const struct card *card);

/* The content of one part of a card. */
struct card_content {
    struct text text;
    int64_t set_at_ms;
};

/* Reads a part of a card into the arena: the card of the member whose QSO confirms confirmed_qso,
 * or the member's own card if confirmed_qso is 0. Returns STORE_NONE if the part does not exist, or
 * if the member has no such confirmed QSO; *out is then unchanged. */
enum store_result store_read_card(struct store *store, int64_t member_id, int64_t confirmed_qso,
                                  enum card_part part, struct arena *arena,
                                  struct card_content *out);

/* Sets a part of the member's own card. Returns STORE_FULL if the member's storage is full. Runs
 * its own transaction. */
enum store_result store_set_card(struct store *store, int64_t member_id, enum card_part part,
                                 struct text content);

/* Removes the picture, or the whole card if design_too is true. Returns STORE_NONE if nothing can
 * be removed. The removal remains in effect after a restore. Runs its own transaction. */
enum store_result store_remove_card(struct store *store, int64_t member_id, bool design_too);

/* Calls visit for at most `limit` cards for a member's confirmed QSOs after the position `before`,
 * latest confirmation first. The texts are valid during the call to visit. */
enum store_result store_list_cards(struct store *store, int64_t member_id, struct position before,
                                   int64_t limit, card_visitor *visit, void *context);

/* Finds the card for one QSO. The card's design is in the arena. Returns STORE_NONE if the member
 * has no such confirmed QSO. */
enum store_result store_find_card(struct store *store, int64_t member_id, int64_t id,
                                  struct arena *arena, struct card *out);

/* Counts all cards of a member. */
enum store_result store_count_cards(struct store *store, int64_t member_id, int64_t *count);

/* Counts the cards for QSOs that another member's QSO confirmed after since_ms. */
enum store_result store_count_new_cards(struct store *store, int64_t member_id, int64_t since_ms,
                                        int64_t *count);

#endif

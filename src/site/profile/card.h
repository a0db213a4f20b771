/* The pictures of QSL cards. */
#ifndef QSOSYNC_SITE_CARD_H
#define QSOSYNC_SITE_CARD_H

#include "worker/route.h"

/* Returns whether the club shows pictures on cards. */
bool card_shows_pictures(struct exchange *exchange);

/* Answers with a picture. The route profile_picture sends the picture on the member's own card;
 * profile_partner_picture sends the picture of the member who confirms the QSO exchange->number. */
const struct error *card_answer_picture(struct exchange *exchange);

#endif

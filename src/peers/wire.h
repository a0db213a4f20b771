/* The names and bounds in the protocol between clubs, which qsosync-peers(7) describes. answer.c
 * and answer_pairing.c implement one side, visit.c and pairing.c the other side.
 * store/club/claims_serve.h limits the members and items on a page. */
#ifndef QSOSYNC_PEERS_WIRE_H
#define QSOSYNC_PEERS_WIRE_H

#include "base/text.h"

#define WIRE_PATH "/peers/v1/"
#define WIRE_CLAIMS WIRE_PATH "claims"
#define WIRE_PAIR WIRE_PATH "pair"

#define WIRE_CLUB_NAME_MAX 80 /* maximum length in code points */
#define WIRE_CALLSIGN_MAX 20  /* maximum length in code points */
#define WIRE_ID_BYTES_MAX 64
#define WIRE_CURSOR_BYTES_MAX 500 /* maximum length of a cursor or of an epoch */
#define WIRE_CHANNEL_MAX 16

/* The request to pair. The answer contains only the club's name. */
#define WIRE_CODE "code"
#define WIRE_ADDRESS "address"
#define WIRE_CLUB "club"
#define WIRE_YOUR_KEY "yourKey" /* both keys are named from the sender's point of view */
#define WIRE_MY_KEY "myKey"

/* The request for claims. */
#define WIRE_MEMBERS "members"
#define WIRE_CURSOR "cursor"
#define WIRE_LIMIT "limit"

/* The answer with claims. */
#define WIRE_CLAIM_LIST "claims"
#define WIRE_WITHDRAWN_LIST "withdrawn"
#define WIRE_WITHDRAWN_AT "at"
#define WIRE_NEXT_CURSOR "nextCursor"
#define WIRE_SERVER_TIME "serverTime"
#define WIRE_COMPLETE "complete"
#define WIRE_EPOCH "epoch"

/* The fields of a member in the request for claims. */
enum wire_member { WIRE_MEMBER_CALLSIGN, WIRE_MEMBER_SINCE, WIRE_MEMBER_FIELDS };
extern const char *const wire_member_names[WIRE_MEMBER_FIELDS];

/* The fields of a claim in the answer. A withdrawal contains only its id and a time. */
enum wire_claim {
    WIRE_ID,
    WIRE_STATION,
    WIRE_WORKED,
    WIRE_BAND,
    WIRE_CHANNEL,
    WIRE_MODE_FAMILY,
    WIRE_QSO_AT,
    WIRE_CLAIM_FIELDS
};
extern const char *const wire_claim_names[WIRE_CLAIM_FIELDS];

/* Return the number of the field with this name, or -1 if there is no such field. */
int wire_find_member_field(struct text name);
int wire_find_claim_field(struct text name);

#endif

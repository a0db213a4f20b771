/* The table of the errors that the API does not have: of sessions, forms and uploads. Status, code
 * and headers of one stand in one row, as in src/http/error.c, which has those that both programs
 * answer with. */
#include "site/site_error.h"

#include <stddef.h>

#define REFUSAL(name, number, word)                                                                \
    const struct error site_error_##name = {.status = number, .code = word}

/* 401 has to name a way in (RFC 9110, section 15.5.2). For one that they do not know browsers show
 * no window of their own. */
#define SIGN_IN(name, word)                                                                        \
    const struct error site_error_##name = {                                                       \
        .status = 401, .code = word, .header_name = "WWW-Authenticate", .header_value = "Cookie"}

SIGN_IN(no_session, "SIGN_IN.REQUIRED");
SIGN_IN(wrong, "SIGN_IN.WRONG"); /* no active member has this callsign and this password */
SIGN_IN(link_unknown, "SIGN_IN.LINK_UNKNOWN");
SIGN_IN(link_used, "SIGN_IN.LINK_USED"); /* each works once */
SIGN_IN(link_expired, "SIGN_IN.LINK_EXPIRED");
SIGN_IN(link_replaced, "SIGN_IN.LINK_REPLACED");        /* by a newer one */
SIGN_IN(passkey_wrong, "SIGN_IN.PASSKEY_WRONG");        /* nobody's, or the challenge is too old */
REFUSAL(passkey_copied, 403, "SIGN_IN.PASSKEY_COPIED"); /* its counter has not risen */
REFUSAL(not_encrypted, 403, "SIGN_IN.NOT_ENCRYPTED");   /* members sign in over TLS alone */
REFUSAL(no_operator, 403, "OPERATOR.NO_ROLE");
REFUSAL(proof_too_old, 403, "OPERATOR.PROOF_TOO_OLD"); /* the password is to be given once more */
REFUSAL(cross_site, 403, "PROFILE.CROSS_SITE");        /* not from the service's own pages */
REFUSAL(log_not_granted, 403, "PROFILE.LOG_NOT_GRANTED"); /* or not any more */
REFUSAL(too_many, 409, "PROFILE.TOO_MANY");               /* one has to be revoked first */
REFUSAL(no_pictures, 403, "PROFILE.NO_PICTURES");         /* the club shows none on cards */
REFUSAL(last_operator, 409, "OPERATOR.LAST_OPERATOR");    /* no active one would be left */
REFUSAL(own_membership, 409, "OPERATOR.OWN_MEMBERSHIP");  /* operators cannot end it there */
REFUSAL(callsign_taken, 409, "OPERATOR.CALLSIGN_TAKEN");  /* perhaps in another spelling */
REFUSAL(still_active, 409, "OPERATOR.STILL_ACTIVE");      /* the member is to be disabled first */
REFUSAL(disabled, 409, "OPERATOR.DISABLED");              /* the member cannot be invited */
REFUSAL(station, 409, "OPERATOR.STATION");                /* nobody signs in as a station */
REFUSAL(no_station, 409, "OPERATOR.NO_STATION"); /* members operate stations, and these alone */
REFUSAL(no_address, 409, "OPERATOR.NO_ADDRESS"); /* its own, which clubs reach by https */
REFUSAL(paired, 409, "OPERATOR.PAIRED");         /* is to be removed to begin again */
REFUSAL(no_card, 409, "OPERATOR.NO_CARD");

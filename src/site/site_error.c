/* The table of the errors that the API does not have: of sessions, forms and uploads. Status, code
 * and headers of one stand in one row, as in src/http/error.c, which has those that both programs
 * answer with. */
#include "site/site_error.h"

#include <stddef.h>

#define REFUSAL(name, number, word, sentence)                                                      \
    const struct error site_error_##name = {.status = number, .code = word, .summary = sentence}

/* 401 has to name a way in (RFC 9110, section 15.5.2). For one that they do not know browsers show
 * no window of their own. */
#define SIGN_IN(name, word, sentence)                                                              \
    const struct error site_error_##name = {.status = 401,                                         \
                                            .code = word,                                          \
                                            .summary = sentence,                                   \
                                            .header_name = "WWW-Authenticate",                     \
                                            .header_value = "Cookie"}

SIGN_IN(no_session, "SIGN_IN.REQUIRED", "You are not signed in.");
SIGN_IN(wrong, "SIGN_IN.WRONG", "No active member has this callsign and this password.");
SIGN_IN(link_unknown, "SIGN_IN.LINK_UNKNOWN", "There is no such link.");
SIGN_IN(link_used, "SIGN_IN.LINK_USED", "The link was used already; each works once.");
SIGN_IN(link_expired, "SIGN_IN.LINK_EXPIRED", "The time of the link is over.");
SIGN_IN(link_replaced, "SIGN_IN.LINK_REPLACED", "A newer link has taken its place.");
SIGN_IN(passkey_wrong, "SIGN_IN.PASSKEY_WRONG",
        "No active member has this passkey, or the challenge is too old.");
REFUSAL(passkey_copied, 403, "SIGN_IN.PASSKEY_COPIED",
        "The passkey's counter has not risen: there is a copy of it.");
REFUSAL(not_encrypted, 403, "SIGN_IN.NOT_ENCRYPTED", "Members sign in over TLS alone.");
REFUSAL(no_operator, 403, "OPERATOR.NO_ROLE", "The member does not run this club.");
REFUSAL(proof_too_old, 403, "OPERATOR.PROOF_TOO_OLD", "The password has to be given once more.");
REFUSAL(cross_site, 403, "PROFILE.CROSS_SITE",
        "A change has to come from the service's own pages.");
REFUSAL(log_not_granted, 403, "PROFILE.LOG_NOT_GRANTED",
        "The member may not do this in that log, or not any more.");
REFUSAL(too_many, 409, "PROFILE.TOO_MANY",
        "The member has as many as a member can have; one has to be revoked first.");
REFUSAL(no_pictures, 403, "PROFILE.NO_PICTURES", "The club shows no pictures on cards.");
REFUSAL(last_operator, 409, "OPERATOR.LAST_OPERATOR", "No active operator would be left.");
REFUSAL(own_membership, 409, "OPERATOR.OWN_MEMBERSHIP",
        "Operators cannot end their own membership or sign-in on their page.");
REFUSAL(callsign_taken, 409, "OPERATOR.CALLSIGN_TAKEN",
        "Another member has the callsign, perhaps in another spelling.");
REFUSAL(still_active, 409, "OPERATOR.STILL_ACTIVE", "Disable the member first.");
REFUSAL(disabled, 409, "OPERATOR.DISABLED", "The member is disabled, and cannot be invited.");
REFUSAL(station, 409, "OPERATOR.STATION", "Nobody signs in as a station; let a member operate it.");
REFUSAL(no_station, 409, "OPERATOR.NO_STATION",
        "Only members operate stations, and only stations are operated by others.");
REFUSAL(no_address, 409, "OPERATOR.NO_ADDRESS",
        "The service needs an address of its own, which other clubs reach by https.");
REFUSAL(paired, 409, "OPERATOR.PAIRED",
        "The club is a peer already; to begin again, remove it first.");
REFUSAL(no_card, 409, "OPERATOR.NO_CARD", "The member has no QSL card.");

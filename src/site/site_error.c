/* The table of the errors that the API does not have: of sessions, forms and uploads. Status, code
 * and headers of one stand in one row, as in src/http/error.c, which has those that both programs
 * answer with. */
#include "site/site_error.h"

#include <stddef.h>

/* 401 has to name a way in (RFC 9110, section 15.5.2). For one that they do not know browsers show
 * no window of their own. */
#define WAY_IN .header_name = "WWW-Authenticate", .header_value = "Cookie"

const struct error site_error_no_session = {
    .status = 401,
    .code = "SIGN_IN.REQUIRED",
    .summary = "You are not signed in.",
    WAY_IN,
};
const struct error site_error_wrong = {
    .status = 401,
    .code = "SIGN_IN.WRONG",
    .summary = "No active member has this callsign and this password.",
    WAY_IN,
};
const struct error site_error_link_unknown = {
    .status = 401,
    .code = "SIGN_IN.LINK_UNKNOWN",
    .summary = "There is no such link.",
    WAY_IN,
};
const struct error site_error_link_used = {
    .status = 401,
    .code = "SIGN_IN.LINK_USED",
    .summary = "The link was used already; each works once.",
    WAY_IN,
};
const struct error site_error_link_expired = {
    .status = 401,
    .code = "SIGN_IN.LINK_EXPIRED",
    .summary = "The time of the link is over.",
    WAY_IN,
};
const struct error site_error_link_replaced = {
    .status = 401,
    .code = "SIGN_IN.LINK_REPLACED",
    .summary = "A newer link has taken its place.",
    WAY_IN,
};
const struct error site_error_passkey_wrong = {
    .status = 401,
    .code = "SIGN_IN.PASSKEY_WRONG",
    .summary = "No active member has this passkey, or the challenge is too old.",
    WAY_IN,
};
const struct error site_error_passkey_copied = {
    .status = 403,
    .code = "SIGN_IN.PASSKEY_COPIED",
    .summary = "The passkey's counter has not risen: there is a copy of it.",
};
const struct error site_error_not_encrypted = {
    .status = 403,
    .code = "SIGN_IN.NOT_ENCRYPTED",
    .summary = "Members sign in over TLS alone.",
};
const struct error site_error_no_operator = {
    .status = 403,
    .code = "OPERATOR.NO_ROLE",
    .summary = "The member does not run this club.",
};
const struct error site_error_proof_too_old = {
    .status = 403,
    .code = "OPERATOR.PROOF_TOO_OLD",
    .summary = "The password has to be given once more.",
};
const struct error site_error_cross_site = {
    .status = 403,
    .code = "PROFILE.CROSS_SITE",
    .summary = "A change has to come from the service's own pages.",
};
const struct error site_error_log_not_granted = {
    .status = 403,
    .code = "PROFILE.LOG_NOT_GRANTED",
    .summary = "The member may not do this in that log, or not any more.",
};
const struct error site_error_too_many = {
    .status = 409,
    .code = "PROFILE.TOO_MANY",
    .summary = "The member has as many as a member can have; one has to be revoked first.",
};
const struct error site_error_no_pictures = {
    .status = 403,
    .code = "PROFILE.NO_PICTURES",
    .summary = "The club shows no pictures on cards.",
};
const struct error site_error_last_operator = {
    .status = 409,
    .code = "OPERATOR.LAST_OPERATOR",
    .summary = "No active operator would be left.",
};
const struct error site_error_own_membership = {
    .status = 409,
    .code = "OPERATOR.OWN_MEMBERSHIP",
    .summary = "Operators cannot end their own membership or sign-in on their page.",
};
const struct error site_error_callsign_taken = {
    .status = 409,
    .code = "OPERATOR.CALLSIGN_TAKEN",
    .summary = "Another member has the callsign, perhaps in another spelling.",
};
const struct error site_error_still_active = {
    .status = 409,
    .code = "OPERATOR.STILL_ACTIVE",
    .summary = "Disable the member first.",
};
const struct error site_error_disabled = {
    .status = 409,
    .code = "OPERATOR.DISABLED",
    .summary = "The member is disabled, and cannot be invited.",
};
const struct error site_error_station = {
    .status = 409,
    .code = "OPERATOR.STATION",
    .summary = "Nobody signs in as a station; let a member operate it.",
};
const struct error site_error_no_station = {
    .status = 409,
    .code = "OPERATOR.NO_STATION",
    .summary = "Only members operate stations, and only stations are operated by others.",
};
const struct error site_error_no_address = {
    .status = 409,
    .code = "OPERATOR.NO_ADDRESS",
    .summary = "The service needs an address of its own, which other clubs reach by https.",
};
const struct error site_error_paired = {
    .status = 409,
    .code = "OPERATOR.PAIRED",
    .summary = "The club is a peer already; to begin again, remove it first.",
};
const struct error site_error_no_card = {
    .status = 409,
    .code = "OPERATOR.NO_CARD",
    .summary = "The member has no QSL card.",
};

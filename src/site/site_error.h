/* Request-level errors of the site, like those of http/error.h. */
#ifndef QSOSYNC_SITE_SITE_ERROR_H
#define QSOSYNC_SITE_SITE_ERROR_H

#include "http/error.h"

extern const struct error site_error_no_session;
extern const struct error site_error_wrong;
extern const struct error site_error_link_unknown;
extern const struct error site_error_link_used;
extern const struct error site_error_link_expired;
extern const struct error site_error_link_replaced;
extern const struct error site_error_passkey_wrong;
extern const struct error site_error_passkey_copied;
extern const struct error site_error_not_encrypted;
extern const struct error site_error_no_operator;
extern const struct error site_error_proof_too_old;
extern const struct error site_error_cross_site;
extern const struct error site_error_log_not_granted;
extern const struct error site_error_too_many;
extern const struct error site_error_no_pictures;
/* What the operator's page refuses. */
extern const struct error site_error_last_operator;
extern const struct error site_error_own_membership;
extern const struct error site_error_callsign_taken;
extern const struct error site_error_still_active;
extern const struct error site_error_disabled;
extern const struct error site_error_station;
extern const struct error site_error_no_station;
extern const struct error site_error_no_address;
extern const struct error site_error_paired;
extern const struct error site_error_no_card;

#endif

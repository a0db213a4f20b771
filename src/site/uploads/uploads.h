/* Helpers for the protocols of upload programs: Cloudlog's under /cloudlog, LOG11DX's under
 * /api/wsjtx, PoLo's under /lofi. */
#ifndef QSOSYNC_SITE_UPLOADS_H
#define QSOSYNC_SITE_UPLOADS_H

#include <stdbool.h>

#include "base/text.h"
#include "worker/route.h"
#include "store/credentials.h"
#include "transfer/report.h"

/* Fills the exchange's identity with the member to whom a token of this kind belongs; that member
 * is then the writer. Returns STORE_NONE if the token is not valid, and STORE_BUSY if the request
 * must wait for the member's turn. The day of use is recorded when the request ends. */
enum store_result uploads_identify(struct exchange *exchange, struct text token,
                                   enum api_key_kind kind);

/* Saves ADIF records in the log of the exchange's identity, in separate transactions. The caller
 * has initialised the report. */
enum store_result uploads_import(struct exchange *exchange, struct text adif, bool dry_run,
                                 struct report *report);

#endif

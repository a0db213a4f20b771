/* Every stable code that a client may meet, with its status and its permanence, in one table.
 *
 * A function that may refuse returns a pointer to a fault; NULL means accepted. */
#ifndef QSOSYNC_BASE_FAULT_H
#define QSOSYNC_BASE_FAULT_H

#include <stdbool.h>
#include <stddef.h>

struct fault {
    const char
        *code;      /* stable, never translated; for a plain entry rejection an English sentence */
    int status;     /* HTTP status as a request-level error; 0: only inside a batch result */
    bool permanent; /* in a batch result: the QSO itself is wrong, sending it again is useless */
    const char *summary; /* one sentence for the API description */
};

/* Request-level errors (API section 7.1). */
extern const struct fault fault_validation_failed;
extern const struct fault fault_body_too_large; /* the same code with status 413 */
extern const struct fault fault_key_invalid;
extern const struct fault fault_read_only;
extern const struct fault fault_not_found;
extern const struct fault fault_method_not_allowed;
extern const struct fault fault_rate_limited;
extern const struct fault fault_internal;

/* Per-QSO rejections (API section 7.2). */
extern const struct fault fault_client_id_invalid;
extern const struct fault fault_datetime_invalid;
extern const struct fault fault_locator_invalid;
extern const struct fault fault_frequency_format;
extern const struct fault fault_frequency_out_of_band;
extern const struct fault fault_channel_out_of_range;
extern const struct fault fault_ctcss_format;
extern const struct fault fault_dcs_format;
extern const struct fault fault_client_id_conflict;

/* All of the per-QSO codes, for the API description; ends with NULL. */
extern const struct fault *const fault_entry_rejections[];

#endif

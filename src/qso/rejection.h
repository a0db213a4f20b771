/* Why one entry of a batch is refused (API section 7.2): every stable code, in one table.
 *
 * A function that may refuse a QSO returns a pointer to a rejection; NULL means accepted. */
#ifndef QSOSYNC_QSO_REJECTION_H
#define QSOSYNC_QSO_REJECTION_H

#include <stdbool.h>

struct rejection {
    const char *code; /* a stable code, or an English sentence that names the field first */
    bool permanent;   /* the QSO itself is wrong, sending it again unchanged is useless */
};

extern const struct rejection rejection_client_id_invalid;
extern const struct rejection rejection_datetime_invalid;
extern const struct rejection rejection_locator_invalid;
extern const struct rejection rejection_frequency_format_invalid;
extern const struct rejection rejection_frequency_out_of_band_11m;
extern const struct rejection rejection_channel_out_of_range;
extern const struct rejection rejection_ctcss_format_invalid;
extern const struct rejection rejection_dcs_format_invalid;
extern const struct rejection rejection_client_id_conflict;

/* The database refused this entry alone; the only one for which another attempt can help. */
extern const struct rejection rejection_internal;

/* All of them, for the API description; ends with NULL. */
extern const struct rejection *const rejections[];

#endif

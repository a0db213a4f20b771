/* For opening a database: what the statements of log_views.sql need beside the schema. */
#ifndef QSOSYNC_STORE_LOG_VIEWS_H
#define QSOSYNC_STORE_LOG_VIEWS_H

#include "store/database.h"

/* Adds the SQL function that visit_qso_times calls, to be done before statements are prepared. */
enum store_result log_views_add_function(struct store *store);

#endif

/* Starts the sending of alerts: the unit qsosync-alerts.path waits for a file next to the logbook
 * to be written. */
#ifndef QSOSYNC_STORE_ALERT_WAKE_H
#define QSOSYNC_STORE_ALERT_WAKE_H

#include "store/transaction.h"

/* Writes the file. */
void alert_wake(struct store *store);

/* Writes the file if a rule is on, inside the open transaction that stores a spot. The sender first
 * records its run, and so waits for this transaction. */
enum store_result alert_wake_for_spot(struct transaction *transaction);

#endif

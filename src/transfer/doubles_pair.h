/* A pair of QSOs that can be duplicates, and the QSO that a merge leaves. */
#ifndef QSOSYNC_TRANSFER_DOUBLES_PAIR_H
#define QSOSYNC_TRANSFER_DOUBLES_PAIR_H

#include "base/arena.h"
#include "qso/contact.h"
#include "qso/qso.h"
#include "store/store.h"

/* One of the QSOs in a pair, and the contact that this QSO describes. */
struct doubles_side {
    struct qso qso;
    struct contact contact;
};

/* The log whose QSOs are compared. */
struct doubles_log {
    struct store *store;
    int64_t member_id;
    struct contact_own own; /* the log's own callsigns */
};

/* Reads a QSO and the contact that the QSO describes. The contact lasted length_ms. */
enum store_result doubles_read_side(const struct doubles_log *log, int64_t id, int64_t length_ms,
                                    struct arena *arena, struct doubles_side *out);

/* Returns STORE_DONE if the QSOs are the same contact. Returns STORE_CONFLICT if their values
 * differ too much, if a program has given them different ids, or if they are marked as two
 * contacts. */
enum store_result doubles_compare(const struct doubles_log *log, const struct doubles_side *one,
                                  const struct doubles_side *other);

/* Fills *out with the QSO that a merge of both QSOs leaves. */
void doubles_join(const struct doubles_log *log, const struct qso *kept, const struct qso *gone,
                  struct arena *arena, struct qso *out);

/* Stores in *out whether the QSO of `one` is kept. If PoLo has exactly one of the QSOs, that QSO is
 * kept, because PoLo would otherwise receive its own QSO as deleted. In all other cases, the QSO
 * that was saved first is kept. */
enum store_result doubles_is_kept(const struct doubles_log *log, const struct doubles_side *one,
                                  const struct doubles_side *other, bool *out);

#endif

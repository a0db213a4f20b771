/* What the store does for the other layers: it keeps everything that the service keeps, in one
 * SQLite database.
 *
 * Callers say what they want in the service's own words; nobody else knows of SQL, statements,
 * locks and the file's layout. A failure is logged once, by the store. Functions that can fail
 * return an enum store_result; output parameters are filled only with STORE_DONE. */
#ifndef QSOSYNC_STORE_STORE_H
#define QSOSYNC_STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/api_key.h"
#include "base/arena.h"
#include "base/text.h"
#include "qso/qso.h"

enum store_result {
    STORE_DONE,
    STORE_NONE,     /* nothing there that fits */
    STORE_CONFLICT, /* it exists already and is somebody else's: a clientId, a file */
    STORE_REFUSED,  /* a rule of the database forbids it: unique, ten keys, a value out of range */
    STORE_DENIED,   /* whom the write is for may write no longer: revoked, disabled, deleted */
    STORE_BUSY,     /* another writer held the database for longer than we wait */
    STORE_BROKEN,   /* disk full, I/O error, damaged or missing file: see the log */
};

/* One open database. A process may hold several; all of them belong to one thread. */
struct store;

enum store_opening {
    STORE_OPEN_EXISTING, /* a missing file is STORE_NONE */
    STORE_OPEN_BRIEFLY,  /* the same, for a single request: statements are prepared when needed */
    STORE_CREATE, /* a missing or empty file becomes a new logbook; an existing one is kept */
    STORE_OPEN_READ_ONLY, /* never changed; functions that write are not to be called */
    STORE_FOLLOW_SPOTS, /* the same, and takes little memory: only the functions of spots are there
                         */
};

/* Opens the database and its writer lock, brings the schema up to date and prepares every
 * statement, unless it says otherwise. A schema newer than this program, or a file that is no
 * logbook, is STORE_BROKEN. */
enum store_result store_open(const char *path, enum store_opening opening, struct store **out);
void store_close(struct store *store); /* NULL is allowed */

/* Whether opening it brought an older schema forward. */
bool store_was_brought_forward(const struct store *store);

/* Whether this process has met damage in SQLite's own words (SQLITE_CORRUPT, SQLITE_NOTADB, what
 * its integrity check finds), and not only a disk, a right, a lock or a rule of ours. */
bool store_has_found_damage(void);

/* How long a write waits for other writers (default 10,000 ms). */
void store_set_write_wait(struct store *store, int64_t wait_ms);

/* False when the file at the store's path is no longer the one that is open, or a write found that
 * its schema has changed. */
bool store_is_current(const struct store *store);

/* To be called between requests, when nobody waits: sees to what a writer that died has left in the
 * write-ahead log, moves a long one into the database, and gives mapped pages of the file back to
 * the system once they are many, so that a worker stays small however large the logs are that it
 * reads. */
void store_checkpoint(struct store *store); /* NULL is allowed */

/* -- Transactions ------------------------------------------------------------------------------ */

/* A consistent snapshot for everything read until store_end_read. *now_ms comes in as the clock at
 * the start of the request and goes out as a time before which no write is missing from the
 * snapshot: the smaller of the clock and the stamp of a write that is on its way to the disk. */
enum store_result store_begin_read(struct store *store, int64_t *now_ms);
void store_end_read(struct store *store);

/* For what store_begin_read has said, and the snapshot's last stamp: the latest time that can be
 * told to the client. Where stamps run ahead of the clock, and no writer is at work, it is the last
 * stamp, which no write that the snapshot lacks has: downloads need not repeat what is ahead. Never
 * before the last restore in the snapshot, since when deletions are known. */
int64_t store_server_time(const struct store *store, int64_t now_ms, int64_t last_stamp_ms,
                          int64_t restored_ms);

/* Passes the writer lock and opens a write transaction; waits for other writers, with an end
 * (STORE_BUSY). *stamp_ms becomes the time of everything that the transaction writes: later than
 * the stamp of every earlier write, and than the serverTime of every reader that will not see it.
 */
enum store_result store_begin_write(struct store *store, int64_t *stamp_ms);

/* The same without waiting: STORE_BUSY when another writer is there. */
enum store_result store_try_begin_write(struct store *store, int64_t *stamp_ms);

/* With STORE_DONE everything since store_begin_write is on disk; otherwise nothing of it is. Either
 * way the writer lock is free again. */
enum store_result store_commit(struct store *store);
void store_rollback(struct store *store);

/* Ends the transaction by what came of its work: commits after STORE_DONE, rolls back otherwise.
 * Returns what became of it all. */
enum store_result store_finish(struct store *store, enum store_result result);

/* -- Members ----------------------------------------------------------------------------------- */

#define MEMBER_CALLSIGN_MAX 20 /* code points */

struct member {
    int64_t id;
    struct text callsign; /* upper case */
    struct text locator;  /* normal form */
    struct text login;
    bool active;
    int64_t created_at_ms;
    int64_t qso_count;        /* filled by store_list_members */
    int64_t active_key_count; /* filled by store_list_members */
    int64_t last_used_day;    /* of any key, in days since 1970-01-01; -1: never. Filled likewise */
};

/* Adds an active member (id, active, created_at_ms and the counts are ignored). STORE_REFUSED: the
 * callsign or the login exists already. Runs its own transaction. */
enum store_result store_add_member(struct store *store, const struct member *member);

/* The callsign is compared without case. The texts live in the arena. */
enum store_result store_find_member(struct store *store, struct arena *arena, struct text callsign,
                                    struct member *out);

/* The active member with this login name; the counts are not filled. */
enum store_result store_find_login(struct store *store, struct arena *arena, struct text login,
                                   struct member *out);

/* Gives the member with this login name another password; hash is what crypt(3) made of it. The
 * password file FILE-logins beside the database, for front servers, is written with it.
 * STORE_REFUSED: the login name holds what cannot stand in such a file. Runs its own transaction.
 */
enum store_result store_set_password(struct store *store, struct text login, const char *hash);

/* Makes the password file what the logbook says, and where there is none: Apache answers an error
 * of the server, not one of the client, as long as the file is missing. */
enum store_result store_make_password_file(struct store *store);

/* Calls visit for every member, by callsign; the texts are valid during the call. */
enum store_result store_list_members(struct store *store,
                                     void (*visit)(void *context, const struct member *member),
                                     void *context);

/* Runs its own transaction. */
enum store_result store_set_member_active(struct store *store, int64_t member_id, bool active);

/* A locator or a login of no text stays as it is; a login comes without a password. STORE_REFUSED:
 * another member has the login. Runs its own transaction. */
enum store_result store_set_member(struct store *store, int64_t member_id, struct text locator,
                                   struct text login);

/* Gives the member another callsign. QSOs that name no station callsign count under the new one
 * from now on, and their confirmations are decided as if each had just been written.
 * STORE_REFUSED: another member has the callsign. Runs its own transaction. */
enum store_result store_rename_member(struct store *store, int64_t member_id, struct text callsign);

/* Deletes the member with all QSOs, keys and spots; confirmations of others end as after deletions.
 * The member is to be inactive. In many short transactions, so that other writers get their turn:
 * after a failure some QSOs may be gone, and the next call goes on. */
enum store_result store_delete_member(struct store *store, int64_t member_id);

/* -- API keys ---------------------------------------------------------------------------------- */

#define KEY_NAME_MAX 80   /* code points */
#define KEY_ACTIVE_MAX 10 /* a member */

enum scope { SCOPE_NONE, SCOPE_READ, SCOPE_WRITE };

/* READ or WRITE. */
const char *store_scope_name(enum scope scope);

struct key {
    int64_t number;     /* unique in the logbook */
    struct text member; /* callsign */
    struct text name;
    enum scope scope;
    struct text hint; /* the key's first characters */
    int64_t created_at_ms;
    int64_t last_used_day; /* days since 1970-01-01; -1: never */
    int64_t revoked_at_ms; /* 0: active */
};

/* Stores the fingerprint of a key that the caller has made and shows once. STORE_REFUSED: the
 * member has ten active keys. Runs its own transaction; *number is the new key's. */
enum store_result store_add_key(struct store *store, int64_t member_id, struct text name,
                                enum scope scope, const char *key, int64_t *number);

/* Calls visit for every key of the member, oldest first; the texts are valid during the call. */
enum store_result store_list_keys(struct store *store, int64_t member_id,
                                  void (*visit)(void *context, const struct key *key),
                                  void *context);

/* The same for the keys of all members. */
enum store_result store_list_all_keys(struct store *store,
                                      void (*visit)(void *context, const struct key *key),
                                      void *context);

/* STORE_NONE: the member has no active key with this number. Runs its own transaction. */
enum store_result store_revoke_key(struct store *store, int64_t member_id, int64_t number);

/* What somebody has shown, and what is looked up again before anything is written. */
enum credential { CREDENTIAL_NONE, CREDENTIAL_KEY, CREDENTIAL_TOKEN, CREDENTIAL_LOGIN };

/* Who asks, and in whose log. */
struct identity {
    enum credential credential; /* none: the operator */
    int64_t member_id;
    int64_t key_number;
    enum scope scope;
    bool is_disabled;      /* what is written gets no new confirmations */
    struct text callsign;  /* in the arena */
    struct text locator;   /* in the arena */
    int64_t log_revision;  /* stamp of the last write to the member's log */
    int64_t log_epoch;     /* changes when an older logbook was restored */
    int64_t last_stamp_ms; /* of the logbook: no later write has a smaller one */
    int64_t restored_ms;   /* stamp of the logbook's last restore; 0: none */
    int64_t last_used_day;
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES]; /* of a key or token */
    struct text login;                                    /* of a login */
};

/* The active key of an active member that has this fingerprint; STORE_NONE otherwise. */
enum store_result store_find_identity(struct store *store, struct arena *arena,
                                      const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                      struct identity *out);

/* What became of a key, whether it still works or not; the callsign is in the arena. STORE_NONE:
 * the logbook never had it. */
struct key_state {
    struct text callsign;
    int64_t revoked_at_ms; /* 0: not revoked */
    bool member_is_active;
};
enum store_result store_find_key_state(struct store *store, struct arena *arena,
                                       const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                       struct key_state *out);

/* store_begin_write for this identity. Other writers, and the request's own body, may have taken a
 * while, so what was shown is looked up once more, with nobody else writing: STORE_DENIED, and no
 * transaction is open, where it holds no longer. *identity is filled again otherwise. */
enum store_result store_begin_write_as(struct store *store, struct arena *arena,
                                       struct identity *identity, int64_t *stamp_ms);

/* From now on store_begin_write is store_begin_write_as for this identity, in functions that run
 * their own transactions, too, which return STORE_DENIED then. Both stay the caller's and live
 * until another call says NULL. */
void store_write_as(struct store *store, struct arena *arena, struct identity *identity);

/* Notes the day of use, if that can be done without waiting; otherwise a later request will. Not to
 * be called inside a transaction. */
void store_note_key_use(struct store *store, int64_t key_number, int64_t day);

/* What was refused to a key last. */
struct refusal {
    int64_t refused_at_ms;
    struct text code;  /* an error's code, or that or the sentence of a rejected entry */
    struct text field; /* no text: none */
    int64_t entries;   /* rejected entries of the batch; 1 for a whole request */
};

/* Notes it, if that can be done without waiting. Not to be called inside a transaction. */
void store_note_key_refusal(struct store *store, int64_t key_number, const struct refusal *refusal);

/* STORE_NONE: nothing was refused to the key. The texts live in the arena. */
enum store_result store_find_key_refusal(struct store *store, struct arena *arena,
                                         int64_t key_number, struct refusal *out);

struct rejection;

/* Counts an entry of a batch that was rejected, over all workers together. Waits for nobody; where
 * it cannot be counted it is not. */
void store_count_rejection(struct store *store, const struct rejection *rejection);

/* Calls visit for each code of the table of rejections with how many entries it was the answer to,
 * and last, with the code NULL, for all entries that were rejected by a sentence. */
void store_list_rejection_counts(const struct store *store,
                                 void (*visit)(void *context, const char *code, int64_t count),
                                 void *context);

/* -- Upload door ------------------------------------------------------------------------------- */

enum store_result store_read_uploads(struct store *store, bool *on);

/* Runs its own transaction. */
enum store_result store_set_uploads(struct store *store, bool on);

/* Upload tokens are kept in the way of keys and with their bounds, without a scope. */
enum store_result store_add_token(struct store *store, int64_t member_id, struct text name,
                                  const char *token, int64_t *number);
enum store_result store_list_tokens(struct store *store, int64_t member_id,
                                    void (*visit)(void *context, const struct key *key),
                                    void *context);
enum store_result store_revoke_token(struct store *store, int64_t member_id, int64_t number);

/* The active token of an active member, while the door is open; STORE_NONE otherwise. The
 * identity's key number is the token's. */
enum store_result store_find_token(struct store *store, struct arena *arena,
                                   const unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES],
                                   struct identity *out);
void store_note_token_use(struct store *store, int64_t token_number, int64_t day);

/* -- QSOs -------------------------------------------------------------------------------------- */

/* The place after a QSO in the order of /logs; all zero: before the first one. */
struct position {
    int64_t synced_at_ms;
    int64_t id;
};

/* Calls visit for at most `limit` QSOs of the member after `after`, in the order of (synced_at,
 * id), inside a read transaction. The QSO's texts are valid during the call. */
enum store_result store_list_qsos(struct store *store, int64_t member_id, struct position after,
                                  int64_t limit,
                                  void (*visit)(void *context, const struct qso *qso),
                                  void *context);

/* Calls visit for every QSO of the member, in the same order, inside a read transaction, without
 * keeping any of them in memory. client_id is NULL for a QSO without one. Stops early, with
 * STORE_DONE, when visit returns false. */
enum store_result store_list_ids(struct store *store, int64_t member_id,
                                 bool (*visit)(void *context, int64_t id,
                                               const unsigned char *client_id),
                                 void *context);

/* The member's QSO with this clientId, inside a transaction of either kind; its texts are in the
 * arena. STORE_NONE: nobody has one. STORE_CONFLICT: another member's has it. */
enum store_result store_find_qso(struct store *store, int64_t member_id,
                                 const unsigned char client_id[16], struct arena *arena,
                                 struct qso *out);

/* The same for a QSO without a clientId, by its id. STORE_NONE: there is none, it is another
 * member's, or was first saved at another time. */
enum store_result store_find_nameless_qso(struct store *store, int64_t member_id, int64_t id,
                                          int64_t created_at_ms, struct arena *arena,
                                          struct qso *out);

/* The member's secret, a namespace for the UUIDs of QSOs that come without a clientId, inside a
 * transaction. STORE_NONE: it was not made yet. */
enum store_result store_find_client_id_secret(struct store *store, int64_t member_id,
                                              unsigned char out[16]);

/* Makes it, where there is none, inside the open write transaction. */
enum store_result store_make_client_id_secret(struct store *store, int64_t member_id,
                                              unsigned char out[16]);

/* Calls visit for the clientIds that are names (version 5) of the member's QSOs that are the same
 * contact as this one by station, callsign worked, band and minute, oldest first, inside a
 * transaction. The call must not use the store. */
enum store_result
store_list_named_contacts(struct store *store, const struct identity *member, const struct qso *qso,
                          void (*visit)(void *context, const unsigned char *client_id),
                          void *context);

#define STORE_SPOTS_A_MINUTE 20 /* that a member publishes; in any minute */

/* What became of one entry of a batch. */
struct saved_qso {
    int64_t id;
    int64_t spotted_at_ms; /* 0: never spotted */
};

/* Creates or updates one QSO of the member inside the open write transaction, known by its
 * clientId, or by an id that store_find_nameless_qso has found: fields that keep
 * their value when omitted keep it, a spot is published once where sendSpot asks for it and the
 * member has published fewer than STORE_SPOTS_A_MINUTE, and its confirmation is made, kept or
 * ended. STORE_CONFLICT: the clientId is another member's. STORE_REFUSED: the QSO alone was rolled
 * back. After anything else than these and STORE_DONE the transaction can only be rolled back. */
enum store_result store_save_qso(struct store *store, const struct identity *member,
                                 int64_t stamp_ms, const struct qso *qso, struct saved_qso *out);

/* Deletes the member's QSO with its spot, ends its confirmation and leaves a tombstone, inside the
 * open write transaction. STORE_NONE: the member has no such QSO. */
enum store_result store_delete_qso(struct store *store, const struct identity *member,
                                   int64_t stamp_ms, const unsigned char client_id[16]);

/* How long tombstones are kept (default two years). */
void store_set_tombstone_days(struct store *store, int64_t days);

/* Since when every deletion from the member's log is known, inside a read transaction: each one
 * with a stamp after *since_ms has its tombstone, unless its clientId is in use again. */
enum store_result store_find_deletions_since(struct store *store, int64_t member_id, int64_t now_ms,
                                             int64_t *since_ms);

/* Calls visit for at most `limit` deletions after `after`, in the order in which they stand among
 * the QSOs of the log: position is the stamp of the deletion and the id that the QSO had. client_id
 * is NULL for a QSO that had none. */
enum store_result store_list_tombstones(struct store *store, int64_t member_id,
                                        struct position after, int64_t limit,
                                        void (*visit)(void *context, struct position position,
                                                      const unsigned char *client_id),
                                        void *context);

/* -- A log as its owner looks at it -------------------------------------------------------------
 */

struct log_search {
    struct text callsign;   /* how the callsign worked begins, in any spelling; no text: any */
    int64_t from_ms, to_ms; /* of qsoAt, both included */
    int64_t before_ms, before_id; /* only QSOs before this one in the list */
};

/* Calls visit for at most `limit` QSOs of the member, newest first, inside a read transaction. The
 * QSO's texts are valid during the call. */
enum store_result store_search_log(struct store *store, int64_t member_id,
                                   const struct log_search *search, int64_t limit,
                                   void (*visit)(void *context, const struct qso *qso),
                                   void *context);

/* Calls visit for the member's newest QSOs, in the order in which they were stored, with the fields
 * of a map alone (FIELD_MAPPED). */
enum store_result store_list_places(struct store *store, int64_t member_id, int64_t limit,
                                    void (*visit)(void *context, const struct qso *qso),
                                    void *context);

/* What the numbers of a log are made of. */
struct qso_time {
    int64_t slot_ms;    /* begin of the two hours in which it was, all of which are in one month */
    struct text worked; /* the callsign in the form that is compared; no text: none */
    bool confirmed;
};

/* Calls visit for every QSO of the member, oldest two hours first. The text is valid during the
 * call, which must not use the store. */
enum store_result store_list_times(struct store *store, int64_t member_id,
                                   void (*visit)(void *context, const struct qso_time *time),
                                   void *context);

/* Calls visit for at most `limit` of the member's newest QSOs that another member's would confirm
 * but for one rule, with the rule's name. */
enum store_result
store_list_near_matches(struct store *store, const struct member *member, int64_t limit,
                        void (*visit)(void *context, const struct qso *qso, const char *rule),
                        void *context);

/* Deletes all QSOs of the member, in many short transactions like store_delete_member. *deleted
 * tells how many, also after a failure. */
enum store_result store_delete_log(struct store *store, int64_t member_id, int64_t *deleted);

/* -- Spots ------------------------------------------------------------------------------------- */

/* Is called with each spot of a list, whose texts are valid during the call; false ends the list.
 */
struct spot;
typedef bool spot_visitor(void *context, const struct spot *spot);

/* All spots, newest first. */
enum store_result store_list_spots(struct store *store, spot_visitor *visit, void *context);

/* The spots that were published after this one (0: all), oldest first. */
enum store_result store_list_spots_after(struct store *store, int64_t id, spot_visitor *visit,
                                         void *context);

/* The spots of a member's QSOs, in no order. */
enum store_result store_list_member_spots(struct store *store, int64_t member_id,
                                          spot_visitor *visit, void *context);

/* store_note_commits is called before a query; store_has_commits then tells whether anything was
 * committed, by whomever, that the query may not have seen. True also where that cannot be known. A
 * look costs no call of the system; a file that took the logbook's place is seen by
 * store_is_current. */
void store_note_commits(struct store *store);
bool store_has_commits(const struct store *store);

/* -- Care of the database ---------------------------------------------------------------------- */

/* From now on long work of this process calls show now and then: with what is being done (NULL: no
 * word for it), how many steps of it are done, and of how many (0: not known). To be set before a
 * database is opened. */
void store_show_progress(void (*show)(const char *phase, int64_t done, int64_t total));

/* Writes a consistent copy to a new file while the service goes on. STORE_CONFLICT: the file exists
 * already. A failed copy leaves no file. */
enum store_result store_back_up(struct store *store, const char *path);

/* The logbook as a whole. */
struct logbook_status {
    int64_t schema_version; /* as this program reads it */
    int64_t database_bytes;
    int64_t log_bytes; /* write-ahead log beside it */
    int64_t members, active_members;
    int64_t active_keys;
    int64_t qsos;
    int64_t spots;
    int64_t tombstones;
    int64_t passwords; /* members who have one */
    int64_t active_tokens;
    bool uploads;
    int64_t last_write_ms; /* 0: never */
    int64_t log_epoch;
};

enum store_result store_read_status(struct store *store, struct logbook_status *out);

/* What is known of the last backup: beside the logbook, so that an older one, restored, still
 * knows. */
struct backup_note {
    int64_t made_at_ms;
    struct text path;
};

/* Notes a backup that was made; only a failure is logged. */
void store_note_backup(const struct store *store, const struct backup_note *note);

/* Of the logbook of this name, whether it can be opened or not. STORE_NONE: none was ever noted.
 * The backup's path is in the arena. */
enum store_result store_find_backup_note(const char *logbook, struct arena *arena,
                                         struct backup_note *out);

/* What came of a restore. */
struct restored {
    char *kept;              /* where the former logbook went, in the arena; NULL: there was none */
    int64_t deleted_members; /* were in the backup, and stay deleted */
};

/* Puts a backup in the place of the logbook, while the service goes on or not: all of it or, on any
 * failure, nothing. The backup is checked first. Revoked keys stay revoked and deleted members
 * deleted, ids are not used again, stamps go on rising, and the log epoch changes, by which clients
 * notice. */
enum store_result store_restore(const char *path, const char *from, struct arena *arena,
                                struct restored *out);

/* What became of one member's log. */
struct restored_log {
    char *kept; /* a copy of the logbook from before, in the arena; NULL: nothing was changed */
    int64_t restored;     /* are back */
    int64_t changed_back; /* have the backup's content again */
    int64_t deleted;      /* were not in the backup */
    int64_t unchanged;
    int64_t left; /* in the backup, and not restored: another member has the clientId now */
};

/* Gives the member's log the content that the backup has of it, in many short transactions, while
 * the service goes on; the member and everything else stay as they are, and so does what is logged
 * meanwhile. Where it is killed in the middle, or fails (*out tells how far it got), the next call
 * goes on. STORE_NONE: the backup has no such member. */
enum store_result store_restore_member(struct store *store, const struct member *member,
                                       const char *from, struct arena *arena,
                                       struct restored_log *out);

/* Calls visit with the path of each copy that a killed restore left beside the logbook; the next
 * restore removes them. */
void store_list_abandoned_restores(const char *path, struct arena *arena,
                                   void (*visit)(void *context, const char *path), void *context);

/* The stamp of the last write: ahead of the clock where the clock was once ahead of itself. */
enum store_result store_find_last_stamp(struct store *store, int64_t *stamp_ms);

/* Calls report with a sentence for everything that is wrong: pages, foreign keys, rules that span
 * rows. STORE_DONE: the check ran; *problems tells how many there were. */
enum store_result store_check(struct store *store,
                              void (*report)(void *context, const char *problem), void *context,
                              int64_t *problems);

/* Calls visit with a sentence for everything that is no damage, but that an operator should know.
 */
enum store_result store_list_remarks(struct store *store,
                                     void (*visit)(void *context, const char *remark),
                                     void *context);

#endif

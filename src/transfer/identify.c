/* A record without a clientId of its own is looked for under the name that this service gives it,
 * then under those that everybody could calculate, which releases up to 1.0 gave, and then among
 * the QSOs that another program has named, by what it is. */
#include "transfer/identify.h"

#include <string.h>

#include "store/credentials.h"
#include "store/log.h"
#include "store/qsos.h"

#define ATTEMPTS_MAX 16

enum store_result identify_begin(struct identify *identify, bool may_write)
{
    const int64_t member_id = identify->member->member_id;
    enum store_result result =
        store_find_client_id_secret(identify->store, member_id, identify->secret);
    if (result == STORE_NONE && may_write)
        return store_make_client_id_secret(identify->store, member_id, identify->secret);
    /* In a dry run any other value does: no QSO can have been named with a secret yet. */
    if (result == STORE_NONE)
        memset(identify->secret, 0, sizeof identify->secret);
    return result == STORE_NONE ? STORE_DONE : result;
}

static enum store_result find(const struct identify *identify, const unsigned char *id,
                              struct arena *arena, struct qso *stored)
{
    return store_find_qso(identify->store, identify->member->member_id, id, arena, stored);
}

/* Counts QSOs of a record's contact, up to the one that is as many in the log as the record is in
 * its file. */
struct contacts {
    const struct naming_name *name;
    struct text member;
    unsigned char public_ids[NAMING_PUBLIC_OF_CONTACT][UUID_BYTES];
    bool has_public_ids; /* made when there is something to compare with them: seldom */
    uint32_t count;
    unsigned char id[UUID_BYTES]; /* of the last one that counts */
};

static bool is_public(struct contacts *contacts, const unsigned char *client_id)
{
    if (!contacts->has_public_ids)
        naming_make_contact_ids(contacts->name, contacts->member, contacts->public_ids);
    contacts->has_public_ids = true;
    for (size_t i = 0; i < NAMING_PUBLIC_OF_CONTACT; i++)
        if (memcmp(contacts->public_ids[i], client_id, UUID_BYTES) == 0)
            return true;
    return false;
}

/* A public name that is not the record's own is another record's of the same contact. */
static void count_contact(void *context, const unsigned char *client_id)
{
    struct contacts *contacts = context;
    if (contacts->count == contacts->name->ordinal || is_public(contacts, client_id))
        return;
    contacts->count++;
    memcpy(contacts->id, client_id, UUID_BYTES);
}

/* Each record of one contact looks at all QSOs that there are of it. Without an end to that, a file
 * of a single contact would take work with the square of its length. */
static enum store_result find_by_contact(const struct identify *identify,
                                         const struct naming_name *name, const struct qso *qso,
                                         struct arena *arena, struct qso *stored)
{
    struct contacts contacts = {.name = name, .member = identify->member->callsign};
    if (name->ordinal > NAMING_ORDINALS_MAX)
        return STORE_NONE;
    enum store_result result =
        store_list_named_contacts(identify->store, identify->member, qso, count_contact, &contacts);
    if (result != STORE_DONE)
        return result;
    return contacts.count == name->ordinal ? find(identify, contacts.id, arena, stored)
                                           : STORE_NONE;
}

/* Under the names with the secret, of which the first that is not another member's goes to id. The
 * second one is looked at, too: the first may have been another member's when the QSO was saved.
 * Then under public names; those of other members are not looked at. */
static enum store_result find_by_name(const struct identify *identify,
                                      const struct naming_name *name, const struct qso *qso,
                                      struct arena *arena, unsigned char id[UUID_BYTES],
                                      struct qso *stored)
{
    unsigned char tried[NAMING_PUBLIC_COUNT][UUID_BYTES];
    enum store_result result, named = STORE_CONFLICT;
    for (unsigned i = 0; i < ATTEMPTS_MAX && (named == STORE_CONFLICT || i < 2); i++) {
        naming_make_id(name, identify->secret, i, tried[0]);
        result = find(identify, tried[0], arena, stored);
        if (result != STORE_NONE && result != STORE_CONFLICT)
            return result;
        if (result == STORE_NONE && named == STORE_CONFLICT)
            memcpy(id, tried[0], UUID_BYTES);
        if (result == STORE_NONE)
            named = STORE_NONE;
    }
    naming_make_public_ids(name, identify->member->callsign, tried);
    for (size_t i = 0; i < NAMING_PUBLIC_COUNT; i++) {
        result = find(identify, tried[i], arena, stored);
        if (result != STORE_NONE && result != STORE_CONFLICT)
            return result;
    }
    result = find_by_contact(identify, name, qso, arena, stored);
    return result == STORE_NONE ? named : result;
}

enum store_result identify_record(const struct identify *identify, const struct naming_name *name,
                                  struct mapped *mapped, struct arena *arena, bool *own,
                                  struct qso *stored)
{
    struct value *client_id = &mapped->qso.values[FIELD_CLIENT_ID];
    enum store_result result = STORE_CONFLICT;
    *own = client_id->presence == VALUE_PRESENT;
    if (*own) {
        result = find(identify, (const unsigned char *)client_id->text, arena, stored);
    } else if (mapped->id) {
        result = store_find_nameless_qso(identify->store, identify->member->member_id, mapped->id,
                                         mapped->created_at_ms, arena, stored);
        *own = result == STORE_DONE;
        result = result == STORE_NONE ? STORE_CONFLICT : result;
    }
    if (result != STORE_CONFLICT)
        return result;
    *own = false;
    unsigned char *id = arena_allocate(arena, UUID_BYTES);
    result = find_by_name(identify, name, &mapped->qso, arena, id, stored);
    *client_id = result == STORE_DONE ? stored->values[FIELD_CLIENT_ID]
                                      : (struct value){.text = (const char *)id,
                                                       .length = UUID_BYTES,
                                                       .presence = VALUE_PRESENT};
    return result;
}

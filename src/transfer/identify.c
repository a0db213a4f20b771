/* A record without a clientId of its own is looked for under the name that this service gives it,
 * then under those that everybody could calculate, which releases up to 1.0 gave, and then among
 * the QSOs that another program has named, by what it is. */
#include "transfer/identify.h"

#include <string.h>

#include "adif/leftovers.h"
#include "adif/mapping.h"
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

/* Under the first name that is not another member's, which goes to id. The second one is looked at,
 * too: the first may have been another member's when the QSO was saved. */
static enum store_result find_by_secret(const struct identify *identify,
                                        const struct naming_name *name, struct arena *arena,
                                        unsigned char id[UUID_BYTES], struct qso *stored)
{
    enum store_result found = STORE_CONFLICT;
    for (unsigned i = 0; i < ATTEMPTS_MAX && (found == STORE_CONFLICT || i < 2); i++) {
        unsigned char tried[UUID_BYTES];
        naming_make_id(name, identify->secret, i, tried);
        enum store_result result = find(identify, tried, arena, stored);
        if (result == STORE_CONFLICT || (result == STORE_NONE && found == STORE_NONE))
            continue;
        memcpy(id, tried, UUID_BYTES);
        found = result;
        if (result != STORE_NONE)
            break;
    }
    return found;
}

/* Those of other members are not looked at. */
static enum store_result find_by_public(const struct identify *identify,
                                        const struct naming_name *name, struct arena *arena,
                                        unsigned char id[UUID_BYTES], struct qso *stored)
{
    unsigned char ids[NAMING_PUBLIC_COUNT][UUID_BYTES];
    naming_make_public_ids(name, identify->member->callsign, ids);
    for (size_t i = 0; i < NAMING_PUBLIC_COUNT; i++) {
        enum store_result result = find(identify, ids[i], arena, stored);
        if (result != STORE_NONE && result != STORE_CONFLICT) {
            memcpy(id, ids[i], UUID_BYTES);
            return result;
        }
    }
    return STORE_NONE;
}

/* Counts QSOs of a record's contact, up to the one that is as many in the log as the record is in
 * its file. */
struct contacts {
    const struct naming_name *name;
    struct text member;
    unsigned char public_ids[NAMING_PUBLIC_OF_CONTACT][UUID_BYTES];
    bool has_public_ids; /* made when there is something to compare with them: seldom */
    uint32_t count;
    unsigned char *id;
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
                                         struct arena *arena, unsigned char id[UUID_BYTES],
                                         struct qso *stored)
{
    struct contacts contacts = {.name = name, .member = identify->member->callsign, .id = id};
    if (name->ordinal > NAMING_ORDINALS_MAX)
        return STORE_NONE;
    enum store_result result =
        store_list_named_contacts(identify->store, identify->member, qso, count_contact, &contacts);
    if (result != STORE_DONE)
        return result;
    return contacts.count == name->ordinal ? find(identify, id, arena, stored) : STORE_NONE;
}

static enum store_result find_by_name(const struct identify *identify,
                                      const struct naming_name *name, const struct qso *qso,
                                      struct arena *arena, unsigned char id[UUID_BYTES],
                                      struct qso *stored)
{
    unsigned char other[UUID_BYTES];
    enum store_result named = find_by_secret(identify, name, arena, id, stored);
    if (named != STORE_NONE && named != STORE_CONFLICT)
        return named;
    enum store_result result = find_by_public(identify, name, arena, other, stored);
    if (result == STORE_NONE)
        result = find_by_contact(identify, name, qso, arena, other, stored);
    if (result == STORE_NONE)
        return named;
    memcpy(id, other, UUID_BYTES);
    return result;
}

enum store_result identify_record(const struct identify *identify, const struct naming_name *name,
                                  struct mapped *mapped, struct arena *arena, bool *own,
                                  struct qso *stored)
{
    const struct value *client_id = &mapped->qso.values[FIELD_CLIENT_ID];
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
    mapped->qso.values[FIELD_CLIENT_ID] =
        (struct value){.text = (const char *)id, .length = UUID_BYTES, .presence = VALUE_PRESENT};
    return result;
}

/* -- What is kept beside it -------------------------------------------------------------------- */

/* Compares the leftovers of a record with those that are kept beside its QSO: the same once more,
 * or a record that only knows less of the QSO, must not make a write. What a leftover is, is
 * decided in adif/leftovers.c. */

static enum store_result find_kept(const struct keep_choice *choice, struct arena *arena,
                                   struct text *kept)
{
    *kept = (struct text){0};
    if (!choice->stored)
        return STORE_DONE;
    return store_find_leftovers(choice->store, choice->member_id,
                                choice->stored->values[FIELD_ID].integer, arena, kept);
}

static bool is_noted(const struct keep_choice *choice)
{
    return choice->dry_run && dry_run_has_leftovers(choice->dry_run, choice->dry_run_id);
}

/* Would these be kept beside a QSO that has those? */
static bool replaces(const struct keep_choice *choice, struct text brought, struct text kept)
{
    if (is_noted(choice))
        return !choice->fills &&
               !dry_run_leftovers_are(choice->dry_run, choice->dry_run_id, brought);
    return kept.length == 0 || (!choice->fills && !text_equals(brought, kept));
}

/* What only spells values of the QSO is nothing that fills it. */
static struct text filter(const struct keep_choice *choice, struct text brought,
                          struct arena *arena)
{
    return choice->fills
               ? leftovers_select(brought, 0, arena)
               : mapping_filter_leftovers(choice->merged, brought, &choice->source, arena);
}

enum store_result keep_choose(const struct keep_choice *choice, struct text brought,
                              struct arena *arena, struct text *out)
{
    struct text kept;
    *out = (struct text){0};
    if (brought.length == 0)
        return STORE_DONE;
    enum store_result result = find_kept(choice, arena, &kept);
    if (result != STORE_DONE || !replaces(choice, brought, kept))
        return result;
    if (choice->stored || is_noted(choice)) {
        brought = filter(choice, brought, arena);
        kept = mapping_filter_leftovers(choice->merged, kept, &choice->source, arena);
    }
    if (brought.length > 0 && replaces(choice, brought, kept))
        *out = brought;
    if (choice->dry_run && out->length > 0)
        dry_run_note_leftovers(choice->dry_run, choice->dry_run_id, brought);
    return STORE_DONE;
}

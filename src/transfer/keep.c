/* Compares the leftovers of a record with those that are kept beside its QSO: the same once more,
 * or a record that only knows less of the QSO, must not make a write. What a leftover is, is
 * decided in adif/leftovers.c. */
#include "transfer/keep.h"

#include "adif/leftovers.h"
#include "adif/mapping.h"

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

/* Finds the member whose callsign is on the command line, and suggests one whose callsign differs
 * only in spelling. Commands about a member all begin here, so that they refuse an unknown callsign
 * in the same words. */
#include "admin/find_member.h"

#include "qso/match.h"

bool find_member_read_callsign(struct invocation *invocation, const char *argument,
                               struct text *callsign)
{
    if (member_read_callsign(invocation->arena, text_of(argument), callsign))
        return true;
    command_refuse("the callsign must be 1 to %d printable characters", MEMBER_CALLSIGN_MAX);
    return false;
}

bool find_member_read_locator(const char *argument, char normal[LOCATOR_LENGTH_MAX],
                              struct text *locator)
{
    struct text text = text_trim(text_of(argument));
    if (!locator_normalise(text, normal)) {
        command_refuse("%s is not a Maidenhead locator of 4 or 6 characters", argument);
        return false;
    }
    *locator = (struct text){normal, text.length};
    return true;
}

struct search {
    struct arena *arena;
    struct text callsign;
    const char *similar; /* NULL: none found yet */
};

static void compare(void *context, const struct member *member)
{
    struct search *search = context;
    if (match_same_callsign(search->callsign, member->callsign))
        search->similar =
            arena_copy(search->arena, member->callsign.bytes, member->callsign.length);
}

const char *find_member_similar(struct invocation *invocation, struct text callsign)
{
    struct search search = {invocation->arena, callsign, NULL};
    store_list_members(invocation->store, compare, &search);
    return search.similar;
}

static void refuse(struct invocation *invocation, struct text callsign)
{
    const char *similar = find_member_similar(invocation, callsign);
    if (similar)
        command_refuse("no member %s; did you mean %s?", callsign.bytes, similar);
    else
        command_refuse("no member %s", callsign.bytes);
}

bool find_member(struct invocation *invocation, const char *argument, struct member *member)
{
    struct text callsign;
    if (!find_member_read_callsign(invocation, argument, &callsign))
        return false;
    enum store_result result =
        store_find_member(invocation->store, invocation->arena, callsign, member);
    if (result == STORE_NONE)
        refuse(invocation, callsign);
    return result == STORE_DONE;
}

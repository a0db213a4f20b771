/* Names the faults of list entries, for programs and in sentences for people. */
#include "transfer/member_entry.h"

#include "base/arena.h"

/* The faults' names, and their sentences, in which %.*s becomes a callsign or the locator. */
static const struct {
    const char *name, *reason;
} words[MEMBER_FAULTS] = {
    [MEMBER_FAULT_NONE] = {"none", ""},
    [MEMBER_FAULT_TEXT] = {"text", "the line is not UTF-8"},
    [MEMBER_FAULT_CALLSIGN] = {"callsign", "a callsign must have 1 to " TEXT_OF(
                                               MEMBER_CALLSIGN_MAX) " printable characters"},
    [MEMBER_FAULT_MISSING] = {"missing", "there is no locator after %.*s"},
    [MEMBER_FAULT_LOCATOR] = {"locator", "%.*s is not a Maidenhead locator of 4 or 6 characters"},
    [MEMBER_FAULT_MORE] = {"more", "there is more text after the locator of %.*s"},
    [MEMBER_FAULT_TWICE] = {"twice", "already has the callsign %.*s"},
    [MEMBER_FAULT_EXISTS] = {"exists", "member %.*s already exists"},
    [MEMBER_FAULT_LOGIN] = {"login", "member %.*s already has the login name"},
    [MEMBER_FAULT_LENGTH] = {"length",
                             "a list must have at most " TEXT_OF(MEMBER_LIST_MAX) " members"},
};

const char *member_fault_name(enum member_fault fault)
{
    return words[fault].name;
}

const char *member_entry_reason(const struct member_entry *entry, struct arena *arena)
{
    const struct text shown = entry->other.bytes ? entry->other : entry->written,
                      login = entry->member.login;
    const char *reason =
        arena_print(arena, words[entry->fault].reason, (int)shown.length, shown.bytes);
    if (entry->fault == MEMBER_FAULT_TWICE)
        return arena_print(arena, "line %lld %s", (long long)entry->other_line, reason);
    if (entry->fault == MEMBER_FAULT_LOGIN)
        return arena_print(arena, "%s %.*s", reason, (int)login.length, login.bytes);
    return reason;
}

/* Contains the field table, whose rows are in schema/fields.json. values.c checks values. */
#include "qso/fields.h"

#include <regex.h>
#include <stddef.h>
#include <string.h>

const struct field fields[FIELD_COUNT] = {
#include "schema/field_rows.inc"
};

bool fields_has_text(const struct field *field)
{
    return field->kind == KIND_UUID || field->kind == KIND_LOCATOR || field->kind == KIND_PATTERN ||
           field->kind == KIND_TEXT;
}

/* Returns whether the string matches the field's pattern, which is compiled at its first use. */
bool fields_matches(const struct field *field, const char *string)
{
    static struct {
        bool is_ready;
        regex_t pattern;
    } compiled[FIELD_COUNT];
    const size_t i = (size_t)(field - fields);
    if (!compiled[i].is_ready)
        compiled[i].is_ready = regcomp(&compiled[i].pattern, field->pattern, REG_EXTENDED) == 0;
    return compiled[i].is_ready && regexec(&compiled[i].pattern, string, 0, NULL, 0) == 0;
}

int fields_find_sent(struct text name)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (!(fields[i].flags & FIELD_READ_ONLY) && name.length + 3u == fields[i].json_key_length &&
            memcmp(name.bytes, fields[i].name, name.length) == 0)
            return i;
    return -1;
}

#define ROW(name, code, permanent, field)                                                          \
    const struct rejection rejection_##name = {code, permanent, field, NULL};
#include "schema/rejections.inc"
#undef ROW

const struct rejection *const rejections[] = {
#define ROW(name, code, permanent, field) &rejection_##name,
#include "schema/rejections.inc"
    NULL,
};

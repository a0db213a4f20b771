/* Finds modes by ADIF's names (schema/adif_modes.tsv) and by other programs' words
 * (schema/mode_words.tsv). from_notes.c and to_notes.c decide which modes are ours. */
#include "adif/modes.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "qso/fields.h"

static const struct {
    const char *name, *mode;
} names[] =
    {
#include "schema/mode_rows.inc"
},
  words[] = {
#define ROW(word, mode) {word, mode},
#include "schema/mode_words.inc"
#undef ROW
};

#define NAME_BYTES_MAX 20

bool modes_find(struct text name, struct mode_name *out)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name.bytes && text_equals_ignoring_case(name, names[i].name)) {
            *out = (struct mode_name){text_of(names[i].name), text_of(names[i].mode)};
            return true;
        }
    return false;
}

static int is_in_name(int byte)
{
    return isalnum(byte) || (byte && strchr(" /+-._", byte));
}

static int is_no_letter(int byte)
{
    return !isalpha(byte);
}

/* Returns whether the text can be the name of a mode: from 2 to NAME_BYTES_MAX letters, digits,
 * spaces and certain signs. The first character must be a letter or digit, and at least one
 * character must be a letter. */
static bool is_name(struct text text)
{
    return text.length >= 2 && text.length <= NAME_BYTES_MAX &&
           text_count_leading(text, is_in_name) == text.length &&
           isalnum((unsigned char)text.bytes[0]) &&
           text_count_leading(text, is_no_letter) < text.length;
}

/* Returns whether the word is one of our modes or another word for a mode, and thus not the name of
 * a digital mode. */
static bool is_word(struct text text)
{
    const char *const *modes = fields[FIELD_MODE].choices;
    bool found = false;
    for (size_t i = 0; modes[i]; i++)
        found = found || text_equals_ignoring_case(text, modes[i]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        found = found || text_equals_ignoring_case(text, words[i].name);
    return found;
}

bool modes_find_digital(struct text name, struct arena *arena, struct mode_name *out)
{
    if (modes_find(name, out))
        return true;
    if (!is_name(name) || is_word(name))
        return false;
    char *upper = arena_allocate(arena, name.length);
    text_to_upper(name, upper);
    out->name = out->mode = (struct text){upper, name.length};
    return true;
}

const char *modes_find_other_word(struct text word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text_equals_ignoring_case(word, words[i].name))
            return words[i].mode;
    return NULL;
}

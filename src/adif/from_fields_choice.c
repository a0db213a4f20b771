/* Reads values that consist of one letter. */
#include "adif/from_fields.h"

#include <ctype.h>
#include <string.h>

#include "adif/rows.h"

/* Returns the letter if the text is one of the letters, in upper or lower case, and otherwise 0. */
static char one_of(struct text text, const char *letters)
{
    const char *found =
        text.length == 1 ? strchr(letters, toupper((unsigned char)text.bytes[0])) : NULL;
    return found ? *found : 0;
}

/* Returns the letter in the field, or 0 if the field is empty or contains any other text, which is
 * left out and reported. *text receives the field's text. */
static char take_letter(struct reading *reading, const struct row *row, struct text *text)
{
    *text = from_fields_take(reading, row->slot);
    const char letter = one_of(*text, row->letters);
    if (text->length > 0 && !letter)
        from_fields_leave_out(reading, row->slot, row->otherwise);
    return letter;
}

static bool is_eqsl_sent(struct reading *reading)
{
    return one_of(from_fields_take(reading, SLOT_EQSL_QSL_SENT), "Y");
}

void from_fields_letter(struct reading *reading, const struct row *row)
{
    struct text text;
    char letter = take_letter(reading, row, &text);
    if (text.length == 0 && row->slot == SLOT_QSL_SENT_VIA && is_eqsl_sent(reading))
        letter = 'E';
    if (letter)
        from_fields_keep_number(reading, row, strchr(row->letters, letter) - row->letters);
}

void from_fields_qsl(struct reading *reading, const struct row *row)
{
    struct text text, via = from_fields_take(reading, SLOT_QSL_SENT_VIA);
    char letter = take_letter(reading, row, &text);
    if (text.length == 0 && row->slot == SLOT_QSL_SENT && is_eqsl_sent(reading) &&
        (via.length == 0 || one_of(via, "E")))
        letter = 'Y';
    if (letter)
        from_fields_keep_number(reading, row, letter == 'Y' || letter == 'V');
}

/* Reads the words of a search, and compares QSOs with the words. The texts in a QSO are folded
 * together, joined by line breaks, which no term contains. */
#include "qso/search.h"

#include <ctype.h>
#include <string.h>

#include "base/datetime.h"
#include "qso/divisions.h"
#include "qso/fields.h"
#include "qso/fold.h"
#include "qso/match_callsign.h"
#include "qso/values.h"

#define SPACES " \t\r\n\f\v"
#define YEAR_LENGTH 4
#define MONTH_LENGTH 7 /* YYYY-MM */
#define DAY_LENGTH 10  /* YYYY-MM-DD */

struct search_term {
    struct text folded;
    /* a decimal number with a dot instead of the comma; no text: not a number with a comma */
    struct text dotted;
    struct text day; /* beginning of a day, with "?" for any digit; no text: not a day */
    int division;    /* the division's number, or DIVISIONS_NONE */
    struct match_callsign callsign; /* empty: the term cannot be part of a callsign */
    bool ends_word;
};

/* A QSO's callsigns, normalised once for all terms. */
struct callsigns {
    struct match_callsign worked, own;
};

static void release(void *buffer)
{
    buffer_free(buffer);
}

static struct buffer *create_buffer(struct arena *arena)
{
    struct buffer *buffer = arena_allocate_zeroed(arena, sizeof *buffer);
    arena_add_cleanup(arena, buffer, release);
    return buffer;
}

/* Returns a decimal number with a dot instead of its comma; for any other text, no text. */
static struct text find_dotted(struct text text, struct arena *arena)
{
    struct text rest = text;
    const struct text whole = text_split_next(&rest, ',');
    if (whole.length == 0 || rest.length == 0 ||
        text_count_leading(whole, isdigit) != whole.length ||
        text_count_leading(rest, isdigit) != rest.length)
        return (struct text){0};
    char *dotted = arena_copy(arena, text.bytes, text.length);
    dotted[whole.length] = '.';
    return (struct text){dotted, text.length};
}

/* Returns whether the text has the format of a day, a month or a year, perhaps with "?" for some
 * digits. */
static bool is_day(struct text text)
{
    static const char form[] = "0000-00-00";
    if (text.length != YEAR_LENGTH && text.length != MONTH_LENGTH && text.length != DAY_LENGTH)
        return false;
    for (size_t i = 0; i < text.length; i++) {
        const char byte = text.bytes[i];
        if (form[i] == '-' ? byte != '-' : byte != '?' && !isdigit((unsigned char)byte))
            return false;
    }
    return true;
}

static void read_term(struct text text, struct arena *arena, struct search *search)
{
    fold_text(text, search->folded);
    const size_t length = search->folded->length;
    if (length == 0)
        return;
    search->terms =
        arena_grow(arena, search->terms, search->count, &search->capacity, sizeof *search->terms);
    struct search_term *term = &search->terms[search->count++];
    *term = (struct search_term){
        .folded = {arena_copy(arena, search->folded->bytes, length), length},
        .dotted = find_dotted(text, arena),
        .day = is_day(text) ? text : (struct text){0},
        .division =
            text.bytes[0] == '#' ? divisions_read_number(text_skip(text, 1)) : DIVISIONS_NONE};
    if (text.length <= MATCH_CALLSIGN_BYTES)
        match_normalise_callsign(text, &term->callsign);
}

bool search_read(struct text text, struct arena *arena, struct search *search)
{
    struct search read = {.plain = create_buffer(arena), .folded = create_buffer(arena)};
    const struct text copy = {arena_copy(arena, text.bytes, text.length), text.length};
    size_t at = 0;
    while (at < copy.length) {
        const size_t begin = at;
        while (at < copy.length && !strchr(SPACES, copy.bytes[at]))
            at++;
        struct text word = {copy.bytes + begin, at - begin};
        while (word.length > 0)
            read_term(text_split_next(&word, '|'), arena, &read);
        if (read.count > 0)
            read.terms[read.count - 1].ends_word = true;
        at++;
    }
    if (read.count == 0)
        return false;
    *search = read;
    return true;
}

/* Joins the QSO's texts and frequency, in the API's format, and folds the result. */
static void fold_texts(const struct search *search, const struct qso *qso)
{
    buffer_clear(search->plain);
    for (int i = 0; i < FIELD_COUNT; i++) {
        const struct field *field = &fields[i];
        const struct value *value = &qso->values[i];
        if (value->state != VALUE_PRESENT || field->kind == KIND_UUID ||
            (field->kind != KIND_FREQUENCY && !fields_has_text(field)))
            continue;
        values_format(field, value, search->plain);
        buffer_append_string(search->plain, "\n");
    }
    fold_text((struct text){search->plain->bytes, search->plain->length}, search->folded);
}

static bool callsign_holds(const struct search_term *term, const struct match_callsign *callsign)
{
    return term->callsign.length > 0 && memmem(callsign->bytes, callsign->length,
                                               term->callsign.bytes, term->callsign.length) != NULL;
}

static bool is_on_day(struct text day, int64_t at_ms)
{
    char text[DATETIME_TEXT_LENGTH];
    if (!day.bytes)
        return false;
    datetime_format(at_ms, text);
    for (size_t i = 0; i < day.length; i++)
        if (day.bytes[i] != '?' && day.bytes[i] != text[i])
            return false;
    return true;
}

static bool term_fits(const struct search *search, const struct search_term *term,
                      const struct qso *qso, const struct callsigns *callsigns)
{
    if (term->day.length > YEAR_LENGTH)
        return is_on_day(term->day, qso->values[FIELD_QSO_AT].integer);
    return fold_holds(search->folded, term->folded) ||
           (term->dotted.bytes && fold_holds(search->folded, term->dotted)) ||
           callsign_holds(term, &callsigns->worked) || callsign_holds(term, &callsigns->own) ||
           is_on_day(term->day, qso->values[FIELD_QSO_AT].integer) ||
           (term->division != DIVISIONS_NONE &&
            divisions_number(qso_text(qso, FIELD_CALLSIGN_WORKED)) == term->division);
}

bool search_finds(const struct search *search, const struct qso *qso)
{
    bool is_found = false;
    struct callsigns callsigns;
    if (search->count == 0)
        return true;
    fold_texts(search, qso);
    match_normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &callsigns.worked);
    match_normalise_callsign(qso_text(qso, FIELD_OPERATOR_CALLSIGN), &callsigns.own);
    for (size_t i = 0; i < search->count; i++) {
        is_found = is_found || term_fits(search, &search->terms[i], qso, &callsigns);
        if (!search->terms[i].ends_word)
            continue;
        if (!is_found)
            return false;
        is_found = false;
    }
    return true;
}

/* Holds a QSO against a filter: the one place that says what each part of a filter means. Which
 * QSOs there are is left to the store, and how a filter is written in an address to
 * site/log_query.c. */
#include "qso/log_filter.h"

#include <string.h>
#include <utf8proc.h>

#include "base/datetime.h"
#include "qso/divisions.h"
#include "qso/fields.h"
#include "qso/locator.h"
#include "qso/values.h"

void log_filter_begin(struct log_filter *filter)
{
    *filter = (struct log_filter){.from_ms = DATETIME_MINIMUM_MS,
                                  .to_ms = DATETIME_MAXIMUM_MS,
                                  .band = LOG_FILTER_ANY,
                                  .mode = LOG_FILTER_ANY,
                                  .division = LOG_FILTER_ANY};
}

void log_filter_free(struct log_filter *filter)
{
    buffer_free(&filter->scratch);
}

bool log_filter_needs_texts(const struct log_filter *filter)
{
    return filter->text.bytes != NULL;
}

static bool fits_state(enum log_filter_state wanted, bool is_so)
{
    return wanted == LOG_FILTER_BOTH || (wanted == LOG_FILTER_YES) == is_so;
}

static bool is_true(const struct qso *qso, enum field_index field)
{
    return qso->values[field].presence == VALUE_PRESENT && qso->values[field].integer != 0;
}

static bool fits_mode(const struct log_filter *filter, const struct value *mode)
{
    bool has_mode = mode->presence == VALUE_PRESENT;
    if (filter->mode == LOG_FILTER_ANY)
        return true;
    return filter->mode == LOG_FILTER_NO_MODE ? !has_mode
                                              : has_mode && mode->integer == filter->mode;
}

static bool fits_square(const struct log_filter *filter, const struct qso *qso)
{
    char locator[LOCATOR_LENGTH_MAX];
    return !filter->square.bytes ||
           (place_find_locator(qso, locator) >= filter->square.length &&
            memcmp(locator, filter->square.bytes, filter->square.length) == 0);
}

static bool fits_callsign(const struct log_filter *filter, const struct qso *qso)
{
    struct match_callsign worked;
    if (filter->callsign.length == 0)
        return true;
    match_normalise_callsign(qso_text(qso, FIELD_CALLSIGN_WORKED), &worked);
    return worked.length >= filter->callsign.length &&
           memcmp(worked.bytes, filter->callsign.bytes, filter->callsign.length) == 0;
}

/* -- Text anywhere ----------------------------------------------------------------------------- */

static bool is_text(enum field_kind kind)
{
    return kind == KIND_TEXT || kind == KIND_LOCATOR || kind == KIND_PATTERN ||
           kind == KIND_FREQUENCY;
}

/* In the form in which the API writes it. */
static bool value_holds(struct log_filter *filter, int field, const struct value *value)
{
    if (fields[field].kind == KIND_FREQUENCY) {
        buffer_clear(&filter->scratch);
        values_format(&fields[field], value, &filter->scratch);
    } else {
        fold_text((struct text){value->text, value->length}, &filter->scratch);
    }
    return fold_holds(&filter->scratch, filter->text);
}

/* However its parts are put together: 26-AT-101 is found by "at10". */
static bool callsign_holds(const struct log_filter *filter, struct text callsign)
{
    struct match_callsign normal;
    if (filter->text_callsign.length == 0 || !callsign.bytes)
        return false;
    match_normalise_callsign(callsign, &normal);
    return normal.length >= filter->text_callsign.length &&
           memmem(normal.bytes, normal.length, filter->text_callsign.bytes,
                  filter->text_callsign.length) != NULL;
}

static bool fits_text(struct log_filter *filter, const struct qso *qso)
{
    if (!filter->text.bytes || callsign_holds(filter, qso_text(qso, FIELD_CALLSIGN_WORKED)) ||
        callsign_holds(filter, qso_text(qso, FIELD_OPERATOR_CALLSIGN)))
        return true;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (is_text(fields[i].kind) && qso->values[i].presence == VALUE_PRESENT &&
            value_holds(filter, i, &qso->values[i]))
            return true;
    return false;
}

/* What costs least comes first. */
bool log_filter_fits(struct log_filter *filter, const struct qso *qso)
{
    const int64_t at_ms = qso->values[FIELD_QSO_AT].integer;
    return at_ms >= filter->from_ms && at_ms <= filter->to_ms &&
           (filter->band == LOG_FILTER_ANY || qso->values[FIELD_BAND].integer == filter->band) &&
           fits_mode(filter, &qso->values[FIELD_MODE]) &&
           fits_state(filter->confirmed,
                      qso->values[FIELD_CROSS_CONFIRMED_AT].presence == VALUE_PRESENT) &&
           fits_state(filter->qsl_sent, is_true(qso, FIELD_QSL_SENT)) &&
           fits_state(filter->qsl_received, is_true(qso, FIELD_QSL_RECEIVED)) &&
           (filter->division == LOG_FILTER_ANY ||
            divisions_number(qso_text(qso, FIELD_CALLSIGN_WORKED)) == filter->division) &&
           fits_callsign(filter, qso) && fits_square(filter, qso) && fits_text(filter, qso);
}

/* Brings texts into the form in which a search compares them. The tables of letters are those of
 * utf8proc; most texts are ASCII and need none of them. Nothing is kept in this form, and which
 * texts are searched is left to others. */

#define OPTIONS (UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK)
#define DECOMPOSED_MAX 32 /* more than any code point becomes */

/* What one code point becomes. */
static void append_code_point(struct buffer *out, utf8proc_int32_t code_point)
{
    utf8proc_int32_t parts[DECOMPOSED_MAX];
    utf8proc_uint8_t bytes[4];
    int boundary_class = 0;
    utf8proc_ssize_t count =
        utf8proc_decompose_char(code_point, parts, DECOMPOSED_MAX, OPTIONS, &boundary_class);
    for (utf8proc_ssize_t i = 0; i < count && i < DECOMPOSED_MAX; i++)
        buffer_append(out, (const char *)bytes, (size_t)utf8proc_encode_char(parts[i], bytes));
}

/* The ASCII at the beginning, in lower case; returns how many bytes that were. */
static size_t append_ascii(struct buffer *out, struct text text)
{
    char lower[256];
    size_t length = 0;
    while (length < text.length && length < sizeof lower &&
           (unsigned char)text.bytes[length] < 0x80) {
        char c = text.bytes[length];
        lower[length++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    if (length > 0)
        buffer_append(out, lower, length);
    return length;
}

void fold_text(struct text text, struct buffer *out)
{
    buffer_clear(out);
    while (text.length > 0) {
        utf8proc_int32_t code_point;
        size_t taken = append_ascii(out, text);
        if (taken == 0) {
            utf8proc_ssize_t bytes = utf8proc_iterate((const utf8proc_uint8_t *)text.bytes,
                                                      (utf8proc_ssize_t)text.length, &code_point);
            if (bytes <= 0)
                return;
            append_code_point(out, code_point);
            taken = (size_t)bytes;
        }
        text.bytes += taken;
        text.length -= taken;
    }
}

bool fold_holds(const struct buffer *folded, struct text part)
{
    return folded->length >= part.length &&
           memmem(folded->bytes, folded->length, part.bytes, part.length) != NULL;
}

/* The tables of words, which are folded when they are first needed. */
#include "transfer/sheet_words.h"

#include <string.h>

#include "base/text_utf8.h"
#include "qso/fold.h"

#define HEADER_MAX 160 /* bytes; a longer text is not a header */
#define MONTH_LETTERS 3

static const char *const field_names[] = {
#define ONE(symbol, name) name,
    SHEET_FIELDS(ONE)
#undef ONE
};

const char *sheet_field_name(enum sheet_field field)
{
    return field_names[field];
}

void sheet_fold(struct text text, char out[SHEET_FOLDED_SIZE])
{
    struct buffer folded = {0};
    size_t length = 0;
    fold_text(text, &folded);
    for (size_t i = 0; i < folded.length && length < SHEET_FOLDED_SIZE - 1; i++) {
        const struct text rest = {folded.bytes + i, folded.length - i};
        if (strchr(" \t\r\n\v\f_.()[]/:-", folded.bytes[i]))
            continue; /* also a NUL */
        if (text_begins_ignoring_case(rest, "\xC2\xA0")) {
            i++;
            continue;
        }
        /* The Polish letter has no accent that decomposition separates. */
        if (text_begins_ignoring_case(rest, "\xC5\x82")) {
            out[length++] = 'l';
            i++;
            continue;
        }
        out[length++] = folded.bytes[i];
    }
    out[length] = '\0';
    buffer_free(&folded);
}

enum sheet_field sheet_field_named(struct text name)
{
    int field = 0;
    while (field < SHEET_FIELD_COUNT && !text_equals(name, text_of(field_names[field])))
        field++;
    return (enum sheet_field)field;
}

/* Returns the number of a word in a table, or NULL. */
static const int *find_word(const struct table *words, struct text word)
{
    return table_find(words, word);
}

static void add_word(struct table *words, const char *word, int number)
{
    char folded[SHEET_FOLDED_SIZE];
    sheet_fold(text_of(word), folded);
    int *known = table_at(words, text_of(folded));
    *known = *known ? *known : number;
}

/* Returns the numbers of the fields, plus 1, by their folded headers. */
static const struct table *headers(void)
{
    static struct arena arena;
    static struct table words;
    static const char *const rows[][2] = {
#define ROW(field, header) {field, header},
#include "schema/columns.inc"
#undef ROW
    };
    if (!words.arena) {
        table_begin(&words, &arena, sizeof(int));
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            add_word(&words, rows[i][1], (int)sheet_field_named(text_of(rows[i][0])) + 1);
    }
    return &words;
}

static const struct table *months(void)
{
    static struct arena arena;
    static struct table words;
    static const struct {
        int number;
        const char *name;
    } rows[] = {
#define ROW(number, name) {number, name},
#include "schema/months.inc"
#undef ROW
    };
    if (!words.arena) {
        table_begin(&words, &arena, sizeof(int));
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            add_word(&words, rows[i].name, rows[i].number);
    }
    return &words;
}

/* Copies the header without a unit in brackets. */
static struct text without_brackets(struct text header, char out[HEADER_MAX])
{
    size_t begin = 0, end = header.length;
    while (begin < header.length && !strchr("([", header.bytes[begin]))
        begin++;
    while (end > begin && !strchr(")]", header.bytes[end - 1]))
        end--;
    if (end <= begin)
        return header;
    memcpy(out, header.bytes, begin);
    memcpy(out + begin, header.bytes + end, header.length - end);
    return (struct text){out, begin + header.length - end};
}

bool sheet_find_field(struct text header, enum sheet_field *field)
{
    char folded[SHEET_FOLDED_SIZE], plain[HEADER_MAX];
    header = text_trim(header);
    if (header.length > HEADER_MAX || header.length == 0)
        return false;
    if (header.length > 1 && header.bytes[0] == '#')
        header = text_skip(header, 1);
    sheet_fold(header, folded);
    const int *found = find_word(headers(), text_of(folded));
    if (!found) {
        sheet_fold(without_brackets(header, plain), folded);
        found = find_word(headers(), text_of(folded));
    }
    if (found)
        *field = (enum sheet_field)(*found - 1);
    return found;
}

int sheet_find_month(struct text name)
{
    char folded[SHEET_FOLDED_SIZE];
    sheet_fold(name, folded);
    const int *found = find_word(months(), text_of(folded));
    if (found)
        return *found;
    size_t bytes = 0;
    struct text rest = text_of(folded);
    for (int i = 0; i < MONTH_LETTERS && rest.length > 0; i++) {
        const size_t length = text_first_length(rest);
        if (length == 0)
            return 0;
        rest = text_skip(rest, length);
        bytes += length;
    }
    found = rest.length > 0 ? find_word(months(), (struct text){folded, bytes}) : NULL;
    return found ? *found : 0;
}

/* Turns fields into columns: binds a QSO to a statement, and reads a QSO from a row, with the field
 * table. Columns are found by their names; if a statement lacks a column, the program ends. Also
 * turns fields into the compact form of a previous state. No other file does this. */
#include "store/columns.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "database/database.h"
#include "qso/content.h"
#include "qso/fields.h"

#define NO_COLUMN (-1)

/* The statements that carry QSOs, and the columns that each may omit. */
static const struct use {
    enum statement_name name;
    bool writes;
    unsigned only;   /* only fields with one of these flags; 0: all stored fields */
    unsigned except; /* fields with one of these flags may be missing */
} uses[] = {
    {STATEMENT_INSERT_QSO, .writes = true, .except = FIELD_ASSIGNED},
    {STATEMENT_UPDATE_QSO, .writes = true, .except = FIELD_ASSIGNED | FIELD_CONSTANT},
    {STATEMENT_REVIVE_QSO, .writes = true, .except = FIELD_ASSIGNED},
    {STATEMENT_FIND_QSO, .writes = false},
    {STATEMENT_FIND_OWN_QSO, .writes = false},
    {STATEMENT_FIND_QSO_BY_ID_AND_TIME, .writes = false},
    {STATEMENT_LIST_QSOS, .writes = false},
    {STATEMENT_LIST_QSOS_BY_ID, .writes = false},
    {STATEMENT_WALK_LOG, .only = FIELD_FILTERED},
    {STATEMENT_WALK_LOG_IN_ANY_ORDER, .only = FIELD_FILTERED},
    {STATEMENT_WALK_WHOLE_LOG, .only = FIELD_FILTERED},
    {STATEMENT_WALK_LOG_TEXTS, .writes = false},
    {STATEMENT_LIST_UNCONFIRMED_QSOS, .writes = false},
    {STATEMENT_LIST_NEWEST_MAP_POINTS, .only = FIELD_MAPPED},
    {STATEMENT_LIST_QSOS_OF_CONTACT, .only = FIELD_MATCHED},
    {STATEMENT_LIST_QSOS_AROUND, .only = FIELD_MATCHED},
    {STATEMENT_FIND_QSO_BY_ID, .only = FIELD_MATCHED},
    {STATEMENT_LIST_QSOS_WITHOUT_CLAIM, .only = FIELD_MATCHED},
    {STATEMENT_LIST_CANDIDATES, .writes = false},
    {STATEMENT_LIST_LONG_CANDIDATES, .writes = false},
};

#define USE_COUNT (sizeof uses / sizeof *uses)
_Static_assert(USE_COUNT <= COLUMNS_STATEMENTS_MAX, "the store has positions for each of them");

static void find_field(const struct statement *statement, int field,
                       struct column_positions *positions)
{
    char parameter[64];
    sqlite3_snprintf(sizeof parameter, parameter, ":%s", fields[field].column);
    positions->parameters[field] = sqlite3_bind_parameter_index(statement->handle, parameter);
    for (int column = 0; column < sqlite3_column_count(statement->handle); column++)
        if (strcmp(sqlite3_column_name(statement->handle, column), fields[field].column) == 0)
            positions->columns[field] = column;
}

static bool may_lack(const struct use *use, const struct field *field)
{
    return (use->only && !(field->flags & use->only)) || (field->flags & use->except);
}

static bool find_fields(const struct statement *statement, const struct use *use,
                        struct column_positions *positions)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        positions->columns[i] = NO_COLUMN;
        if (!fields[i].column)
            continue;
        find_field(statement, i, positions);
        bool found =
            use->writes ? positions->parameters[i] != 0 : positions->columns[i] != NO_COLUMN;
        if (!found && !may_lack(use, &fields[i])) {
            log_line("the statement %s lacks the column %s", embedded_statements[use->name].name,
                     fields[i].column);
            return false;
        }
    }
    positions->known = true;
    return true;
}

enum store_result columns_find_all(struct columns *columns)
{
    for (size_t i = 0; i < USE_COUNT; i++)
        if (!find_fields(database_statement(columns->database, uses[i].name), &uses[i],
                         &columns->positions[i]))
            return STORE_BROKEN;
    return STORE_DONE;
}

/* As the statement itself, they are looked for when they are needed first. */
static const struct column_positions *find_positions(struct columns *columns,
                                                     const struct statement *statement)
{
    size_t i = 0;
    while (i < USE_COUNT && statement != &columns->database->statements[uses[i].name])
        i++;
    assert(i < USE_COUNT);
    struct column_positions *positions = &columns->positions[i];
    if (!positions->known && statement->handle && !find_fields(statement, &uses[i], positions))
        abort(); /* a fault of the program, which store_prepare finds */
    return positions;
}

/* How a value is stored, in a column and in a previous state. */
enum form { FORM_INTEGER, FORM_REAL, FORM_BYTES };

static enum form form_of(enum field_kind kind)
{
    return kind == KIND_REAL ? FORM_REAL
           : kind == KIND_UUID || kind == KIND_LOCATOR || kind == KIND_PATTERN || kind == KIND_TEXT
               ? FORM_BYTES
               : FORM_INTEGER;
}

static void bind_value(sqlite3_stmt *handle, int parameter, enum field_kind kind,
                       const struct value *value)
{
    const enum form form = form_of(kind);
    if (value->state != VALUE_PRESENT && kind != KIND_BOOLEAN)
        sqlite3_bind_null(handle, parameter);
    else if (form == FORM_INTEGER)
        sqlite3_bind_int64(handle, parameter, value->state == VALUE_PRESENT ? value->integer : 0);
    else if (form == FORM_REAL)
        sqlite3_bind_double(handle, parameter, value->real);
    else if (kind == KIND_UUID)
        sqlite3_bind_blob(handle, parameter, value->text, (int)value->length, SQLITE_STATIC);
    else
        sqlite3_bind_text(handle, parameter, value->text, (int)value->length, SQLITE_STATIC);
}

void columns_bind_qso(struct columns *columns, struct statement *statement, const struct qso *qso)
{
    const struct column_positions *positions = find_positions(columns, statement);
    for (int i = 0; i < FIELD_COUNT; i++)
        if (positions->parameters[i])
            bind_value(statement->handle, positions->parameters[i], fields[i].kind,
                       &qso->values[i]);
}

static void read_value(sqlite3_value *stored, enum field_kind kind, struct value *value)
{
    const enum form form = form_of(kind);
    value->state = VALUE_PRESENT;
    if (form == FORM_INTEGER) {
        value->integer = sqlite3_value_int64(stored);
    } else if (form == FORM_REAL) {
        value->real = sqlite3_value_double(stored);
    } else {
        value->text = kind == KIND_UUID ? sqlite3_value_blob(stored)
                                        : (const char *)sqlite3_value_text(stored);
        value->length = (uint32_t)sqlite3_value_bytes(stored);
    }
}

/* A column is looked up once, as an sqlite3_value, which SQLite allows if the connection is used
 * by one thread only. */
void columns_read_qso(struct columns *columns, const struct statement *statement, struct qso *qso)
{
    const struct column_positions *positions = find_positions(columns, statement);
    for (int i = 0; i < FIELD_COUNT; i++) {
        struct value *value = &qso->values[i];
        value->state = VALUE_NULL;
        if (positions->columns[i] == NO_COLUMN)
            continue;
        sqlite3_value *stored = sqlite3_column_value(statement->handle, positions->columns[i]);
        if (sqlite3_value_type(stored) != SQLITE_NULL)
            read_value(stored, fields[i].kind, value);
    }
}

enum store_result columns_visit_qsos(struct columns *columns, struct statement *list,
                                     qso_visitor *visit, void *context)
{
    struct qso qso;
    enum store_result result = STORE_DONE;
    while (database_next(columns->database, list, &result)) {
        columns_read_qso(columns, list, &qso);
        visit(context, &qso);
    }
    return result;
}

void columns_keep_texts(struct qso *qso, struct arena *arena)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        struct value *value = &qso->values[i];
        if (form_of(fields[i].kind) == FORM_BYTES && value->state == VALUE_PRESENT)
            value->text = arena_copy(arena, value->text, value->length);
    }
}

/* -- Previous states --------------------------------------------------------------------------- */

/* A state is a byte for its extent, then a mark and the value for each field that has a value. The
 * mark is derived from the column's name, because new fields change the positions of others. Its
 * lowest two bits give the value's format, so that a removed field can be skipped. */

#define FORM_BITS 2
#define NUMBER_BYTES_MAX 10 /* 64 bits, seven in a byte */

/* FNV-1a, folded to 14 bits. Stored: it stays as it is. */
static unsigned mark_of(const struct field *field)
{
    uint32_t hash = 2166136261u;
    for (const char *at = field->column; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    hash ^= hash >> 14 ^ hash >> 28;
    return (hash & 0x3fff) << FORM_BITS | (unsigned)form_of(field->kind);
}

/* Whether a state of this extent is about the field. */
static bool covers(enum state_extent extent, const struct field *field, int number)
{
    if (extent == STATE_WHOLE)
        return field->column && !(field->flags & FIELD_ASSIGNED) && number != FIELD_SYNCED_AT;
    return content_has(field) && !(field->flags & FIELD_CONSTANT);
}

/* -- Writing a state --------------------------------------------------------------------------- */

static void write_number(uint64_t number, struct buffer *out)
{
    unsigned char *at = (unsigned char *)buffer_reserve(out, NUMBER_BYTES_MAX);
    size_t length = 0;
    for (; number >= 0x80; number >>= 7)
        at[length++] = (unsigned char)(number | 0x80);
    at[length++] = (unsigned char)number;
    out->length += length;
}

/* Small ones of either sign are short. */
static uint64_t fold_sign(int64_t integer)
{
    return (uint64_t)integer << 1 ^ (integer < 0 ? UINT64_MAX : 0);
}

static int64_t unfold_sign(uint64_t number)
{
    return (int64_t)(number >> 1 ^ (number & 1 ? UINT64_MAX : 0));
}

static void write_value(const struct value *value, unsigned mark, struct buffer *out)
{
    const unsigned char marks[] = {(unsigned char)mark, (unsigned char)(mark >> 8)};
    buffer_append(out, marks, sizeof marks);
    switch ((enum form)(mark & ((1u << FORM_BITS) - 1))) {
    case FORM_INTEGER:
        write_number(fold_sign(value->integer), out);
        break;
    case FORM_REAL:
        buffer_append(out, &value->real, sizeof value->real);
        break;
    case FORM_BYTES:
        write_number(value->length, out);
        buffer_append(out, value->text, value->length);
        break;
    }
}

void state_write(const struct qso *qso, enum state_extent extent, struct buffer *out)
{
    const unsigned char first = (unsigned char)extent;
    out->length = 0;
    buffer_append(out, &first, 1);
    for (int i = 0; i < FIELD_COUNT; i++) {
        const struct value *value = &qso->values[i];
        bool is_false = fields[i].kind == KIND_BOOLEAN && !value->integer;
        if (covers(extent, &fields[i], i) && value->state == VALUE_PRESENT && !is_false)
            write_value(value, mark_of(&fields[i]), out);
    }
}

/* -- Reading a state --------------------------------------------------------------------------- */

/* Removes bytes from the front; NULL: fewer bytes are left. */
static const char *take(struct text *rest, uint64_t length)
{
    const char *taken = rest->bytes;
    if (rest->length < length)
        return NULL;
    *rest = (struct text){rest->bytes + length, rest->length - (size_t)length};
    return taken;
}

static bool take_number(struct text *rest, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const char *byte = take(rest, 1);
        if (!byte)
            return false;
        *number |= (uint64_t)(*byte & 0x7f) << shift;
        if (!(*byte & 0x80))
            return true;
    }
    return false;
}

static bool take_value(struct text *rest, enum form form, struct arena *arena, struct value *value)
{
    uint64_t number = 0;
    const char *bytes = NULL;
    value->state = VALUE_PRESENT;
    switch (form) {
    case FORM_INTEGER:
        if (!take_number(rest, &number))
            return false;
        value->integer = unfold_sign(number);
        return true;
    case FORM_REAL:
        bytes = take(rest, sizeof value->real);
        if (bytes)
            memcpy(&value->real, bytes, sizeof value->real);
        return bytes != NULL;
    case FORM_BYTES:
        bytes = take_number(rest, &number) ? take(rest, number) : NULL;
        if (bytes) {
            value->text = arena_copy(arena, bytes, (size_t)number);
            value->length = (uint32_t)number;
        }
        return bytes != NULL;
    }
    return false;
}

static int find_marked(enum state_extent extent, unsigned mark)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (covers(extent, &fields[i], i) && mark_of(&fields[i]) == mark)
            return i;
    return -1;
}

static void clear(enum state_extent extent, struct qso *qso)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (covers(extent, &fields[i], i)) {
            bool is_boolean = fields[i].kind == KIND_BOOLEAN;
            qso->values[i] = (struct value){.state = is_boolean ? VALUE_PRESENT : VALUE_NULL};
        }
}

bool state_read(struct text state, struct arena *arena, struct qso *qso)
{
    const char *first = take(&state, 1);
    if (!first || (*first != STATE_CHANGE && *first != STATE_WHOLE))
        return false;
    enum state_extent extent = (enum state_extent) * first;
    clear(extent, qso);
    while (state.length > 0) {
        struct value value = {0};
        const unsigned char *marks = (const unsigned char *)take(&state, 2);
        unsigned mark = marks ? marks[0] | (unsigned)marks[1] << 8 : 0;
        if (!marks || !take_value(&state, (enum form)(mark & 3), arena, &value))
            return false;
        int field = find_marked(extent, mark);
        if (field >= 0)
            qso->values[field] = value;
    }
    return true;
}

const char *state_find_equal_marks(void)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        for (int other = 0; other < i && fields[i].column; other++)
            if (fields[other].column && mark_of(&fields[i]) == mark_of(&fields[other]))
                return fields[i].name;
    return NULL;
}

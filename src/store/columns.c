/* Turns fields into columns: binds a QSO to a statement, and reads one from a row, by walking the
 * field table. Columns are found by their names, and one that a statement lacks is told when the
 * logbook is opened. No other file does this. */
#include "store/store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "qso/fields.h"

#define NO_COLUMN (-1)

/* The statements that carry QSOs, and what each may leave out. */
static const struct use {
    enum statement_name name;
    bool writes;
    unsigned only;   /* fields with one of these flags; 0: all fields that are stored */
    unsigned except; /* fields with one of these flags may be missing */
} uses[] = {
    {STATEMENT_INSERT_QSO, .writes = true, .except = FIELD_ASSIGNED},
    {STATEMENT_UPDATE_QSO, .writes = true, .except = FIELD_ASSIGNED | FIELD_CONSTANT},
    {STATEMENT_REVIVE_QSO, .writes = true, .except = FIELD_ASSIGNED},
    {STATEMENT_FIND_QSO, .writes = false},
    {STATEMENT_FIND_OWN_QSO, .writes = false},
    {STATEMENT_FIND_NAMELESS_QSO, .writes = false},
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
};

#define USE_COUNT (sizeof uses / sizeof *uses)
_Static_assert(USE_COUNT <= COLUMNS_STATEMENTS_MAX, "the store has positions for each of them");

static void find_field(const struct statement *statement, int field,
                       struct column_positions *positions)
{
    char parameter[64];
    sqlite3_snprintf(sizeof parameter, parameter, ":%s", fields[field].column);
    positions->parameters[field] = sqlite3_bind_parameter_index(statement->handle, parameter);
    for (int column = 0; column < statement->column_count; column++)
        if (strcmp(statement->column_names[column], fields[field].column) == 0)
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
            log_line("the statement %s lacks %s", embedded_statements[use->name].name,
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

/* If statements are prepared when they are needed, so are these. */
static const struct column_positions *find_positions(struct columns *columns,
                                                     const struct statement *statement)
{
    size_t i = 0;
    while (i < USE_COUNT && statement != &columns->database->statements[uses[i].name])
        i++;
    assert(i < USE_COUNT);
    struct column_positions *positions = &columns->positions[i];
    if (!positions->known && statement->handle && !find_fields(statement, &uses[i], positions))
        abort(); /* a fault of the program, which every other opening finds at its start */
    return positions;
}

static void bind_value(sqlite3_stmt *handle, int parameter, enum field_kind kind,
                       const struct value *value)
{
    if (value->presence != VALUE_PRESENT) {
        if (kind == KIND_BOOLEAN)
            sqlite3_bind_int64(handle, parameter, 0);
        else
            sqlite3_bind_null(handle, parameter);
        return;
    }
    switch (kind) {
    case KIND_UUID:
        sqlite3_bind_blob(handle, parameter, value->text, (int)value->length, SQLITE_STATIC);
        break;
    case KIND_REAL:
        sqlite3_bind_double(handle, parameter, value->real);
        break;
    case KIND_LOCATOR:
    case KIND_PATTERN:
    case KIND_TEXT:
        sqlite3_bind_text(handle, parameter, value->text, (int)value->length, SQLITE_STATIC);
        break;
    case KIND_CHOICE:
    case KIND_DATETIME:
    case KIND_FREQUENCY:
    case KIND_INTEGER:
    case KIND_BOOLEAN:
    case KIND_ID:
        sqlite3_bind_int64(handle, parameter, value->integer);
        break;
    }
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
    value->presence = VALUE_PRESENT;
    switch (kind) {
    case KIND_UUID:
        value->text = sqlite3_value_blob(stored);
        value->length = (uint32_t)sqlite3_value_bytes(stored);
        break;
    case KIND_REAL:
        value->real = sqlite3_value_double(stored);
        break;
    case KIND_LOCATOR:
    case KIND_PATTERN:
    case KIND_TEXT:
        value->text = (const char *)sqlite3_value_text(stored);
        value->length = (uint32_t)sqlite3_value_bytes(stored);
        break;
    case KIND_CHOICE:
    case KIND_DATETIME:
    case KIND_FREQUENCY:
    case KIND_INTEGER:
    case KIND_BOOLEAN:
    case KIND_ID:
        value->integer = sqlite3_value_int64(stored);
        break;
    }
}

/* A column is looked up once, as an sqlite3_value, which SQLite allows if the connection is used
 * by one thread only. */
static void read_row(const struct statement *statement, const struct column_positions *positions,
                     struct qso *qso)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        struct value *value = &qso->values[i];
        value->presence = VALUE_NULL;
        if (positions->columns[i] == NO_COLUMN)
            continue;
        sqlite3_value *stored = sqlite3_column_value(statement->handle, positions->columns[i]);
        if (sqlite3_value_type(stored) != SQLITE_NULL)
            read_value(stored, fields[i].kind, value);
    }
}

void columns_read_qso(struct columns *columns, const struct statement *statement, struct qso *qso)
{
    read_row(statement, find_positions(columns, statement), qso);
}

enum store_result columns_visit_qsos(struct columns *columns, struct statement *list,
                                     qso_visitor *visit, void *context)
{
    const struct column_positions *positions = find_positions(columns, list);
    struct qso qso;
    enum store_result result = STORE_DONE;
    while (database_next(columns->database, list, &result)) {
        read_row(list, positions, &qso);
        visit(context, &qso);
    }
    return result;
}

void columns_keep_texts(struct qso *qso, struct arena *arena)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        struct value *value = &qso->values[i];
        bool is_text = fields[i].kind == KIND_UUID || fields[i].kind == KIND_LOCATOR ||
                       fields[i].kind == KIND_PATTERN || fields[i].kind == KIND_TEXT;
        if (is_text && value->presence == VALUE_PRESENT)
            value->text = arena_copy(arena, value->text, value->length);
    }
}

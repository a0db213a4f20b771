/* Turns fields into columns with the field table: binds a QSO to a statement, and reads a QSO from
 * a row. Columns are found by their names. If a statement lacks a column, columns_find_all fails,
 * and the other functions abort. */
#include "store/columns.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "database/database.h"
#include "qso/fields.h"

/* The statements that read or write QSOs, and the columns that each statement can omit. The
 * statements that read the most rows come first, because the statement is looked up per row. */
static const struct use {
    enum statement_name name;
    bool writes;
    unsigned only;   /* flags: only fields with one of these flags have a column; 0: all stored
                      * fields */
    unsigned except; /* flags: fields with one of these flags can lack a column */
} uses[] = {
    {STATEMENT_WALK_WHOLE_LOG, .only = FIELD_FILTERED},
    {STATEMENT_WALK_LOG_IN_ANY_ORDER, .only = FIELD_FILTERED},
    {STATEMENT_WALK_LOG, .only = FIELD_FILTERED},
    {STATEMENT_WALK_LOG_TEXTS, .writes = false},
    {STATEMENT_INSERT_QSO, .writes = true, .except = FIELD_ASSIGNED},
    {STATEMENT_UPDATE_QSO, .writes = true, .except = FIELD_ASSIGNED | FIELD_CONSTANT},
    {STATEMENT_REVIVE_QSO, .writes = true, .except = FIELD_ASSIGNED},
    {STATEMENT_FIND_QSO, .writes = false},
    {STATEMENT_FIND_OWN_QSO, .writes = false},
    {STATEMENT_FIND_QSO_BY_ID_AND_TIME, .writes = false},
    {STATEMENT_LIST_QSOS, .writes = false},
    {STATEMENT_LIST_QSOS_BY_ID, .writes = false},
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
_Static_assert(USE_COUNT <= COLUMNS_STATEMENTS_MAX, "the store has positions for each statement");

/* Finds the parameter and the column of a field, and returns whether the statement reads the field.
 */
static bool find_field(const struct statement *statement, int field,
                       struct column_positions *positions)
{
    const int count = sqlite3_column_count(statement->handle);
    int column = 0;
    char parameter[64];
    sqlite3_snprintf(sizeof parameter, parameter, ":%s", fields[field].column);
    positions->parameters[field] = sqlite3_bind_parameter_index(statement->handle, parameter);
    while (column < count &&
           strcmp(sqlite3_column_name(statement->handle, column), fields[field].column) != 0)
        column++;
    if (column < count)
        positions->reads[positions->read_count++] =
            (struct read_field){field, column, fields[field].kind};
    return column < count;
}

static bool may_lack(const struct use *use, const struct field *field)
{
    return (use->only && !(field->flags & use->only)) || (field->flags & use->except);
}

static bool find_fields(const struct statement *statement, const struct use *use,
                        struct column_positions *positions)
{
    positions->read_count = 0;
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (!fields[i].column)
            continue;
        const bool is_read = find_field(statement, i, positions),
                   found = use->writes ? positions->parameters[i] != 0 : is_read;
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

/* Returns the positions in a statement, which are determined when they are first needed. */
static const struct column_positions *find_positions(struct columns *columns,
                                                     const struct statement *statement)
{
    size_t i = 0;
    while (i < USE_COUNT && statement != &columns->database->statements[uses[i].name])
        i++;
    assert(i < USE_COUNT);
    struct column_positions *positions = &columns->positions[i];
    if (!positions->known && statement->handle && !find_fields(statement, &uses[i], positions))
        abort(); /* the program has a bug, which store_prepare detects */
    return positions;
}

enum form columns_form_of(enum field_kind kind)
{
    return kind == KIND_REAL ? FORM_REAL
           : kind == KIND_UUID || kind == KIND_LOCATOR || kind == KIND_PATTERN || kind == KIND_TEXT
               ? FORM_BYTES
               : FORM_INTEGER;
}

static void bind_value(sqlite3_stmt *handle, int parameter, enum field_kind kind,
                       const struct value *value)
{
    const enum form form = columns_form_of(kind);
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
    const enum form form = columns_form_of(kind);
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

static void read_field(sqlite3_value *stored, const struct read_field *read, struct qso *qso)
{
    if (sqlite3_value_type(stored) != SQLITE_NULL)
        read_value(stored, read->kind, &qso->values[read->field]);
    else
        qso->values[read->field].state = VALUE_NULL;
}

/* Reads each column through an sqlite3_value, so that the column is looked up only once. SQLite
 * allows this if only one thread uses the connection. */
void columns_read_next_qso(struct columns *columns, const struct statement *statement,
                           struct qso *qso)
{
    const struct column_positions *positions = find_positions(columns, statement);
    for (int i = 0; i < positions->read_count; i++) {
        const struct read_field *read = &positions->reads[i];
        read_field(sqlite3_column_value(statement->handle, read->column), read, qso);
    }
}

void columns_clear_qso(struct qso *qso)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        qso->values[i].state = VALUE_NULL;
}

void columns_read_qso(struct columns *columns, const struct statement *statement, struct qso *qso)
{
    columns_clear_qso(qso);
    columns_read_next_qso(columns, statement, qso);
}

enum store_result columns_visit_qsos(struct columns *columns, struct statement *list,
                                     qso_visitor *visit, void *context)
{
    struct qso qso;
    enum store_result result = STORE_DONE;
    columns_clear_qso(&qso);
    while (database_next(columns->database, list, &result)) {
        columns_read_next_qso(columns, list, &qso);
        visit(context, &qso);
    }
    return result;
}

static void visit_row(sqlite3_context *call, int count, sqlite3_value **stored)
{
    struct columns *columns = sqlite3_user_data(call);
    for (int i = 0; i < count; i++)
        read_field(stored[i], &columns->counting.reads[i], &columns->counting.qso);
    columns->counting.visit(columns->counting.context, &columns->counting.qso);
}

static void end_rows(sqlite3_context *call)
{
    sqlite3_result_null(call);
}

/* SQLite rejects a statement that calls the function with another number of arguments. */
enum store_result columns_add_function(struct columns *columns)
{
    columns->counting.read_count = 0;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (fields[i].column && (fields[i].flags & FIELD_COUNTED)) {
            const int argument = columns->counting.read_count++;
            columns->counting.reads[argument] = (struct read_field){i, argument, fields[i].kind};
        }
    int code = sqlite3_create_function_v2(
        columns->database->handle, "visit_qso", columns->counting.read_count,
        SQLITE_UTF8 | SQLITE_DIRECTONLY, columns, NULL, visit_row, end_rows, NULL);
    return database_result(columns->database, code, "add a function");
}

enum store_result columns_count_qsos(struct columns *columns, struct statement *list,
                                     qso_visitor *visit, void *context)
{
    bool has_row;
    columns->counting.visit = visit;
    columns->counting.context = context;
    columns_clear_qso(&columns->counting.qso);
    return database_has_row(columns->database, list, &has_row);
}

void columns_keep_texts(struct qso *qso, struct arena *arena)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        struct value *value = &qso->values[i];
        if (columns_form_of(fields[i].kind) == FORM_BYTES && value->state == VALUE_PRESENT)
            value->text = arena_copy(arena, value->text, value->length);
    }
}

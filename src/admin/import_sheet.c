/* The options are answers to questions. If the file suggests an answer, the answer is printed, and
 * no option is needed. */
#include "admin/import_sheet.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "adif/encoding.h"
#include "adif/wsjtx.h"
#include "admin/import_sheet_report.h"
#include "admin/values.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/text_utf8.h"
#include "transfer/sheet_columns.h"
#include "transfer/sheet_rows.h"
#include "transfer/sheet_values.h"
#include "transfer/sheet_words.h"
#include "transfer/sheet_zone.h"

#define EXAMINED_BYTES 65536
#define ODD_BYTES_MAX 4096 /* of lines that are not UTF-8 */

/* Returns whether a tag of ADIF begins here: <CALL:6>, <CALL:6:S>, <EOH> or <EOR>. */
static bool is_tag(struct text text)
{
    struct text rest = text_skip(text, 1);
    size_t name = 0;
    if (text_begins_ignoring_case(rest, "EOH>") || text_begins_ignoring_case(rest, "EOR>"))
        return true;
    while (name < rest.length &&
           (isalnum((unsigned char)rest.bytes[name]) || rest.bytes[name] == '_'))
        name++;
    rest = text_skip(rest, name);
    if (name == 0 || rest.length == 0 || rest.bytes[0] != ':')
        return false;
    rest = text_skip(rest, 1);
    const size_t digits = text_count_leading(rest, isdigit);
    return digits > 0 && digits < rest.length &&
           (rest.bytes[digits] == ':' || rest.bytes[digits] == '>');
}

bool import_sheet_is(struct text file)
{
    const struct text text = text_trim(file);
    if (text.length == 0 || text.bytes[0] == '<' || wsjtx_is(file))
        return false;
    for (size_t i = 0; i < file.length && i < EXAMINED_BYTES; i++) {
        const unsigned char byte = (unsigned char)file.bytes[i];
        if ((byte < ' ' && !memchr("\t\n\v\f\r", byte, 5)) ||
            (byte == '<' && is_tag(text_skip(file, i))))
            return false;
    }
    return true;
}

/* Joins the first lines that are not UTF-8. */
static struct text odd_lines(struct text file, struct arena *arena)
{
    struct buffer lines = {0};
    while (file.bytes && lines.length < ODD_BYTES_MAX) {
        struct text line = text_split_next(&file, '\n');
        if (text_is_utf8(line.bytes, line.length))
            continue;
        line.length = line.length < ODD_BYTES_MAX ? line.length : ODD_BYTES_MAX;
        buffer_append(&lines, line.bytes, line.length);
        buffer_append_string(&lines, "\n");
    }
    return encoding_take(&lines, arena);
}

/* Ends the program with a message that lists the encodings that fit, each with the first line that
 * is not UTF-8. */
static _Noreturn void refuse_encoding(struct invocation *invocation, const char *path,
                                      struct text file)
{
    static const char *const candidates[] = {"CP1252", "CP1250", "CP1251", "CP932"};
    const struct text lines = odd_lines(file, invocation->arena);
    struct buffer list = {0};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        struct encoding *encoding = encoding_open(candidates[i], invocation->arena);
        struct text read;
        if (!encoding)
            continue;
        if (encoding_convert(encoding, lines, invocation->arena, &read))
            buffer_print(&list, "%s %s (\"%s\")", list.length > 0 ? "," : "", candidates[i],
                         import_sheet_show(text_split_next(&read, '\n'), invocation->arena));
        encoding_close(encoding);
    }
    buffer_append(&list, "", 1);
    command_end(EXIT_USAGE, "", "%s is not in UTF-8; specify its encoding with --encoding%s%s",
                path, list.length > 1 ? ":" : "", list.bytes);
}

/* Returns the file in UTF-8, without a byte order mark. */
static struct text decode(struct invocation *invocation, const char *path, struct text file)
{
    const char *name = command_option(invocation, "encoding");
    struct text text = file;
    if (!text_is_utf8(file.bytes, file.length)) {
        if (!name)
            refuse_encoding(invocation, path, file);
        struct encoding *encoding = encoding_open(name, invocation->arena);
        const bool is_read = encoding && encoding_convert(encoding, file, invocation->arena, &text);
        if (encoding)
            encoding_close(encoding);
        if (!is_read)
            command_refuse("%s is not in the encoding %s", path, name);
    }
    return text_begins_ignoring_case(text, "\xEF\xBB\xBF") ? text_skip(text, 3) : text;
}

static void read_rows(struct invocation *invocation, const char *path, struct text file,
                      struct sheet_rows *rows)
{
    const bool is_too_large = file.length > SHEET_BYTES_MAX;
    const struct text text = is_too_large ? file : decode(invocation, path, file);
    switch (is_too_large ? SHEET_TOO_LARGE : sheet_read_rows(text, invocation->arena, rows)) {
    case SHEET_READ:
        return;
    case SHEET_TOO_MANY_ROWS:
        command_refuse("%s has more than %d rows; split it, and import the parts", path,
                       SHEET_ROWS_MAX);
    case SHEET_TOO_MANY_COLUMNS:
        command_refuse("%s has more than %d columns; delete those that are not part of the log",
                       path, SHEET_COLUMNS_MAX);
    case SHEET_TOO_MANY_CELLS:
    case SHEET_TOO_LARGE:
        command_refuse("%s is too large; split it, and import the parts", path);
    }
}

/* Gives the fields in --columns to the columns, from left to right. A field has only one column. */
static void set_columns(const struct invocation *invocation, struct sheet *sheet)
{
    struct text rest = text_of(command_option(invocation, "columns"));
    for (size_t index = 0; rest.bytes; index++) {
        const struct text name = text_trim(text_split_next(&rest, ','));
        enum sheet_field field = sheet_field_named(name);
        size_t column = 0;
        if (name.length == 0)
            continue;
        if (field == SHEET_FIELD_COUNT && !sheet_find_field(name, &field))
            command_misuse("--columns has an unknown field: %.*s", (int)name.length, name.bytes);
        while (column < sheet->column_count && sheet->columns[column].index != index)
            column++;
        if (column == sheet->column_count)
            continue;
        for (size_t i = 0; i < sheet->column_count; i++)
            if (sheet->columns[i].field == field && field != SHEET_NONE)
                sheet->columns[i].field = SHEET_EXTRA;
        sheet_set_field(sheet, &sheet->columns[column], field);
    }
}

/* Sets the answer to the question which of two reports was sent. */
static void answer_reports(struct invocation *invocation, const struct sheet *sheet,
                           struct table *answers)
{
    const int which = command_read_choice(invocation, "first-report", "sent", "received");
    const struct sheet_column *open[2];
    const size_t count = sheet_open_reports(sheet, open);
    if (which == 0 || count == 0)
        return;
    sheet_set_answer(answers, "sent",
                     count == 1 ? (which == 1 ? "sent" : "received")
                                : arena_print(invocation->arena, "%zu", open[which - 1]->index));
}

/* Sets the answers in --answers: "zeros=minutes; call 1.4E+11=14E10". */
static void answer_others(struct invocation *invocation, struct table *answers)
{
    struct text rest = text_of(command_option(invocation, "answers"));
    while (rest.bytes) {
        struct text value = text_trim(text_split_next(&rest, ';'));
        if (value.length == 0)
            continue;
        struct text id = text_split_next(&value, '=');
        if (!value.bytes)
            command_misuse("--answers needs a question and its answer, such as zeros=minutes");
        id = text_trim(id);
        value = text_trim(value);
        sheet_set_answer(answers, arena_copy(invocation->arena, id.bytes, id.length),
                         arena_copy(invocation->arena, value.bytes, value.length));
    }
}

static void read_answers(struct invocation *invocation, const struct sheet *sheet,
                         struct table *answers)
{
    static const char *const options[][2] = {
        {"date-order", "order"}, {"zone", "zone"}, {"channel-plan", "plan"}};
    table_begin(answers, invocation->arena, sizeof(const char *));
    answer_others(invocation, answers);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (command_option(invocation, options[i][0]))
            sheet_set_answer(answers, options[i][1], command_option(invocation, options[i][0]));
    answer_reports(invocation, sheet, answers);
}

/* Returns whether the question accepts the answer. */
static bool accepts(const struct sheet_question *question, const char *answer)
{
    struct sheet_date date;
    struct sheet_day day;
    struct sheet_time time;
    char mhz[SHEET_MHZ_SIZE];
    for (size_t i = 0; i < question->count; i++)
        if (strcmp(question->answers[i].value, answer) == 0)
            return true;
    switch (question->kind) {
    case ASK_ZONE:
        return sheet_zone_exists(answer);
    case ASK_PLAN:
        return sheet_mhz_of(question->example.cell.bytes, answer, mhz);
    case ASK_CALL:
        return sheet_is_callsign(text_of(answer));
    case ASK_DAY:
        return sheet_read_date(text_of(answer), &date) && date.kind == DATE_YMD &&
               sheet_day_of(&date, ORDER_YMD, 0, false, &day);
    case ASK_TIME:
        return sheet_read_time(text_of(answer), &time);
    case ASK_YEAR:
        return strlen(answer) == 4 && strspn(answer, "0123456789") == 4 && answer[0] != '0';
    default:
        return false;
    }
}

/* Ends the program if an answer is not possible, or if a question is open. */
static void check_answers(const char *path, const struct sheet_question *questions,
                          const struct table *answers)
{
    size_t open = 0;
    for (const struct sheet_question *one = questions; one; one = one->next) {
        const char *answer = sheet_answer(answers, one->id);
        if (answer && !accepts(one, answer))
            command_misuse("%s is not a possible answer to the question \"%s\" about %s", answer,
                           one->id, path);
        open += !answer;
    }
    if (open > 0)
        command_end(EXIT_USAGE, "", "%s leaves %zu question%s open; answer with the listed options",
                    path, open, open == 1 ? "" : "s");
}

/* Returns whether a question with this id is asked, or has an option of its own. */
static bool is_known(const struct sheet_question *questions, const char *id)
{
    for (const struct sheet_question *one = questions; one; one = one->next)
        if (strcmp(one->id, id) == 0)
            return true;
    return text_is_one_of(text_of(id), "order zone plan sent");
}

/* Returns the answers to the questions that are asked, with the member's plan of channels. Ends the
 * program if --answers has an unknown question, or if --date-order differs from the order that the
 * file decides. */
static void keep_asked(struct invocation *invocation, const struct sheet_facts *facts,
                       const struct sheet_question *questions, const struct table *given,
                       struct table *out)
{
    const enum sheet_order decided = sheet_find_order(facts);
    const char *order = command_option(invocation, "date-order");
    const struct text set = invocation->member.channel_plan;
    const char *plan = set.length > 0 ? arena_copy(invocation->arena, set.bytes, set.length) : NULL;
    table_begin(out, invocation->arena, sizeof(const char *));
    for (const struct sheet_question *one = questions; one; one = one->next)
        if (sheet_answer(given, one->id))
            sheet_set_answer(out, one->id, sheet_answer(given, one->id));
        else if (one->kind == ASK_PLAN && plan && accepts(one, plan))
            sheet_set_answer(out, one->id, plan);
    for (const struct table_entry *one = given->first; one; one = one->next)
        if (!is_known(questions, one->key.bytes))
            command_misuse("there is no question \"%s\" about the file", one->key.bytes);
    if (order && facts->dates > 0 && decided != ORDER_NONE &&
        strcmp(order, sheet_order_names[decided]) != 0)
        command_misuse("the dates in the file are not in the order %s, but in the order %s", order,
                       sheet_order_names[decided]);
}

void import_sheet_read(struct invocation *invocation, const char *path, struct text file,
                       struct import_sheet *out)
{
    struct arena *arena = invocation->arena;
    const bool is_silent = command_has_option(invocation, "json");
    struct sheet_records *records = arena_allocate(arena, sizeof *records);
    struct sheet_facts *facts = arena_allocate(arena, sizeof *facts);
    struct table given, answers;
    struct sheet_rows rows;
    struct sheet sheet;
    const int64_t now_ms = clock_wall_ms();
    read_rows(invocation, path, file, &rows);
    sheet_recognise(rows, arena, &sheet);
    set_columns(invocation, &sheet);
    if (!sheet_has_log(&sheet))
        command_refuse("%s contains no ADIF, and is not a sheet with the columns of a log; name "
                       "the columns with --columns",
                       path);
    sheet_survey(&sheet, now_ms, facts);
    read_answers(invocation, &sheet, &given);
    const struct sheet_question *questions = sheet_choose(&sheet, facts, &given, NULL, now_ms);
    keep_asked(invocation, facts, questions, &given, &answers);
    if (!is_silent)
        import_sheet_print_columns(&sheet, questions, &answers, arena);
    import_sheet_print_questions(questions, &answers, is_silent, arena);
    check_answers(path, questions, &answers);
    sheet_read_records(&sheet, facts, &answers, records);
    if (!is_silent)
        import_sheet_print_remarks(records, arena);
    out->rows = (const int64_t *)(const void *)arena_copy(
        arena, records->rows.length ? records->rows.bytes : "", records->rows.length);
    out->adi = encoding_take(&records->adi, arena);
    out->row_count = (int64_t)(records->rows.length / sizeof *out->rows);
    buffer_free(&records->rows);
}

void import_sheet_refuse_options(const struct invocation *invocation, const char *path)
{
    static const char *const names[] = {"columns",      "date-order",   "zone",
                                        "first-report", "channel-plan", "answers"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (command_has_option(invocation, names[i]))
            command_misuse("--%s is for sheets such as CSV, and %s is not a sheet", names[i], path);
}

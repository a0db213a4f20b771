/* Questions go to standard error, because they end the command. */
#include "admin/import_sheet_report.h"

#include <stdio.h>
#include <string.h>

#include "admin/output.h"
#include "base/text_visible.h"

#define SHOWN_BYTES 80
#define REMARKS_SHOWN 100

const char *import_sheet_show(struct text text, struct arena *arena)
{
    size_t length = text.length;
    if (length > SHOWN_BYTES) {
        length = SHOWN_BYTES;
        while (length > 0 && ((unsigned char)text.bytes[length] & 0xC0) == 0x80)
            length--;
    }
    char *shown = arena_copy(arena, length > 0 ? text.bytes : "", length);
    text_replace_control(shown, length);
    return shown;
}

/* Returns the letters with which spreadsheets name a column. */
static const char *letters_of(size_t index, struct arena *arena)
{
    const int place = (int)index;
    return place < 26 ? arena_print(arena, "%c", 'A' + place)
                      : arena_print(arena, "%c%c", 'A' + place / 26 - 1, 'A' + place % 26);
}

/* Returns whether a question decides about a column. */
static bool is_asked(const struct sheet_column *column, const struct sheet_question *question)
{
    switch (question->kind) {
    case ASK_ORDER:
    case ASK_YEAR:
    case ASK_SERIAL:
        return column->field == SHEET_DATE || column->field == SHEET_QSO_AT;
    case ASK_ZONE:
        return column->field == SHEET_TIME || column->field == SHEET_QSO_AT;
    case ASK_ZEROS:
        return column->field == SHEET_TIME;
    case ASK_SENT:
        return column->field == SHEET_REPORT || column->field == SHEET_HIS_REPORT ||
               column->field == SHEET_MY_REPORT || column->field == SHEET_REPORT_E;
    case ASK_QSL:
        return column->field == SHEET_QSL_E;
    case ASK_BARE:
        return column->field == SHEET_FREQUENCY;
    case ASK_CHANNELS:
    case ASK_PLAN:
        return column->field == SHEET_CHANNEL;
    default:
        return false;
    }
}

static const char *reason_of(const struct sheet_column *column,
                             const struct sheet_question *questions, const struct table *answers,
                             struct arena *arena)
{
    bool is_answered = false;
    for (const struct sheet_question *one = questions; one; one = one->next)
        if (is_asked(column, one)) {
            if (!sheet_answer(answers, one->id))
                return "see the question";
            is_answered = true;
        }
    if (is_answered)
        return "see the answer";
    if (column->all == 0)
        return "empty";
    if (column->field == SHEET_EXTRA)
        return "has no field, and is kept with the QSO";
    if (column->field == SHEET_NONE)
        return "is not read";
    if (column->field == SHEET_NOTES || column->field == SHEET_NAME)
        return "any text";
    const bool is_call = column->field == SHEET_CALL || column->field == SHEET_MY_CALL;
    const bool is_locator = column->field == SHEET_LOCATOR || column->field == SHEET_MY_LOCATOR;
    return arena_print(arena, "%zu of %zu %s", column->fits, column->all,
                       is_call      ? "are callsigns"
                       : is_locator ? "are locators"
                                    : "can be read");
}

void import_sheet_print_columns(const struct sheet *sheet, const struct sheet_question *questions,
                                const struct table *answers, struct arena *arena)
{
    for (size_t i = 0; i < sheet->column_count; i++) {
        const struct sheet_column *column = &sheet->columns[i];
        output_write(stdout, "column %s: %s%s%s (%s)\n", letters_of(column->index, arena),
                     import_sheet_show(column->header, arena),
                     column->header.length > 0 ? ": " : "", sheet_field_name(column->field),
                     reason_of(column, questions, answers, arena));
    }
}

/* Returns the text of a question, which follows the example. */
static const char *title_of(enum sheet_kind kind)
{
    static const char *const titles[] = {
        [ASK_DAY] = "the sheet has no dates; on which day were the QSOs?",
        [ASK_TIME] = "the sheet has no times; at what time were the QSOs?",
        [ASK_ORDER] = "in which order are day and month?",
        [ASK_YEAR] = "the dates have no year; which year is the first?",
        [ASK_SERIAL] = "the date is a number of days; counted from which year?",
        [ASK_ZONE] = "in which time zone are the times?",
        [ASK_ZEROS] = "times have lost the zeros at their start; what is the time?",
        [ASK_SENT] = "which report was sent?",
        [ASK_QSL] = "was the QSL card sent or received?",
        [ASK_BARE] = "is a number without a unit a channel or a frequency?",
        [ASK_CHANNELS] = "are the channels on 11 m or PMR446?",
        [ASK_PLAN] = "countries number their channels differently; which plan?",
        [ASK_BAND] = "on which band were the QSOs without a frequency?",
        [ASK_CALL] = "a spreadsheet read a callsign as a number; which callsign?",
        [ASK_CHANGED] = "a spreadsheet read a value as a date; which value?",
    };
    return titles[kind];
}

/* Returns an answer as the operator gives it on the command line. */
static const char *option_for(const struct sheet_question *question, size_t place,
                              const char *value, struct arena *arena)
{
    const char *option = question->kind == ASK_ORDER  ? "date-order"
                         : question->kind == ASK_ZONE ? "zone"
                         : question->kind == ASK_PLAN ? "channel-plan"
                                                      : NULL;
    if (question->kind == ASK_SENT)
        return arena_print(arena, "--first-report %s", place == 0 ? "sent" : "received");
    if (option)
        return arena_print(arena, "--%s %s", option, value);
    return arena_print(arena, "--answers \"%s=%s\"", question->id, value);
}

/* Returns the meaning of an answer, if it is not clear from the value. */
static const char *meaning_of(const struct sheet_answer *answer)
{
    if (strcmp(answer->value, "omit") == 0)
        return "leaves these rows out";
    if (strcmp(answer->value, "empty") == 0)
        return "an empty cell";
    return answer->meaning;
}

/* Prints an example of a further answer that the question accepts. */
static void print_more(const struct sheet_question *question, struct arena *arena)
{
    static const char *const values[] = {[ASK_DAY] = "2026-11-27",
                                         [ASK_TIME] = "20:15",
                                         [ASK_YEAR] = "2020",
                                         [ASK_ZONE] = "Europe/Berlin"};
    const bool has_more = question->kind == ASK_DAY || question->kind == ASK_TIME ||
                          question->kind == ASK_YEAR || question->kind == ASK_ZONE;
    if (has_more)
        output_write(stderr, "    %s, for example\n",
                     option_for(question, 0, values[question->kind], arena));
}

static const char *place_of(const struct sheet_question *question, struct arena *arena)
{
    const char *column =
        question->column.length > 0
            ? arena_print(arena, "%s: ", import_sheet_show(question->column, arena))
            : "";
    if (question->example.row == 0)
        return column;
    return arena_print(arena, "row %zu: %s%s: ", question->example.row, column,
                       import_sheet_show(question->example.cell, arena));
}

void import_sheet_print_questions(const struct sheet_question *questions,
                                  const struct table *answers, bool is_silent, struct arena *arena)
{
    for (const struct sheet_question *one = questions; one; one = one->next) {
        const char *given = sheet_answer(answers, one->id);
        const char *place = place_of(one, arena);
        if (given && !is_silent) {
            size_t at = 0;
            while (at < one->count && strcmp(one->answers[at].value, given) != 0)
                at++;
            const char *meaning = at < one->count ? meaning_of(&one->answers[at]) : "";
            output_write(stdout, "answer: %s%s %s%s%s\n", place, title_of(one->kind),
                         option_for(one, at, given, arena), meaning[0] ? ": " : "",
                         import_sheet_show(text_of(meaning), arena));
        }
        if (given)
            continue;
        output_write(stderr, "question: %s%s\n", place, title_of(one->kind));
        for (size_t i = 0; i < one->count; i++) {
            const char *meaning = meaning_of(&one->answers[i]);
            output_write(stderr, "    %s%s%s\n", option_for(one, i, one->answers[i].value, arena),
                         meaning[0] ? ": " : "", import_sheet_show(text_of(meaning), arena));
        }
        print_more(one, arena);
    }
}

void import_sheet_print_remarks(const struct sheet_records *records, struct arena *arena)
{
    static const char *const texts[] = {
        [REMARK_NEXT_DAY] = "counts as the next day",
        [REMARK_OTHER_YEAR] = "counts as another year",
        [REMARK_TWICE] = "occurs twice, because clocks are set back; the first time counts",
        [REMARK_SKIPPED] = "does not exist, because clocks are set forward",
        [REMARK_NOTE] = "is not a QSO",
        [REMARK_OMITTED] = "is left out",
    };
    for (size_t i = 0; i < records->remark_count && i < REMARKS_SHOWN; i++)
        output_write(stdout, "row %zu: %s: %s\n", records->remarks[i].row,
                     import_sheet_show(text_of(records->remarks[i].text), arena),
                     texts[records->remarks[i].kind]);
    if (records->remark_count > REMARKS_SHOWN)
        output_write(stdout, "%zu more rows to check\n", records->remark_count - REMARKS_SHOWN);
}

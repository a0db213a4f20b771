/* The order of the questions is that of the page. */
#include "transfer/sheet_questions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "base/format.h"
#include "qso/channels.h"
#include "qso/divisions.h"
#include "qso/tuning.h"
#include "transfer/sheet_values.h"
#include "transfer/sheet_words.h"

#define CALLS_ASKED 6 /* numbers in place of callsigns that are asked one by one */
#define LATE_MAX 2    /* dates in the future that count as typing errors */

/* The questions so far. */
struct asking {
    const struct sheet *sheet;
    const struct sheet_facts *facts;
    struct sheet_question *first, **end;
};

const char *sheet_answer(const struct table *answers, const char *id)
{
    const char *const *value = table_find(answers, text_of(id));
    return value ? *value : NULL;
}

void sheet_set_answer(struct table *answers, const char *id, const char *value)
{
    *(const char **)table_at(answers, text_of(id)) = value;
}

static struct sheet_question *ask(struct asking *asking, const char *id, enum sheet_kind kind,
                                  struct sheet_example example)
{
    struct sheet_question *question = arena_allocate_zeroed(asking->sheet->arena, sizeof *question);
    question->id = id;
    question->kind = kind;
    question->example = example;
    question->column = (struct text){"", 0};
    if (!example.cell.bytes)
        question->example.cell = question->column;
    *asking->end = question;
    asking->end = &question->next;
    return question;
}

static void offer(struct sheet_question *question, const char *value, const char *meaning)
{
    if (question->count < SHEET_ANSWERS_MAX)
        question->answers[question->count++] = (struct sheet_answer){value, meaning};
}

/* Returns a day as text: 2026-11-27. */
static const char *show_day(struct arena *arena, struct sheet_day day)
{
    return arena_print(arena, "%04d-%02d-%02d", day.year, day.month, day.day);
}

/* Returns whether all dates exist in an order. */
static bool is_whole(const struct sheet_facts *facts, int order)
{
    const struct sheet_ordered *found = &facts->orders[order];
    return found->fits > 0 && found->fits == facts->dates && found->late <= LATE_MAX;
}

enum sheet_order sheet_find_order(const struct sheet_facts *facts)
{
    enum sheet_order found = facts->order;
    if (found != ORDER_NONE)
        return found;
    for (int order = 0; order < ORDER_COUNT; order++)
        if (is_whole(facts, order)) {
            if (found != ORDER_NONE)
                return ORDER_NONE;
            found = (enum sheet_order)order;
        }
    return found;
}

/* Offers the orders of the dates, each with the day of the example. */
static void offer_orders(struct asking *asking, struct sheet_question *question, int year)
{
    struct sheet_date date;
    struct sheet_day day;
    sheet_read_date(question->example.cell, &date);
    for (int order = 0; order < ORDER_COUNT; order++)
        if ((year == 0 || order != ORDER_YMD) &&
            sheet_day_of(&date, (enum sheet_order)order, year, false, &day))
            offer(question, sheet_order_names[order], show_day(asking->sheet->arena, day));
}

static void ask_order(struct asking *asking)
{
    const struct sheet_facts *facts = asking->facts;
    bool has_whole = false, has_any = false;
    for (int order = 0; order < ORDER_COUNT; order++) {
        has_whole = has_whole || is_whole(facts, order);
        has_any = has_any || facts->orders[order].fits > 0;
    }
    if (facts->date.row == 0 || !has_any || sheet_find_order(facts) != ORDER_NONE)
        return;
    struct sheet_question *question = ask(asking, "order", ASK_ORDER, facts->date);
    struct sheet_date date;
    struct sheet_day day;
    sheet_read_date(facts->date.cell, &date);
    for (int order = 0; order < ORDER_COUNT; order++) {
        if (has_whole ? !is_whole(facts, order) : facts->orders[order].fits == 0)
            continue;
        const bool exists = sheet_day_of(&date, (enum sheet_order)order, 0, false, &day);
        offer(question, sheet_order_names[order],
              exists ? show_day(asking->sheet->arena, day) : "");
    }
    if (facts->is_dotted && is_whole(facts, ORDER_DMY))
        question->chosen = sheet_order_names[ORDER_DMY];
}

/* Asks about dates without a year, and about dates that are numbers of days. */
static void ask_short(struct asking *asking, int64_t now_ms)
{
    const struct sheet_facts *facts = asking->facts;
    struct arena *arena = asking->sheet->arena;
    const int this_year = sheet_day_at(now_ms).year;
    struct sheet_date date;
    struct sheet_day day;
    bool has_order = false;
    for (int order = 0; order < ORDER_COUNT; order++)
        has_order = has_order || facts->orders[order].fits > 0;
    if (facts->short_date.row > 0) {
        struct sheet_question *question = ask(asking, "year", ASK_YEAR, facts->short_date);
        for (int year = this_year; year > this_year - 3; year--)
            offer(question, arena_print(arena, "%d", year), "");
        sheet_read_date(facts->short_date.cell, &date);
        if (!date.has_name && !has_order) {
            struct sheet_question *order = ask(asking, "order", ASK_ORDER, facts->short_date);
            offer_orders(asking, order, this_year);
            order->chosen = order->count == 1 ? order->answers[0].value : NULL;
        }
    }
    if (facts->serial.row == 0)
        return;
    struct sheet_question *question = ask(asking, "serial", ASK_SERIAL, facts->serial);
    sheet_read_date(facts->serial.cell, &date);
    for (int is_1904 = 0; is_1904 < 2; is_1904++)
        if (sheet_day_of(&date, ORDER_DMY, 0, is_1904, &day) && sheet_is_past(day, now_ms))
            offer(question, is_1904 ? "1904" : "1900", show_day(arena, day));
    question->chosen = "1900";
}

/* Writes the folded header of the column with this field; an empty text if there is none. */
static void fold_header(const struct sheet *sheet, enum sheet_field field,
                        char out[SHEET_FOLDED_SIZE])
{
    const struct sheet_column *column = sheet_column_of(sheet, field);
    sheet_fold(column ? column->header : (struct text){"", 0}, out);
}

static bool says_utc(const char *header)
{
    return strstr(header, "utc") || strstr(header, "gmt") || strstr(header, "zulu") ||
           strcmp(header, "z") == 0 || strcmp(header, "tu") == 0 || strstr(header, "heuretu");
}

/* Returns whether the header says that the times are not in UTC: "UTC+1", "local, not UTC". */
static bool says_other(const char *header)
{
    if (strstr(header, "local") || strstr(header, "lokal") || strstr(header, "not") ||
        strstr(header, "nicht"))
        return true;
    for (const char *at = header; *at; at++)
        if (strncmp(at, "utc", 3) == 0 || strncmp(at, "gmt", 3) == 0) {
            const char *after = at + 3 + (at[3] == '+');
            if (isdigit((unsigned char)*after))
                return true;
        }
    return false;
}

static void ask_zone(struct asking *asking, const char *zone)
{
    static const enum sheet_field fields[] = {SHEET_TIME, SHEET_DATE, SHEET_QSO_AT};
    const struct sheet *sheet = asking->sheet;
    char header[SHEET_FOLDED_SIZE];
    bool has_utc = false, has_other = false, is_adif = false;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        fold_header(sheet, fields[i], header);
        has_utc = has_utc || says_utc(header);
        has_other = has_other || says_other(header);
        is_adif = is_adif || strcmp(header, "qsodate") == 0 || strcmp(header, "timeon") == 0;
    }
    if (asking->facts->time.row == 0 || (has_utc && !has_other) || sheet->layout == LAYOUT_WSJTX ||
        sheet->layout == LAYOUT_SOTA)
        return;
    struct sheet_question *question = ask(asking, "zone", ASK_ZONE, asking->facts->time);
    fold_header(sheet, SHEET_TIME, header);
    const bool is_local = zone && (strcmp(header, "mez") == 0 || strcmp(header, "mes") == 0 ||
                                   strcmp(header, "mesz") == 0);
    offer(question, "UTC", "");
    if (zone)
        offer(question, zone, "");
    question->chosen = is_adif ? "UTC" : is_local ? zone : NULL;
}

static void ask_zeros(struct asking *asking)
{
    const struct sheet_facts *facts = asking->facts;
    const bool is_short = facts->short_time.row > 0;
    const struct sheet_example example = is_short ? facts->short_time : facts->lost_zero;
    struct arena *arena = asking->sheet->arena;
    struct sheet_time time;
    if (example.row == 0 || !sheet_read_time(example.cell, &time))
        return;
    struct sheet_question *question = ask(asking, "zeros", ASK_ZEROS, example);
    offer(question, "minutes", arena_print(arena, "%02d:%02d", time.hours, time.minutes));
    if (is_short && sheet_number_of(example.cell) < 24)
        offer(question, "hours", arena_print(arena, "%02d:00", sheet_number_of(example.cell)));
    offer(question, "omit", "");
    question->chosen = is_short ? NULL : "minutes";
}

size_t sheet_open_reports(const struct sheet *sheet, const struct sheet_column *open[2])
{
    size_t count = 0;
    for (size_t i = 0; i < sheet->column_count && count < 2; i++) {
        const enum sheet_field field = sheet->columns[i].field;
        if (field == SHEET_HIS_REPORT || field == SHEET_MY_REPORT || field == SHEET_REPORT ||
            field == SHEET_REPORT_E)
            open[count++] = &sheet->columns[i];
    }
    return count;
}

/* Asks which of two columns, or whether one column, has the report that was sent. */
static void ask_reports(struct asking *asking)
{
    const struct sheet *sheet = asking->sheet;
    const struct sheet_column *open[2];
    const size_t count = sheet_open_reports(sheet, open);
    size_t row = sheet->first;
    if (count == 0)
        return;
    while (row < sheet->rows.count &&
           (sheet_cell(sheet, row, open[0]->index).length == 0 ||
            (count == 2 && sheet_cell(sheet, row, open[1]->index).length == 0)))
        row++;
    struct sheet_example example = {sheet_cell(sheet, row, open[0]->index), row + 1};
    if (row == sheet->rows.count)
        example.row = 0;
    struct sheet_question *question = ask(asking, "sent", ASK_SENT, example);
    question->column = open[0]->header;
    if (count == 2) {
        for (size_t i = 0; i < 2; i++) {
            const struct text cell = sheet_cell(sheet, row, open[i]->index);
            offer(question, arena_print(sheet->arena, "%zu", open[i]->index),
                  arena_print(sheet->arena, "%.*s %.*s", (int)open[i]->header.length,
                              open[i]->header.bytes, (int)cell.length, cell.bytes));
        }
        return;
    }
    offer(question, "sent", "");
    offer(question, "received", "");
    question->chosen = sheet_column_of(sheet, SHEET_SENT)       ? "received"
                       : sheet_column_of(sheet, SHEET_RECEIVED) ? "sent"
                                                                : NULL;
}

static void ask_qsl(struct asking *asking)
{
    const struct sheet_column *column = sheet_column_of(asking->sheet, SHEET_QSL_E);
    if (!column)
        return;
    struct sheet_question *question = ask(asking, "qsl", ASK_QSL, (struct sheet_example){0});
    question->column = column->header;
    offer(question, "sent", "");
    offer(question, "received", "");
}

bool sheet_mhz_of(const char *channel, const char *plan, char out[SHEET_MHZ_SIZE])
{
    struct tuning tuning;
    const struct channel_plan *found = channels_find_plan(text_of(plan));
    if (!found || !tuning_read(text_of(channel), found, (struct text){0}, &tuning) ||
        tuning.count != 1 || (tuning.channels[0].plan && tuning.channels[0].plan != found))
        return false;
    format_cut(out, SHEET_MHZ_SIZE, "%d.%03d", (int)(tuning.khz / 1000), (int)(tuning.khz % 1000));
    return true;
}

/* Offers the plans that have a channel. If several plans have the same frequency, offers only the
 * first of these plans. */
static void offer_plans(struct asking *asking, struct sheet_question *question, const char *name)
{
    char mhz[SHEET_MHZ_SIZE];
    for (size_t i = 0; channels_plan_at(i); i++) {
        bool is_new = sheet_mhz_of(name, channels_plan_at(i)->code, mhz);
        for (size_t k = 0; is_new && k < question->count; k++)
            is_new = strncmp(question->answers[k].meaning, mhz, strlen(mhz)) != 0;
        if (is_new)
            offer(question, channels_plan_at(i)->code,
                  arena_print(asking->sheet->arena, "%s MHz", mhz));
    }
    offer(question, "none", "");
}

/* Asks for the plan. The plans differ most in the channels above 40. */
static void ask_plan(struct asking *asking, bool is_bare_channel)
{
    const struct sheet_facts *facts = asking->facts;
    const struct table_entry *found = facts->channels.first;
    const char *name;
    struct sheet_example example;
    while (found && atoi(found->key.bytes) <= 40)
        found = found->next;
    const struct text bare = facts->bare.cell;
    const bool is_bare_high = is_bare_channel && sheet_number_of(bare) > 40;
    if (!found && !is_bare_high)
        found = facts->channels.first;
    if (found) {
        name = found->key.bytes;
        example = *(const struct sheet_example *)found->value;
    } else if (is_bare_channel) {
        name = arena_copy(asking->sheet->arena, bare.bytes, bare.length);
        example = facts->bare;
    } else {
        return;
    }
    example.cell = text_of(name);
    offer_plans(asking, ask(asking, "plan", ASK_PLAN, example), name);
}

static void ask_tuning(struct asking *asking, const struct table *answers)
{
    const struct sheet_facts *facts = asking->facts;
    struct arena *arena = asking->sheet->arena;
    const char *bare = sheet_answer(answers, "bare"), *channels = sheet_answer(answers, "channels");
    const bool has_channels = facts->channels.count > 0;
    if (facts->bare.row > 0) {
        struct sheet_question *question = ask(asking, "bare", ASK_BARE, facts->bare);
        offer(question, "channel", "");
        offer(question, "MHz",
              arena_print(arena, "%.*s MHz", (int)facts->bare.cell.length, facts->bare.cell.bytes));
    }
    if (has_channels && !sheet_column_of(asking->sheet, SHEET_BAND)) {
        const struct sheet_example *first =
            (const struct sheet_example *)facts->channels.first->value;
        const struct sheet_example example = facts->has_cb_channel ? facts->toned : *first;
        if (example.row > 0) {
            struct sheet_question *question = ask(asking, "channels", ASK_CHANNELS, example);
            offer(question, "11m", "");
            offer(question, "pmr", "");
            question->chosen = facts->has_tone && !facts->has_cb_channel ? "pmr" : NULL;
        }
    }
    const bool is_cb = !channels || strcmp(channels, "pmr") != 0 || facts->has_cb_channel;
    if (is_cb)
        ask_plan(asking, facts->bare.row > 0 && bare && strcmp(bare, "channel") == 0);
    if (facts->is_untuned && facts->bare.row == 0 && !has_channels) {
        struct sheet_question *question = ask(asking, "band", ASK_BAND, (struct sheet_example){0});
        offer(question, "11m", "");
        offer(question, "omit", "");
    }
}

static void ask_call(struct asking *asking, const struct table_entry *entry)
{
    struct arena *arena = asking->sheet->arena;
    struct sheet_calls found;
    struct sheet_question *question = ask(asking, arena_print(arena, "call %s", entry->key.bytes),
                                          ASK_CALL, *(const struct sheet_example *)entry->value);
    sheet_find_calls(entry->key, &found);
    for (size_t i = 0; i < found.count; i++) {
        const struct division *division = divisions_find(text_of(found.calls[i]));
        offer(question, arena_copy(arena, found.calls[i], strlen(found.calls[i])),
              division ? division->name : "");
    }
    offer(question, "omit", "");
    if (sheet_is_written_call(entry->key)) {
        char *upper = arena_copy(arena, entry->key.bytes, entry->key.length);
        text_to_upper(entry->key, upper);
        question->chosen = upper;
    } else if (found.count == 1) {
        question->chosen = question->answers[0].value;
    }
}

/* Asks about numbers in place of callsigns. A callsign such as 14E10 needs no answer, so others
 * come first if there are too many. */
static void ask_calls(struct asking *asking)
{
    const struct table *calls = &asking->facts->number_calls;
    size_t asked = 0;
    for (int is_written = 0; is_written < 2; is_written++)
        for (const struct table_entry *entry = calls->first; entry && asked < CALLS_ASKED;
             entry = entry->next) {
            const bool is_in_turn = calls->count <= CALLS_ASKED
                                        ? !is_written
                                        : sheet_is_written_call(entry->key) == is_written;
            if (is_in_turn) {
                ask_call(asking, entry);
                asked++;
            }
        }
}

/* Asks about values that a spreadsheet has changed into dates. */
static void ask_changed(struct asking *asking)
{
    const struct sheet *sheet = asking->sheet;
    for (size_t i = 0; i < sheet->column_count; i++) {
        const struct sheet_column *column = &sheet->columns[i];
        const struct sheet_example example = asking->facts->dates_elsewhere[column->index];
        char value[SHEET_RESTORED_SIZE];
        if (example.row == 0)
            continue;
        struct sheet_question *question = ask(
            asking, arena_print(sheet->arena, "changed %zu", column->index), ASK_CHANGED, example);
        question->column = column->header;
        for (int order = ORDER_DMY; order <= ORDER_MDY; order++) {
            sheet_restore(example.cell, order == ORDER_MDY, column->field, value);
            offer(question, sheet_order_names[order],
                  arena_copy(sheet->arena, value, strlen(value)));
        }
        offer(question, "empty", "");
        offer(question, "omit", "");
    }
}

struct sheet_question *sheet_ask(const struct sheet *sheet, const struct sheet_facts *facts,
                                 const struct table *answers, const char *zone, int64_t now_ms)
{
    struct asking asking = {.sheet = sheet, .facts = facts};
    asking.end = &asking.first;
    if (facts->days == 0)
        ask(&asking, "day", ASK_DAY, (struct sheet_example){0});
    if (facts->times == 0)
        offer(ask(&asking, "time", ASK_TIME, (struct sheet_example){0}), "00:00", "");
    ask_order(&asking);
    ask_short(&asking, now_ms);
    ask_zone(&asking, zone);
    ask_zeros(&asking);
    ask_reports(&asking);
    ask_qsl(&asking);
    ask_tuning(&asking, answers);
    ask_calls(&asking);
    ask_changed(&asking);
    return asking.first;
}

struct sheet_question *sheet_choose(const struct sheet *sheet, const struct sheet_facts *facts,
                                    struct table *answers, const char *zone, int64_t now_ms)
{
    for (const struct sheet_question *question = sheet_ask(sheet, facts, answers, zone, now_ms);
         question; question = question->next)
        if (question->chosen && !sheet_answer(answers, question->id))
            sheet_set_answer(answers, question->id, question->chosen);
    return sheet_ask(sheet, facts, answers, zone, now_ms);
}

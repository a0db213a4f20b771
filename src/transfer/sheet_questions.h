/* Lists the questions about a sheet: everything that the file does not decide. If the file suggests
 * an answer, the question has a chosen answer. */
#ifndef QSOSYNC_TRANSFER_SHEET_QUESTIONS_H
#define QSOSYNC_TRANSFER_SHEET_QUESTIONS_H

#include "base/table.h"
#include "transfer/sheet_facts.h"

enum sheet_kind {
    ASK_DAY,
    ASK_TIME,
    ASK_ORDER,
    ASK_YEAR,
    ASK_SERIAL,
    ASK_ZONE,
    ASK_ZEROS,
    ASK_SENT,
    ASK_QSL,
    ASK_BARE,
    ASK_CHANNELS,
    ASK_PLAN,
    ASK_BAND,
    ASK_CALL,
    ASK_CHANGED
};

#define SHEET_ANSWERS_MAX 12

struct sheet_answer {
    const char *value;
    const char *meaning; /* its effect on the example; empty: none */
};

struct sheet_question {
    struct sheet_question *next;
    const char *id; /* such as "zone", or "call 1.4E+11" */
    enum sheet_kind kind;
    struct sheet_example example; /* row 0: the question concerns the file as a whole */
    struct text column;           /* header of its column */
    size_t count;
    struct sheet_answer answers[SHEET_ANSWERS_MAX];
    const char *chosen; /* NULL: the file suggests no answer */
};

/* The answers so far: const char * by the question's id. */
const char *sheet_answer(const struct table *answers, const char *id);
void sheet_set_answer(struct table *answers, const char *id, const char *value);

/* Returns the questions, in the sheet's arena. An answer can raise another question. `zone` is
 * the zone to offer for local times; NULL: unknown. */
struct sheet_question *sheet_ask(const struct sheet *sheet, const struct sheet_facts *facts,
                                 const struct table *answers, const char *zone, int64_t now_ms);

/* Gives the chosen answer to each question without an answer. Then returns the questions. */
struct sheet_question *sheet_choose(const struct sheet *sheet, const struct sheet_facts *facts,
                                    struct table *answers, const char *zone, int64_t now_ms);

/* Returns the order of the dates if the file decides it: the only order in which all dates exist.
 */
enum sheet_order sheet_find_order(const struct sheet_facts *facts);

/* Finds the columns of reports whose headers do not say whether they were sent. Returns their
 * number, at most two. */
size_t sheet_open_reports(const struct sheet *sheet, const struct sheet_column *open[2]);

/* Writes the frequency of a channel in MHz, such as 27.555. Returns false if the plan does not have
 * the channel. */
#define SHEET_MHZ_SIZE 12
bool sheet_mhz_of(const char *channel, const char *plan, char out[SHEET_MHZ_SIZE]);

#endif

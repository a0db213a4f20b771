/* Tests the reader of typed frequencies, channels and tones, by the cases in t/data/tunings.tsv. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/format.h"
#include "qso/tuning.h"

#define LINE_SIZE 256

static size_t write_tone(char *out, size_t size, const struct tone_read *tone, const char *none)
{
    if (tone->count == 0)
        return format_cut(out, size, "%s", none);
    size_t length = format_cut(out, size, "%s", tone->is_unclear ? "? " : "");
    for (size_t i = 0; i < tone->count; i++)
        length += format_cut(out + length, size - length, "%s%s%s", i ? " / " : "",
                             tone->tones[i].ctcss, tone->tones[i].dcs);
    return length;
}

static void write_11m(char *out, struct text plan, struct text callsign, struct text text)
{
    struct tuning tuning;
    if (!tuning_read(text, channels_find_plan(plan), callsign, &tuning)) {
        format_cut(out, LINE_SIZE, "-");
        return;
    }
    if (tuning.count == 0) {
        if (tuning.khz)
            format_cut(out, LINE_SIZE, "%d.%03d", (int)(tuning.khz / 1000),
                       (int)(tuning.khz % 1000));
        else
            format_cut(out, LINE_SIZE, "11m");
        return;
    }
    size_t length = format_cut(out, LINE_SIZE, "%s", tuning.count > 1 ? "? " : "");
    for (size_t i = 0; i < tuning.count; i++) {
        const struct channel *channel = &tuning.channels[i];
        length += format_cut(out + length, LINE_SIZE - length, "%s%d.%03d %s %s", i ? " / " : "",
                             (int)(channel->khz / 1000), (int)(channel->khz % 1000),
                             channel->plan ? channel->plan->code : "a", channel->name);
    }
}

static void write_meaning(char *out, const char *kind, struct text cells[4])
{
    struct tone_read tone;
    int64_t channel;
    if (strcmp(kind, "11m") == 0) {
        write_11m(out, cells[1], cells[2], cells[3]);
    } else if (strcmp(kind, "tone") == 0) {
        if (!tuning_read_tone(cells[3], &tone))
            format_cut(out, LINE_SIZE, "-");
        else
            write_tone(out, LINE_SIZE, &tone, "none");
    } else if (!tuning_read_pmr(cells[3], &channel, &tone)) {
        format_cut(out, LINE_SIZE, "-");
    } else {
        const size_t length =
            format_cut(out, LINE_SIZE, "%d%s", (int)channel, tone.count ? " " : "");
        write_tone(out + length, LINE_SIZE - length, &tone, "");
    }
}

static void typed_texts_mean_what_the_app_reads(void **state)
{
    (void)state;
    const char *source = getenv("QSOSYNC_SRCDIR");
    char line[LINE_SIZE], path[LINE_SIZE];
    size_t count = 0;
    format_cut(path, sizeof path, "%s/t/data/tunings.tsv", source ? source : ".");
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char meaning[LINE_SIZE], kind[8];
        struct text rest = {line, strcspn(line, "\n")}, cells[4];
        if (line[0] == '#')
            continue;
        for (size_t i = 0; i < 4; i++)
            cells[i] = text_split_next(&rest, '\t');
        format_cut(kind, sizeof kind, "%.*s", (int)cells[0].length, cells[0].bytes);
        write_meaning(meaning, kind, cells);
        if (!text_equals(rest, text_of(meaning)))
            print_error("%.*s means '%s' here\n", (int)strcspn(line, "\n"), line, meaning);
        assert_true(text_equals(rest, text_of(meaning)));
        count++;
    }
    fclose(file);
    assert_true(count > 130);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typed_texts_mean_what_the_app_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

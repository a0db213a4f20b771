/* Reads the bytes that clients of the cluster feed send: options, commands, garbage. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "demand.h"
#include "feed/dialogue.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Requires printable lines that end with CR LF, without the words to which clients respond. */
static void demand_answer(const struct buffer *out, bool is_login)
{
    char *text = strndup(out->bytes ? out->bytes : "", out->length);
    for (size_t i = 0; i < out->length; i++)
        demand((text[i] >= ' ' && text[i] <= '~') || text[i] == '\r' || text[i] == '\n');
    demand(is_login || out->length == 0 || text[out->length - 1] == '\n');
    demand(is_login || (!strcasestr(text, "login") && !strcasestr(text, "password")));
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct telnet telnet = {0};
    struct dialogue dialogue = {.node = "QSOSYNC", .club = "Club"};
    struct buffer out = {0};
    int64_t now_ms = 1779046920000;
    dialogue_begin(&dialogue, &out);
    for (size_t i = 0; i < size && dialogue.state != DIALOGUE_ENDED; i++) {
        if (!telnet_take(&telnet, data[i]))
            continue;
        demand(telnet.length <= TELNET_LINE_MAX && strlen(telnet.line) == telnet.length);
        buffer_clear(&out);
        dialogue_take(&dialogue, &telnet, now_ms += data[i] * 10, &out);
        demand_answer(&out, dialogue.state == DIALOGUE_LOGIN);
        demand(dialogue.spots_wanted >= 0 && dialogue.spots_wanted <= DIALOGUE_SHOW_MAX);
        dialogue.spots_wanted = 0;
        demand(strlen(dialogue.filter.grid) <= FILTER_GRID_MAX);
    }
    buffer_free(&out);
    return 0;
}

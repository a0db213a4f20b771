/* Removes telnet options from a client's bytes, and collects the remaining bytes into lines. The
 * functions are a state machine, because a read can end in the middle of an option. Options are
 * never answered: a client without an answer continues as before (RFC 854). */
#include "feed/telnet.h"

enum { IAC = 255, DONT = 254, WILL = 251, SB = 250, SE = 240 };

/* Returns whether the byte is text, and not part of an option. */
static bool take_out_options(struct telnet *telnet, unsigned char byte)
{
    switch (telnet->state) {
    case TELNET_TEXT:
        if (byte != IAC)
            return true;
        telnet->state = TELNET_COMMAND;
        break;
    case TELNET_COMMAND:
        telnet->state = byte == SB                     ? TELNET_SUB
                        : byte >= WILL && byte <= DONT ? TELNET_OPTION
                                                       : TELNET_TEXT;
        break;
    case TELNET_OPTION:
        telnet->state = TELNET_TEXT;
        break;
    case TELNET_SUB:
        if (byte == IAC)
            telnet->state = TELNET_SUB_COMMAND;
        break;
    case TELNET_SUB_COMMAND:
        telnet->state = byte == SE ? TELNET_TEXT : TELNET_SUB;
        break;
    }
    return false;
}

/* Adds a byte to the line. A backspace in an empty line is xdx's keep-alive. */
static void add(struct telnet *telnet, unsigned char byte)
{
    if (byte == '\b' || byte == 0x7F)
        telnet->length -= telnet->length > 0;
    else if (byte < ' ' || (byte > '~' && !telnet->takes_bytes) ||
             telnet->length == TELNET_LINE_MAX)
        telnet->is_odd = true;
    else
        telnet->line[telnet->length++] = (char)byte;
}

bool telnet_take(struct telnet *telnet, unsigned char byte)
{
    if (!take_out_options(telnet, byte))
        return false;
    bool is_second_end = telnet->after_return && (byte == '\n' || byte == '\0');
    telnet->after_return = byte == '\r';
    if (is_second_end)
        return false;
    if (telnet->is_complete) {
        telnet->length = 0;
        telnet->is_odd = false;
    }
    telnet->is_complete = byte == '\r' || byte == '\n';
    if (!telnet->is_complete)
        add(telnet, byte);
    telnet->line[telnet->length] = '\0';
    return telnet->is_complete;
}

/* The fields in the lists of the protocol between clubs, by name. */
#include "peers/wire.h"

const char *const wire_member_names[] = {
    [WIRE_MEMBER_CALLSIGN] = "callsign", [WIRE_MEMBER_SINCE] = "since"};

const char *const wire_claim_names[] = {
    [WIRE_ID] = "id",        [WIRE_STATION] = "station", [WIRE_WORKED] = "worked",
    [WIRE_BAND] = "band",    [WIRE_CHANNEL] = "channel", [WIRE_MODE_FAMILY] = "modeFamily",
    [WIRE_QSO_AT] = "qsoAt",
};

static int find(const char *const *names, int count, struct text name)
{
    for (int i = 0; i < count; i++)
        if (text_equals(name, text_of(names[i])))
            return i;
    return -1;
}

int wire_find_member_field(struct text name)
{
    return find(wire_member_names, WIRE_MEMBER_FIELDS, name);
}

int wire_find_claim_field(struct text name)
{
    return find(wire_claim_names, WIRE_CLAIM_FIELDS, name);
}

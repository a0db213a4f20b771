/* Commands about members' devices: signed-in browsers, and the apps in these browsers. */
#include "admin/command.h"
#include "admin/listing.h"
#include "admin/output.h"
#include "base/clock.h"
#include "store/people/devices.h"

static void add_device(void *context, const struct device *device)
{
    struct listing *listing = context;
    const struct session *browser = &device->browser;
    const struct text app = device->app_count ? device->apps[0].name : (struct text){0};
    int64_t last_used_day = browser->last_used_day;
    for (size_t i = 0; i < device->app_count; i++)
        if (device->apps[i].last_used_day > last_used_day)
            last_used_day = device->apps[i].last_used_day;
    listing_add(listing, cell_if(browser->number != 0, browser->number),
                cell(devices_name(listing->arena, browser->device, app)),
                cell_time(browser->created_at_ms), cell_day(last_used_day));
}

void run_member_devices(struct invocation *invocation)
{
    struct listing listing = {.list = LIST_DEVICES, .arena = invocation->arena};
    command_require_done(store_list_devices(invocation->store, invocation->arena,
                                            invocation->member.id, clock_wall_ms(), add_device,
                                            &listing));
    listing_print(invocation, &listing);
}

void run_member_sign_out(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    int64_t number = 0;
    const char *wanted = invocation->arguments[1];
    if (wanted && !text_parse_integer(text_of(wanted), 1, INT64_MAX, &number))
        command_misuse("%s is not a device number", wanted);
    command_expect(wanted ? store_sign_out_device(invocation->store, member->id, number)
                          : store_sign_out_devices(invocation->store, member->id, 0),
                   STORE_NONE, "%s has no signed-in device with the number %lld",
                   member->callsign.bytes, (long long)number);
    output_report("%s was signed out %s", member->callsign.bytes,
                  wanted ? "on that device" : "on all devices");
}

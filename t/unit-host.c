/* Tests how hosts and web addresses are recognised, and which of these addresses belong to this
 * machine. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <arpa/inet.h>

#include "base/host.h"
#include "base/host_local.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_address(const char *address, bool is_read, bool is_this_machine, bool is_local)
{
    struct web_address read;
    if (host_read_address(text_of(address), &read) != is_read)
        fail_msg("%s is %s", address, is_read ? "not read" : "read");
    if (is_read && host_is_this_machine(&read.host) != is_this_machine)
        fail_msg("%s is %s", address, is_this_machine ? "not this machine" : "this machine");
    if (is_read && host_is_local(&read.host) != is_local)
        fail_msg("%s is %s", address, is_local ? "not local" : "local");
}

static void this_machine_is_recognised_as_the_system_does(void **state)
{
    static const char *const this_machine[] = {"http://127.0.0.1",
                                               "http://127.0.0.1:8080/club",
                                               "http://127.255.255.254",
                                               "http://127.1",
                                               "http://0x7f.1",
                                               "http://2130706433",
                                               "http://0177.0.0.1",
                                               "http://0x7F000001:80",
                                               "http://localhost",
                                               "HTTP://LOCALHOST:443",
                                               "http://[::1]",
                                               "http://[::1]:8080/",
                                               "https://[0:0:0:0:0:0:0:1]"};
    (void)state;
    for (size_t i = 0; i < COUNT(this_machine); i++)
        assert_address(this_machine[i], true, true, true);
}

static void a_name_that_resembles_this_machine_is_another_machine(void **state)
{
    static const char *const others[] = {
        "http://127.evil.example", "http://localhost.evil.example", "http://127.0.0.1.evil.example",
        "http://localhost-evil.example", "https://log.example.org:8443/club"};
    (void)state;
    for (size_t i = 0; i < COUNT(others); i++)
        assert_address(others[i], true, false, false);
}

static void an_invalid_host_is_not_parsed(void **state)
{
    static const char *const bad[] = {"http://[::1].evil.example",
                                      "http://127.0.0.1@evil.example",
                                      "http://evil.example@127.0.0.1",
                                      "http://127.0.0.1\\@evil.example",
                                      "http://127.0.0.1#.evil.example",
                                      "http://127.0.0.1?evil.example",
                                      "http://127.0.0.1%2eevil.example",
                                      "http://\xE2\x91\xA0\xE2\x91\xA1\xE2\x91\xA6.1",
                                      "http://127.0.0.1 .evil.example",
                                      "http://127.0.0.1:80:90",
                                      "http://127.0.0.1:65536",
                                      "http://127.0.0.1:",
                                      "http://[::1",
                                      "http://[127.0.0.1]",
                                      "http://[::1%25lo]",
                                      "http:///127.0.0.1",
                                      "http:/127.0.0.1",
                                      "http:127.0.0.1",
                                      "https://",
                                      "ftp://127.0.0.1",
                                      "127.0.0.1",
                                      ""};
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_address(bad[i], false, false, false);
}

static void private_networks_are_distinguished_from_the_internet(void **state)
{
    static const char *const local[] = {
        "https://10.0.0.1",         "https://172.16.0.1",      "https://172.31.255.255",
        "https://192.168.1.1",      "https://169.254.169.254", "https://0xa9fea9fe",
        "https://100.64.0.1",       "https://0.0.0.0",         "https://0",
        "https://224.0.0.1",        "https://255.255.255.255", "https://[::]",
        "https://[fe80::1]",        "https://[fd00::1]",       "https://[::ffff:127.0.0.1]",
        "https://[::ffff:8.8.8.8]", "https://[2002:7f00:1::]", "https://[2002:a9fe:a9fe::1]",
        "https://[64:ff9b::a00:1]", "https://[2001::1]",       "https://router",
        "https://nas.local",        "https://a.localhost",     "https://a.localhost.",
        "https://log.home.arpa"};
    static const char *const distant[] = {"https://8.8.8.8",          "https://172.32.0.1",
                                          "https://126.255.255.255",  "https://128.0.0.1",
                                          "https://11.0.0.1",         "https://100.128.0.1",
                                          "https://[2001:db8::1]",    "https://[2002:808:808::1]",
                                          "https://log.example.org",  "https://[64:ff9b::808:808]",
                                          "https://log.example.org.", "https://local.example"};
    (void)state;
    for (size_t i = 0; i < COUNT(local); i++)
        assert_address(local[i], true, false, true);
    for (size_t i = 0; i < COUNT(distant); i++)
        assert_address(distant[i], true, false, false);
}

static void a_resolved_address_is_checked_like_a_written_address(void **state)
{
    static const char *const local[] = {"127.0.0.1", "10.0.0.1", "169.254.169.254", "::1",
                                        "fe80::1",   "fd00::1",  "64:ff9b::7f00:1"};
    static const char *const distant[] = {"8.8.8.8", "203.0.113.7", "2a00:1450::1",
                                          "64:ff9b::808:808"};
    (void)state;
    for (size_t i = 0; i < COUNT(local) + COUNT(distant); i++) {
        const char *text = i < COUNT(local) ? local[i] : distant[i - COUNT(local)];
        struct sockaddr_in ipv4 = {.sin_family = AF_INET};
        struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};
        const bool is_ipv4 = inet_pton(AF_INET, text, &ipv4.sin_addr) == 1;
        assert_true(is_ipv4 || inet_pton(AF_INET6, text, &ipv6.sin6_addr) == 1);
        const void *address = is_ipv4 ? (const void *)&ipv4 : (const void *)&ipv6;
        if (host_is_local_address(address) != (i < COUNT(local)))
            fail_msg("%s is classified wrongly", text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_machine_is_recognised_as_the_system_does),
        cmocka_unit_test(a_name_that_resembles_this_machine_is_another_machine),
        cmocka_unit_test(an_invalid_host_is_not_parsed),
        cmocka_unit_test(private_networks_are_distinguished_from_the_internet),
        cmocka_unit_test(a_resolved_address_is_checked_like_a_written_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

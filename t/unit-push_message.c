/* Reproduces the example of RFC 8291, appendix A, byte for byte, and rejects wrong points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/base64.h"
#include "base/push_message.h"

#define MESSAGE "When I grow up, I want to be a watermelon"

static struct arena arena;

static const unsigned char *decode(const char *text)
{
    return (const unsigned char *)base64url_decode(text_of(text), &arena).bytes;
}

static struct es256_key sender(void)
{
    struct es256_key key;
    memcpy(key.secret, decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), sizeof key.secret);
    memcpy(key.point,
           decode("BP4z9KsN6nGRTbVYI_"
                  "c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8") +
               1,
           sizeof key.point);
    return key;
}

static void the_example_of_the_rfc_is_reproduced(void **state)
{
    (void)state;
    const struct es256_key key = sender();
    const struct push_keys keys = {
        .receiver = decode("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-"
                           "AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4") +
                    1,
        .secret = decode("BTBZMqHH6r4Tts7J_aSIgg"),
        .sender = &key,
        .salt = decode("DGv6ra1nlYgDCS1FRnbzlw"),
    };
    const struct text body = push_encrypt(text_of(MESSAGE), &keys, &arena);
    assert_non_null(body.bytes);
    assert_string_equal(base64url_encode(body.bytes, body.length, &arena).bytes,
                        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_"
                        "c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6T"
                        "lzAC8wEqKK6PBru3jl7A_"
                        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4"
                        "a-fN");
    arena_free(&arena);
}

static void a_point_off_the_curve_is_rejected(void **state)
{
    (void)state;
    const struct es256_key key = sender();
    const unsigned char nowhere[ES256_POINT_BYTES] = {1}, secret[PUSH_SECRET_BYTES] = {0},
                        salt[PUSH_SALT_BYTES] = {0};
    const struct push_keys keys = {nowhere, secret, &key, salt};
    assert_null(push_encrypt(text_of(MESSAGE), &keys, &arena).bytes);
    arena_free(&arena);
}

static void a_key_signs_what_its_point_verifies(void **state)
{
    (void)state;
    struct es256_key key;
    unsigned char signature[ES256_SIGNATURE_BYTES], other[ES256_SIGNATURE_BYTES];
    unsigned char one[ES256_SECRET_BYTES], two[ES256_SECRET_BYTES];
    struct es256_key partner;
    assert_true(es256_make_key(&key));
    assert_true(es256_make_key(&partner));
    assert_true(es256_is_point(key.point));
    assert_true(es256_sign(&key, text_of("one"), signature));
    assert_true(es256_sign(&key, text_of("two"), other));
    assert_memory_not_equal(signature, other, sizeof other);
    assert_true(es256_agree(&key, partner.point, one));
    assert_true(es256_agree(&partner, key.point, two));
    assert_memory_equal(one, two, sizeof one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_rfc_is_reproduced),
        cmocka_unit_test(a_point_off_the_curve_is_rejected),
        cmocka_unit_test(a_key_signs_what_its_point_verifies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

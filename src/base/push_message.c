/* Derives the keys with HKDF-SHA-256, and encrypts with AES-128-GCM, both from libcrypto. */
#include "base/push_message.h"

#include <arpa/inet.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <string.h>

#define KEY_BYTES 16
#define NONCE_BYTES 12
#define TAG_BYTES 16
#define ENCODED_BYTES (1 + ES256_POINT_BYTES)
#define HEADER_BYTES (PUSH_SALT_BYTES + 4 + 1 + ENCODED_BYTES)
#define RECORD_BYTES 4096
#define LAST_RECORD 2

static bool derive(struct text salt, struct text key, struct text info, unsigned char *out,
                   size_t length)
{
    char digest[] = "SHA256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)(uintptr_t)key.bytes,
                                          key.length),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)(uintptr_t)salt.bytes,
                                          salt.length),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)(uintptr_t)info.bytes,
                                          info.length),
        OSSL_PARAM_construct_end(),
    };
    EVP_KDF *hkdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *context = hkdf ? EVP_KDF_CTX_new(hkdf) : NULL;
    const bool is_done = context && EVP_KDF_derive(context, out, length, parameters) == 1;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(hkdf);
    return is_done;
}

static struct text bytes_of(const void *bytes, size_t length)
{
    return (struct text){bytes, length};
}

/* The infos include their final NUL. */
#define INFO(text) bytes_of(text, sizeof(text))

static void put_point(const unsigned char *point, unsigned char *out)
{
    out[0] = 4; /* the point is uncompressed */
    memcpy(out + 1, point, ES256_POINT_BYTES);
}

static bool derive_keys(const struct push_keys *keys, unsigned char key[KEY_BYTES],
                        unsigned char nonce[NONCE_BYTES])
{
    static const char begin[] = "WebPush: info";
    unsigned char shared[ES256_SECRET_BYTES], input[ES256_SECRET_BYTES];
    unsigned char info[sizeof begin + 2 * ENCODED_BYTES];
    memcpy(info, begin, sizeof begin);
    put_point(keys->receiver, info + sizeof begin);
    put_point(keys->sender->point, info + sizeof begin + ENCODED_BYTES);
    const struct text salt = bytes_of(keys->salt, PUSH_SALT_BYTES);
    const struct text secret = bytes_of(input, sizeof input);
    const bool is_done =
        es256_agree(keys->sender, keys->receiver, shared) &&
        derive(bytes_of(keys->secret, PUSH_SECRET_BYTES), bytes_of(shared, sizeof shared),
               bytes_of(info, sizeof info), input, sizeof input) &&
        derive(salt, secret, INFO("Content-Encoding: aes128gcm"), key, KEY_BYTES) &&
        derive(salt, secret, INFO("Content-Encoding: nonce"), nonce, NONCE_BYTES);
    OPENSSL_cleanse(shared, sizeof shared);
    OPENSSL_cleanse(input, sizeof input);
    return is_done;
}

static bool encrypt(const unsigned char *key, const unsigned char *nonce, struct text message,
                    unsigned char *out)
{
    static const unsigned char end = LAST_RECORD;
    int length = 0, more = 0, rest = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    const bool is_done =
        context && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, nonce) == 1 &&
        EVP_EncryptUpdate(context, out, &length, (const unsigned char *)message.bytes,
                          (int)message.length) == 1 &&
        EVP_EncryptUpdate(context, out + length, &more, &end, 1) == 1 &&
        EVP_EncryptFinal_ex(context, out + length + more, &rest) == 1 &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, TAG_BYTES, out + length + more + rest) ==
            1;
    EVP_CIPHER_CTX_free(context);
    return is_done;
}

struct text push_encrypt(struct text message, const struct push_keys *keys, struct arena *arena)
{
    const uint32_t record = htonl(RECORD_BYTES);
    const size_t length = HEADER_BYTES + message.length + 1 + TAG_BYTES;
    unsigned char key[KEY_BYTES], nonce[NONCE_BYTES];
    if (message.length > PUSH_MESSAGE_MAX || !derive_keys(keys, key, nonce))
        return (struct text){0};
    unsigned char *body = arena_allocate(arena, length), *at = body;
    memcpy(at, keys->salt, PUSH_SALT_BYTES);
    memcpy(at += PUSH_SALT_BYTES, &record, sizeof record);
    at += sizeof record;
    *at++ = ENCODED_BYTES;
    put_point(keys->sender->point, at);
    const bool is_done = encrypt(key, nonce, message, at + ENCODED_BYTES);
    OPENSSL_cleanse(key, sizeof key);
    return is_done ? bytes_of(body, length) : (struct text){0};
}

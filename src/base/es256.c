/* Verifies signatures with libcrypto. */
#include "base/es256.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <string.h>

/* Returns a separate context of libcrypto. As for fingerprints (api_key.c), no file on the machine
 * affects the context, which is kept until the program ends. An earlier fingerprint has already
 * initialised libcrypto. */
static OSSL_LIB_CTX *find_library(void)
{
    static OSSL_LIB_CTX *library;
    if (!library)
        library = OSSL_LIB_CTX_new();
    return library;
}

/* Returns the public key with these coordinates, or NULL if the point is not on the curve. */
static EVP_PKEY *make_key(const unsigned char point[ES256_POINT_BYTES])
{
    unsigned char encoded[1 + ES256_POINT_BYTES] = {4 /* 4: the point is uncompressed */};
    char curve[] = "prime256v1";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, curve, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, encoded, sizeof encoded),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(find_library(), "EC", NULL);
    EVP_PKEY *key = NULL;
    memcpy(encoded + 1, point, ES256_POINT_BYTES);
    if (context && EVP_PKEY_fromdata_init(context) == 1 &&
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    return key;
}

bool es256_is_point(const unsigned char point[ES256_POINT_BYTES])
{
    EVP_PKEY *key = make_key(point);
    const bool is_on_curve = key != NULL;
    EVP_PKEY_free(key);
    return is_on_curve;
}

bool es256_verify(const unsigned char point[ES256_POINT_BYTES], const struct text *parts,
                  size_t count, struct text signature)
{
    EVP_PKEY *key = make_key(point);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool is_right =
        key && context &&
        EVP_DigestVerifyInit_ex(context, NULL, "SHA256", find_library(), NULL, key, NULL) == 1;
    for (size_t i = 0; i < count; i++)
        is_right =
            is_right && EVP_DigestVerifyUpdate(context, parts[i].bytes, parts[i].length) == 1;
    is_right = is_right && EVP_DigestVerifyFinal(context, (const unsigned char *)signature.bytes,
                                                 signature.length) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return is_right;
}

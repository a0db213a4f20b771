/* Creates and uses key pairs with libcrypto, in a context that no file on the machine affects. */
#include "base/es256_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <string.h>

#define ENCODED_BYTES (1 + ES256_POINT_BYTES)
#define DER_BYTES_MAX 80
#define CURVE "prime256v1"

static OSSL_LIB_CTX *find_library(void)
{
    static OSSL_LIB_CTX *library;
    if (!library)
        library = OSSL_LIB_CTX_new();
    return library;
}

/* Returns libcrypto's key with this point, and with the secret unless it is NULL. Returns NULL if
 * the point is not on the curve. */
static EVP_PKEY *load(const unsigned char *secret, const unsigned char *point)
{
    unsigned char encoded[ENCODED_BYTES] = {4 /* 4: the point is uncompressed */};
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    BIGNUM *number = secret ? BN_bin2bn(secret, ES256_SECRET_BYTES, NULL) : NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(find_library(), "EC", NULL);
    EVP_PKEY *key = NULL;
    memcpy(encoded + 1, point, ES256_POINT_BYTES);
    bool is_built =
        build && context &&
        OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, CURVE, 0) &&
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, encoded, sizeof encoded);
    if (secret)
        is_built =
            is_built && number &&
            OSSL_PARAM_BLD_push_BN_pad(build, OSSL_PKEY_PARAM_PRIV_KEY, number, ES256_SECRET_BYTES);
    OSSL_PARAM *parameters = is_built ? OSSL_PARAM_BLD_to_param(build) : NULL;
    if (!parameters || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &key, secret ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY,
                          parameters) != 1)
        key = NULL;
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(build);
    BN_clear_free(number);
    EVP_PKEY_CTX_free(context);
    return key;
}

bool es256_make_key(struct es256_key *out)
{
    unsigned char encoded[ENCODED_BYTES];
    size_t length = 0;
    BIGNUM *secret = NULL;
    EVP_PKEY *key = EVP_PKEY_Q_keygen(find_library(), NULL, "EC", CURVE);
    const bool is_made =
        key &&
        EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, encoded, sizeof encoded,
                                        &length) == 1 &&
        length == sizeof encoded &&
        EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &secret) == 1 &&
        BN_bn2binpad(secret, out->secret, sizeof out->secret) == sizeof out->secret;
    if (is_made)
        memcpy(out->point, encoded + 1, sizeof out->point);
    BN_clear_free(secret);
    EVP_PKEY_free(key);
    return is_made;
}

/* Converts a signature from DER to the two numbers. */
static bool read_der(const unsigned char *der, size_t length,
                     unsigned char out[ES256_SIGNATURE_BYTES])
{
    ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &der, (long)length);
    const int half = ES256_SIGNATURE_BYTES / 2;
    const bool is_read = signature &&
                         BN_bn2binpad(ECDSA_SIG_get0_r(signature), out, half) == half &&
                         BN_bn2binpad(ECDSA_SIG_get0_s(signature), out + half, half) == half;
    ECDSA_SIG_free(signature);
    return is_read;
}

bool es256_sign(const struct es256_key *key, struct text message,
                unsigned char out[ES256_SIGNATURE_BYTES])
{
    unsigned char der[DER_BYTES_MAX];
    size_t length = sizeof der;
    EVP_PKEY *loaded = load(key->secret, key->point);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const bool is_signed =
        loaded && context &&
        EVP_DigestSignInit_ex(context, NULL, "SHA256", find_library(), NULL, loaded, NULL) == 1 &&
        EVP_DigestSign(context, der, &length, (const unsigned char *)message.bytes,
                       message.length) == 1 &&
        read_der(der, length, out);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(loaded);
    return is_signed;
}

bool es256_agree(const struct es256_key *key, const unsigned char point[ES256_POINT_BYTES],
                 unsigned char out[ES256_SECRET_BYTES])
{
    size_t length = ES256_SECRET_BYTES;
    EVP_PKEY *own = load(key->secret, key->point), *other = load(NULL, point);
    EVP_PKEY_CTX *context = own ? EVP_PKEY_CTX_new_from_pkey(find_library(), own, NULL) : NULL;
    const bool is_agreed = context && other && EVP_PKEY_derive_init(context) == 1 &&
                           EVP_PKEY_derive_set_peer(context, other) == 1 &&
                           EVP_PKEY_derive(context, out, &length) == 1 &&
                           length == ES256_SECRET_BYTES;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(own);
    EVP_PKEY_free(other);
    return is_agreed;
}

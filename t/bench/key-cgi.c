/* The limit that the libraries set for a CGI program: links those of the service, hashes one key
 * with libcrypto, which reads no configuration for that, and answers. */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char key[] = "qso_0123456789012345678901234567890123456789012345678";
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length;
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
    if (EVP_Digest(key, strlen(key), digest, &length, EVP_sha256(), NULL) != 1)
        return 1;
    return printf("Status: 200 OK\r\nContent-Type: application/json\r\n\r\n{\"first\":%d}\n",
                  digest[0]) < 0;
}

/* The limit that the libraries set for a CGI program: links those of the service, hashes one key
 * with libcrypto's plain functions, and answers. */
#define OPENSSL_API_COMPAT 10101
#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char key[] = "qso_0123456789012345678901234567890123456789012345678";
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256_CTX state;
    SHA256_Init(&state);
    SHA256_Update(&state, key, strlen(key));
    SHA256_Final(digest, &state);
    return printf("Status: 200 OK\r\nContent-Type: application/json\r\n\r\n{\"first\":%d}\n",
                  digest[0]) < 0;
}

/* Provides the libraries' lower bound for a CGI program: this program links the service's
 * libraries, hashes one key with libcrypto, and answers. */
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char key[] = "qso_0123456789012345678901234567890123456789012345678";
    unsigned char digest[EVP_MAX_MD_SIZE];
    if (!EVP_Q_digest(NULL, "SHA256", NULL, key, strlen(key), digest, NULL))
        return 1;
    return printf("Status: 200 OK\r\nContent-Type: application/json\r\n\r\n{\"first\":%d}\n",
                  digest[0]) < 0;
}

/* The limit that the libraries set for a CGI program: links those of the service, hashes one key,
 * and answers. */
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"

int main(void)
{
    static const char key[] = "qso_0123456789012345678901234567890123456789012345678";
    unsigned char digest[SHA256_BYTES];
    sha256_of(key, strlen(key), digest);
    return printf("Status: 200 OK\r\nContent-Type: application/json\r\n\r\n{\"first\":%d}\n",
                  digest[0]) < 0;
}

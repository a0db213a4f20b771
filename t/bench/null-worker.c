/* Provides the lower bound of libfcgi and the front server: this worker sends as many bytes as the
 * query requests, from memory. */
#include <fcgiapp.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MAX (64 << 20)

int main(void)
{
    FCGX_Request request;
    char *bytes = malloc(BYTES_MAX);
    if (!bytes || FCGX_Init() != 0 || FCGX_InitRequest(&request, 0, 0) != 0)
        return 1;
    memset(bytes, 'x', BYTES_MAX);
    while (FCGX_Accept_r(&request) == 0) {
        const char *query = FCGX_GetParam("QUERY_STRING", request.envp);
        int length = query ? atoi(query) : 0;
        if (length < 0 || length > BYTES_MAX)
            length = 0;
        FCGX_FPrintF(request.out,
                     "Status: 200 OK\r\nContent-Type: application/json\r\n"
                     "Content-Length: %d\r\n\r\n",
                     length);
        FCGX_PutStr(bytes, length, request.out);
        FCGX_Finish_r(&request);
    }
    free(bytes);
    return 0;
}

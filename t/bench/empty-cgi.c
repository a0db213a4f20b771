/* Answers, and does nothing else. With the C library alone (empty-cgi) it is the limit that the
 * system sets for a CGI program; with the libraries of the service (linked-cgi) the one that they
 * set. */
#include <stdio.h>

int main(void)
{
    return puts("Status: 200 OK\r\nContent-Type: application/json\r\n\r\n{}") < 0;
}

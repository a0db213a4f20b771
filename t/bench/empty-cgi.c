/* Sets the lower bound of the system for a CGI program: it only answers. */
#include <stdio.h>

int main(void)
{
    return puts("Status: 200 OK\r\nContent-Type: application/json\r\n\r\n{}") < 0;
}

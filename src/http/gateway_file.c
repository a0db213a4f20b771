/* Sends a file as the rest of a response, from a separate process. This file writes the FastCGI
 * records itself, because libfcgi cannot hand a response over to another process. */
#include "http/gateway.h"

#include <fcgiapp.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "http/gateway_state.h"
#include "http/output.h"
#include "http/record.h"

#define FILES_MAX 4096 /* more files than a worker ever has open */

/* Writes a file piece by piece, as the rest of the response. */
static void write_file(struct gateway *gateway, int file, uint64_t length)
{
    char bytes[RECORD_CONTENT_MAX];
    for (uint64_t done = 0; done < length && !gateway->lost;) {
        const ssize_t piece = pread(file, bytes, sizeof bytes, (off_t)done);
        if (piece > 0)
            gateway_write(gateway, &(struct text){bytes, (size_t)piece}, 1);
        gateway->lost = gateway->lost || piece <= 0;
        done += (uint64_t)piece;
    }
}

/* Releases the worker's memory, which this process would otherwise keep until its end. Also closes
 * files that this process does not need, including the listening socket: after the worker has
 * ended, connections to a socket that this process keeps would never be accepted. */
static void keep_alone(const struct gateway *gateway, int file, int slot)
{
    const uintptr_t end = gateway_heap_end();
    prctl(PR_SET_NAME, "qsosync answer");
    for (int other = 0; other < FILES_MAX; other++)
        if (other != STDERR_FILENO && other != gateway->place->request.ipcFd && other != file &&
            other != slot)
            close(other);
    if (gateway->heap_begin < end)
        madvise((void *)gateway->heap_begin, end - gateway->heap_begin, MADV_DONTNEED);
}

/* Sends the file and ends the process. After an incomplete answer, the process does not send the
 * end of the request, so that the front server detects the failure. */
static _Noreturn void send_alone(struct gateway *gateway, int file, uint64_t length, int slot)
{
    unsigned char end[RECORD_END_BYTES];
    keep_alone(gateway, file, slot);
    gateway_begin_output(gateway, gateway->send_wait_ms, 0);
    write_file(gateway, file, length);
    record_write_end(end, gateway->place->request.requestId);
    if (!gateway->lost)
        output_write(&gateway->output, (struct text){(char *)end, sizeof end}, (struct text){0});
    _exit(0);
}

/* Uses fork without exec, because the sandbox forbids starting programs, and exec would take
 * longer. The new process blocks the signals that end a worker, so it sends the whole answer even
 * if the worker is replaced. */
void gateway_send_file(struct gateway *gateway, int file, uint64_t length, int slot)
{
    pid_t pid = -1;
    if (!gateway->is_cgi && !gateway->lost) {
        FCGX_FFlush(gateway->place->request.out);
        pid = fork();
    }
    if (pid == 0)
        send_alone(gateway, file, length, slot);
    if (pid > 0)
        gateway_end_request(gateway);
    else
        write_file(gateway, file, length);
}

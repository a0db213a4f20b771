/* The command doctor: reads its arguments and the key, runs the checks in src/doctor, and prints
 * the findings. The key comes from the environment or is typed. The key never comes from an
 * argument, because every user of the machine can see arguments. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/service_address.h"
#include "admin/values.h"
#include "admin/output.h"
#include "base/api_key.h"
#include "base/folder.h"
#include "base/log.h"
#include "doctor/doctor.h"
#include "store/club/club.h"
#include "store/log/logbook.h"

#define EXIT_WARNING 3
#define KEY_VARIABLE "QSOSYNC_KEY"
#define KEY_TYPED_BYTES 256

/* Reads a key from the terminal without showing the key. Returns no text if no key was typed. */
static struct text ask_for_key(char typed[KEY_TYPED_BYTES])
{
    struct termios shown, hidden;
    struct text key = {0};
    int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (terminal < 0 || !isatty(STDIN_FILENO) || tcgetattr(terminal, &shown) != 0)
        return key;
    dprintf(terminal, "Key (not shown; Enter for none): ");
    hidden = shown;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    tcsetattr(terminal, TCSAFLUSH, &hidden);
    ssize_t length = read(terminal, typed, KEY_TYPED_BYTES - 1);
    tcsetattr(terminal, TCSAFLUSH, &shown);
    dprintf(terminal, "\n");
    close(terminal);
    if (length > 1)
        key = text_trim((struct text){typed, (size_t)length});
    return key.length ? key : (struct text){0};
}

/* Checks the service at this address, or the logbook if `url` is NULL. Ends the program with an
 * exit status for the worst finding. */
static _Noreturn void examine(struct invocation *invocation, const char *url)
{
    char typed[KEY_TYPED_BYTES] = "", said[LOG_KEPT_BYTES];
    struct doctor doctor = {.arena = invocation->arena,
                            .database = invocation->database,
                            .line = invocation->line,
                            .as_json = command_has_option(invocation, "json")};
    struct buffer out = {0};
    if (url) {
        /* The checks compare the service with the logbook on this machine, if this user may read
         * the logbook. Root reads the logbook as the owner of its folder. */
        struct folder_ids before;
        log_keep_first(said);
        const bool is_acting = folder_act_as_owner(doctor.database, &before);
        if (eaccess(doctor.database, R_OK) == 0)
            store_open(doctor.database, OPEN_READ_ONLY, &doctor.store);
        if (is_acting)
            folder_act_as(before);
        log_keep_first(NULL);
        const char *given = getenv(KEY_VARIABLE);
        const struct text key = !given   ? ask_for_key(typed)
                                : *given ? text_trim(text_of(given))
                                         : (struct text){0};
        doctor_examine_service(&doctor, url, key);
        explicit_bzero(typed, sizeof typed);
    } else {
        doctor_examine_logbook(&doctor);
    }
    store_close(doctor.store);
    doctor_append_findings(&doctor, &out);
    output_print(&out, doctor.as_json);
    const int written = command_finish();
    exit(written != EXIT_DONE || doctor.worst == FINDING_OK ? written
         : doctor.worst == FINDING_WARNING                  ? EXIT_WARNING
                                                            : EXIT_REFUSED);
}

void run_doctor(struct invocation *invocation)
{
    const char *url = invocation->arguments[0];
    struct text address = text_of(url);
    if (url && strncmp(url, API_KEY_PREFIX, strlen(API_KEY_PREFIX)) == 0)
        command_misuse(
            "do not pass a key as an argument, where others can see it; set " KEY_VARIABLE);
    if (url && (club_check_value(CLUB_ADDRESS, &address) || !address.bytes))
        command_misuse("%s is not an address that starts with https://", url);
    examine(invocation, url);
}

/* Checks the service at its own address, as set in the logbook or in QSOSYNC_ADDRESS. */
void run_doctor_of_service(struct invocation *invocation)
{
    const char *address = service_address_find(invocation, NULL);
    examine(invocation, arena_print(invocation->arena, "%s/api/v1", address));
}

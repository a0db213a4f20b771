/* Gives a fuzz target the files of its corpus, one test each, where there is no fuzzer. The target
 * is the one that the program is named after; what it refuses, it refuses by abort(). */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay(const char *path)
{
    static uint8_t data[65536];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    uint8_t *exact = malloc(size ? size : 1); /* so that a sanitizer sees a read after its end */
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

int main(void)
{
    const char *source = getenv("QSOSYNC_SRCDIR");
    const char *target = strrchr(program_invocation_short_name, '-');
    struct dirent **names;
    char folder[4096], path[8192];
    snprintf(folder, sizeof folder, "%s/t/fuzz/corpus/%s", source ? source : ".", target + 1);
    int count = scandir(folder, &names, NULL, alphasort), number = 0;
    if (count < 0) {
        perror(folder);
        return 1;
    }
    for (int i = 0; i < count; i++) {
        if (names[i]->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
            replay(path);
            printf("ok %d - %s\n", ++number, names[i]->d_name);
        }
        free(names[i]);
    }
    free(names);
    printf("1..%d\n", number);
    return number == 0;
}

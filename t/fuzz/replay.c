/* Runs a fuzz target without a fuzzer. The program has the name of its target, which reports faults
 * with abort().
 *
 * Without arguments, the program runs the target's seeds (seeds.tsv), one test each. With --work
 * BYTES BYTES FILE... each file is a shape: a beginning, a part that is repeated and an end, with
 * the byte 1F between them. For each shape, the program prints a line with the processor time in
 * nanoseconds at the first number of bytes, and at the second. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PARTS 3
#define SEPARATOR 0x1F
#define ATTEMPTS 2        /* other programs disturb the measurement, so the shortest time counts */
#define LITTLE_NS 2000000 /* shorter runs are repeated, so that the clock can measure them */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes {
    uint8_t *at;
    size_t length;
};

static void *allocate(size_t length)
{
    /* of the exact size, so that a sanitizer detects a read beyond the end */
    void *memory = malloc(length ? length : 1);
    if (!memory)
        exit(1);
    return memory;
}

static struct bytes read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    struct bytes bytes = {.length = (size_t)ftell(file)};
    rewind(file);
    bytes.at = allocate(bytes.length);
    bytes.length = fread(bytes.at, 1, bytes.length, file);
    fclose(file);
    return bytes;
}

/* Decodes \n, \r, \t, \\ and \xHH. */
static struct bytes decode(const char *text, size_t length)
{
    static const char letters[] = "n\nr\rt\t\\\\";
    struct bytes bytes = {.at = allocate(length)};
    for (const char *end = text + length; text < end; bytes.length++) {
        unsigned byte = (unsigned char)*text++;
        if (byte == '\\' && *text == 'x') {
            sscanf(text, "x%2x", &byte);
            text += 3;
        } else if (byte == '\\') {
            byte = (unsigned char)strchr(letters, *text++)[1];
        }
        bytes.at[bytes.length] = (uint8_t)byte;
    }
    return bytes;
}

static int replay_seeds(const char *target)
{
    const char *source = getenv("QSOSYNC_SRCDIR");
    char path[4096], *line = NULL;
    size_t capacity = 0;
    int number = 0;
    snprintf(path, sizeof path, "%s/t/fuzz/seeds.tsv", source ? source : ".");
    FILE *seeds = fopen(path, "r");
    if (!seeds) {
        perror(path);
        return 1;
    }
    while (getline(&line, &capacity, seeds) > 0) {
        char *name = strchr(line, '\t'), *text = name ? strchr(name + 1, '\t') : NULL;
        if (!text || strncmp(line, target, strlen(target)) != 0 || line[strlen(target)] != '\t')
            continue;
        struct bytes seed = decode(text + 1, strcspn(text + 1, "\n"));
        uint8_t *exact = allocate(seed.length);
        memcpy(exact, seed.at, seed.length);
        free(seed.at);
        LLVMFuzzerTestOneInput(exact, seed.length);
        free(exact);
        printf("ok %d - %.*s\n", ++number, (int)(text - name - 1), name + 1);
    }
    free(line);
    fclose(seeds);
    printf("1..%d\n", number);
    return number == 0;
}

static void append(struct bytes *to, struct bytes part)
{
    memcpy(to->at + to->length, part.at, part.length);
    to->length += part.length;
}

static void split(struct bytes shape, struct bytes parts[PARTS])
{
    for (int i = 0; i < PARTS; i++) {
        const uint8_t *end = memchr(shape.at, SEPARATOR, shape.length);
        parts[i] = (struct bytes){shape.at, end ? (size_t)(end - shape.at) : shape.length};
        shape.length -= parts[i].length + (end != NULL);
        shape.at += parts[i].length + (end != NULL);
    }
}

/* Builds an input of at least this many bytes, with the repeated part at least once. */
static struct bytes grow(const struct bytes parts[PARTS], size_t length)
{
    struct bytes input = {allocate(length + parts[0].length + parts[1].length + parts[2].length),
                          0};
    append(&input, parts[0]);
    do
        append(&input, parts[1]);
    while (input.length + parts[2].length < length && parts[1].length > 0);
    append(&input, parts[2]);
    return input;
}

/* Replaces the library's function. Memory is kept and reused, so that a large input causes no more
 * page faults than a small input. */
int malloc_trim(size_t pad)
{
    (void)pad;
    return 0;
}

static int64_t processor_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Lowers *least_ns to the time of one run, if this time is shorter. */
static void measure(struct bytes input, int64_t *least_ns)
{
    int64_t start_ns = processor_ns(), spent_ns;
    int runs = 0;
    do {
        LLVMFuzzerTestOneInput(input.at, input.length);
        runs++;
        spent_ns = processor_ns() - start_ns;
    } while (spent_ns < LITTLE_NS);
    if (*least_ns == 0 || spent_ns / runs < *least_ns)
        *least_ns = spent_ns / runs;
}

static void measure_shape(const char *path, size_t small_bytes, size_t large_bytes)
{
    struct bytes shape = read_whole(path), parts[PARTS];
    split(shape, parts);
    struct bytes small = grow(parts, small_bytes), large = grow(parts, large_bytes);
    int64_t small_ns = 0, large_ns = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
        measure(small, &small_ns);
        measure(large, &large_ns);
    }
    printf("%lld %lld\n", (long long)small_ns, (long long)large_ns);
    free(small.at);
    free(large.at);
    free(shape.at);
}

int main(int count, char **arguments)
{
    if (count < 5 || strcmp(arguments[1], "--work") != 0)
        return replay_seeds(strrchr(program_invocation_short_name, '-') + 1);
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    for (int i = 4; i < count; i++)
        measure_shape(arguments[i], strtoul(arguments[2], NULL, 10),
                      strtoul(arguments[3], NULL, 10));
    return 0;
}

/* Copies the whole logbook to a file while the service continues. The backup command decides on the
 * names, number and ages of backups; restore.c restores a backup. */
#include "recovery/backup.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "database/copy.h"
#include "store/store.h"

/* The header of a database file: https://www.sqlite.org/fileformat.html. PAGE_SIZE_AT and PAGES_AT
 * are offsets. */
#define MAGIC "SQLite format 3"
#define HEADER_BYTES 100
#define PAGE_SIZE_AT 16
#define PAGES_AT 28

enum store_result store_back_up(struct store *store, const char *path)
{
    return copy_to_file(store->database->handle, path);
}

/* Compares the file's size with its header. A full disk or an interrupted copy leaves a file that
 * is cut short. */
bool backup_is_cut_short(const char *path)
{
    struct stat file;
    uint32_t pages;
    unsigned char header[HEADER_BYTES] = {0};
    int opened = folder_open_file(path, O_RDONLY);
    if (opened < 0)
        return false;
    bool is_read = fstat(opened, &file) == 0 && pread(opened, header, HEADER_BYTES, 0) >= 0;
    close(opened);
    memcpy(&pages, header + PAGES_AT, sizeof pages);
    off_t page = header[PAGE_SIZE_AT] << 8 | header[PAGE_SIZE_AT + 1];
    return is_read && (memcmp(header, MAGIC, sizeof MAGIC) != 0 ||
                       file.st_size < (page == 1 ? 65536 : page) * (off_t)ntohl(pages));
}

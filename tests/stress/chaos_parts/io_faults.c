/* Preloaded into a recorder (LD_PRELOAD), this fails, kills or cuts the power at the n-th call that changes a file.

   Only calls on files under one folder count: writes, truncations, syncs, deletions, renames, and creations.
   courtside_faults() says what happens at which call; until then, everything goes through and is counted.

   Loss of power: everything written since a file was last synced is taken back before the process dies. A disk may
   keep any part of it; keeping nothing is the part that a program which forgets to sync cannot survive. What a
   directory that was not synced would forget (a name just made or deleted) is not tried. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COUNT, KILL, TORN, POWER, FAIL_ONCE, FULL };

struct undo {
    ino_t file;
    char *path;
    off_t at, size_before;
    size_t length;
    char *before;
    struct undo *older;
};

static char folder[PATH_MAX];
static long calls, fatal;
static int mode;
static struct undo *unsynced;

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int), (*real_fdatasync)(int);
static int (*real_unlink)(const char *), (*real_rename)(const char *, const char *);
static int (*real_open)(const char *, int, ...);

__attribute__((constructor)) static void find_real(void) {
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_rename = dlsym(RTLD_NEXT, "rename");
    real_open = dlsym(RTLD_NEXT, "open64");
}

/* under: an absolute folder without links; at: 1, 2, …, 0 for never; how: one of the modes above. Not thread-safe. */
void courtside_faults(const char *under, long at, int how) {
    snprintf(folder, sizeof folder, "%s/", under);
    calls = 0;
    fatal = at;
    mode = how;
}

long courtside_calls(void) { return calls; }

static int counts(const char *path) { return folder[0] && strncmp(path, folder, strlen(folder)) == 0; }

static int path_of(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return counts(path);
}

static void lose_power(void) {
    for (; unsynced; unsynced = unsynced->older) {
        int file = real_open(unsynced->path, O_WRONLY);
        struct stat now;
        if (file < 0) continue;
        if (fstat(file, &now) == 0 && now.st_ino == unsynced->file) {
            if (unsynced->length) real_pwrite(file, unsynced->before, unsynced->length, unsynced->at);
            real_ftruncate(file, unsynced->size_before);
        }
        close(file);
    }
}

/* Whether this call fails: 0 no, else errno. Does not return where it is the end. */
static int fate(void) {
    calls++;
    if (!fatal || calls < fatal) return 0;
    if (mode == FULL) return ENOSPC;
    if (calls > fatal) return 0;
    if (mode == FAIL_ONCE) return EIO;
    if (mode == POWER) lose_power();
    if (mode == KILL || mode == POWER) _exit(137);
    return 0;
}

static void remember(int file, const char *path, off_t at, size_t length) {
    struct stat now;
    if (mode != POWER || fstat(file, &now)) return;
    struct undo *one = calloc(1, sizeof *one);
    one->file = now.st_ino;
    one->path = strdup(path);
    one->at = at;
    one->size_before = now.st_size;
    if (at < now.st_size) {
        one->length = at + (off_t)length <= now.st_size ? length : (size_t)(now.st_size - at);
        one->before = malloc(one->length);
        int reader = real_open(path, O_RDONLY);
        ssize_t got = reader < 0 ? 0 : pread(reader, one->before, one->length, at);
        one->length = got > 0 ? (size_t)got : 0;
        if (reader >= 0) close(reader);
    }
    one->older = unsynced;
    unsynced = one;
}

static void synced(int file) {
    struct stat now;
    if (fstat(file, &now)) return;
    for (struct undo **link = &unsynced; *link;)
        if ((*link)->file == now.st_ino) *link = (*link)->older;
        else link = &(*link)->older;
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off_t at) {
    char path[PATH_MAX];
    if (path_of(file, path)) {
        int error = fate();
        if (error) { errno = error; return -1; }
        if (mode == TORN && calls == fatal) { real_pwrite(file, bytes, length / 2, at); _exit(137); }
        remember(file, path, at, length);
    }
    return real_pwrite(file, bytes, length, at);
}
ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) { return pwrite64(file, bytes, length, at); }

ssize_t write(int file, const void *bytes, size_t length) {
    char path[PATH_MAX];
    if (path_of(file, path)) {
        int error = fate();
        if (error) { errno = error; return -1; }
        if (mode == TORN && calls == fatal) { real_write(file, bytes, length / 2); _exit(137); }
        remember(file, path, lseek(file, 0, SEEK_CUR), length);
    }
    return real_write(file, bytes, length);
}

int ftruncate64(int file, off_t size) {
    char path[PATH_MAX];
    struct stat now;
    if (path_of(file, path)) {
        int error = fate();
        if (error) { errno = error; return -1; }
        if (fstat(file, &now) == 0) remember(file, path, size, now.st_size > size ? now.st_size - size : 0);
    }
    return real_ftruncate(file, size);
}
int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

static int sync_with(int file, int (*real)(int)) {
    char path[PATH_MAX];
    if (path_of(file, path)) {
        int error = fate();
        if (error) { errno = error; return -1; }
        synced(file);
    }
    return real(file);
}
int fsync(int file) { return sync_with(file, real_fsync); }
int fdatasync(int file) { return sync_with(file, real_fdatasync); }

int unlink(const char *path) {
    int error = counts(path) && access(path, F_OK) == 0 ? fate() : 0;
    if (error) { errno = error; return -1; }
    return real_unlink(path);
}

int rename(const char *from, const char *to) {
    int error = counts(from) ? fate() : 0;
    if (error) { errno = error; return -1; }
    return real_rename(from, to);
}

static int open_with(const char *path, int flags, mode_t rights) {
    int error = (flags & O_CREAT) && counts(path) && access(path, F_OK) ? fate() : 0;
    if (error) { errno = error; return -1; }
    return real_open(path, flags, rights);
}
int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t rights = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_with(path, flags, rights);
}
int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t rights = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_with(path, flags, rights);
}

/* A library to preload: calls transfer a few bytes only, or fail with EINTR, as POSIX allows. At its
 * end, a program appends a line for each call that has done so, with the number, to the file that
 * SHORT_CALLS_LOG names, and "not repeated" if the call was not made again after it failed. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

struct call {
    const char *name;
    atomic_ulong made, changed;
    atomic_bool is_to_repeat;
};

enum { READ, PREAD, WRITE, PWRITE, WRITEV, COPY, SENDFILE, SPLICE, POLL, OPEN, FSYNC, FTRUNCATE, FLOCK, FCHOWN, CALLS };

static struct call calls[CALLS] = {
    [READ] = {"read"},
    [PREAD] = {"pread64"},
    [WRITE] = {"write"},
    [PWRITE] = {"pwrite64"},
    [WRITEV] = {"writev"},
    [COPY] = {"copy_file_range"},
    [SENDFILE] = {"sendfile64"},
    [SPLICE] = {"splice"},
    [POLL] = {"poll"},
    [OPEN] = {"open"},
    [FSYNC] = {"fsync"},
    [FTRUNCATE] = {"ftruncate64"},
    [FLOCK] = {"flock"},
    [FCHOWN] = {"fchown"},
};

/* Says whether to interrupt a call: the first one, then every second or third, so that no program
 * waits forever. */
static bool is_interrupted(int number)
{
    struct call *call = &calls[number];
    call->is_to_repeat = atomic_fetch_add(&call->made, 1) % 3 == 0;
    if (!call->is_to_repeat)
        return false;
    atomic_fetch_add(&call->changed, 1);
    errno = EINTR;
    return true;
}

/* Returns a length from 1 to 7, but not more than the program asks for. */
static size_t shortened(int number, size_t asked)
{
    struct call *call = &calls[number];
    size_t most = 1 + atomic_fetch_add(&call->made, 1) % 7;
    if (asked <= most)
        return asked;
    atomic_fetch_add(&call->changed, 1);
    return most;
}

ssize_t read(int fd, void *to, size_t size)
{
    __typeof__(read) *next = dlsym(RTLD_NEXT, "read");
    return is_interrupted(READ) ? -1 : next(fd, to, shortened(READ, size));
}

ssize_t pread64(int fd, void *to, size_t size, off64_t at)
{
    __typeof__(pread64) *next = dlsym(RTLD_NEXT, "pread64");
    return is_interrupted(PREAD) ? -1 : next(fd, to, shortened(PREAD, size), at);
}

ssize_t write(int fd, const void *from, size_t size)
{
    __typeof__(write) *next = dlsym(RTLD_NEXT, "write");
    return is_interrupted(WRITE) ? -1 : next(fd, from, shortened(WRITE, size));
}

ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at)
{
    __typeof__(pwrite64) *next = dlsym(RTLD_NEXT, "pwrite64");
    return is_interrupted(PWRITE) ? -1 : next(fd, from, shortened(PWRITE, size), at);
}

ssize_t writev(int fd, const struct iovec *parts, int number)
{
    __typeof__(writev) *next = dlsym(RTLD_NEXT, "writev");
    if (is_interrupted(WRITEV))
        return -1;
    while (number > 1 && parts->iov_len == 0) {
        parts++;
        number--;
    }
    if (number == 0)
        return next(fd, parts, number);
    struct iovec first = {parts->iov_base, shortened(WRITEV, parts->iov_len)};
    return next(fd, &first, 1);
}

ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *to_at, size_t size, unsigned flags)
{
    __typeof__(copy_file_range) *next = dlsym(RTLD_NEXT, "copy_file_range");
    return is_interrupted(COPY) ? -1 : next(from, at, to, to_at, shortened(COPY, size), flags);
}

ssize_t sendfile64(int to, int from, off64_t *at, size_t size)
{
    __typeof__(sendfile64) *next = dlsym(RTLD_NEXT, "sendfile64");
    return is_interrupted(SENDFILE) ? -1 : next(to, from, at, shortened(SENDFILE, size));
}

ssize_t splice(int from, off64_t *at, int to, off64_t *to_at, size_t size, unsigned flags)
{
    __typeof__(splice) *next = dlsym(RTLD_NEXT, "splice");
    return is_interrupted(SPLICE) ? -1 : next(from, at, to, to_at, shortened(SPLICE, size), flags);
}

int poll(struct pollfd *fds, nfds_t number, int timeout)
{
    __typeof__(poll) *next = dlsym(RTLD_NEXT, "poll");
    return is_interrupted(POLL) ? -1 : next(fds, number, timeout);
}

int open64(const char *path, int flags, ...)
{
    __typeof__(open64) *next = dlsym(RTLD_NEXT, "open64");
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    return is_interrupted(OPEN) ? -1 : next(path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...)
{
    __typeof__(openat64) *next = dlsym(RTLD_NEXT, "openat64");
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    return is_interrupted(OPEN) ? -1 : next(directory, path, flags, mode);
}

int fsync(int fd)
{
    __typeof__(fsync) *next = dlsym(RTLD_NEXT, "fsync");
    return is_interrupted(FSYNC) ? -1 : next(fd);
}

int ftruncate64(int fd, off64_t size)
{
    __typeof__(ftruncate64) *next = dlsym(RTLD_NEXT, "ftruncate64");
    return is_interrupted(FTRUNCATE) ? -1 : next(fd, size);
}

int flock(int fd, int operation)
{
    __typeof__(flock) *next = dlsym(RTLD_NEXT, "flock");
    return is_interrupted(FLOCK) ? -1 : next(fd, operation);
}

int fchown(int fd, uid_t owner, gid_t group)
{
    __typeof__(fchown) *next = dlsym(RTLD_NEXT, "fchown");
    return is_interrupted(FCHOWN) ? -1 : next(fd, owner, group);
}

__attribute__((destructor)) static void report(void)
{
    /* The C library's own calls are not replaced. */
    FILE *log = fopen(getenv("SHORT_CALLS_LOG"), "a");
    for (int number = 0; number < CALLS; number++)
        if (calls[number].changed > 0)
            fprintf(log, "%s %lu%s\n", calls[number].name, calls[number].changed,
                    calls[number].is_to_repeat ? " not repeated" : "");
    fclose(log);
}

// Makes one call of a process fail, as a full disk or a lack of memory would: loaded with
// LD_PRELOAD.
//
// FAULT_CALL: malloc, mmap, thread, open, write, rename, fsync, fork; threads: all of them.
// FAULT_AT: which of these calls of the process, from 1 on.
// FAULT_PROGRAM: the name of the program in which it happens; others go on.
// FAULT_MARK: a file that is made when the call comes.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* old, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

static long at;  // 0: no call fails
static long seen;
static char call[16];
static char mark[4096];

__attribute__((constructor(101))) static void read_environment(void) {
  const char* program = getenv("FAULT_PROGRAM");
  if (program == NULL || strcmp(program, program_invocation_short_name) != 0) return;
  strncpy(call, getenv("FAULT_CALL"), sizeof call - 1);
  strncpy(mark, getenv("FAULT_MARK"), sizeof mark - 1);
  at = atol(getenv("FAULT_AT"));
}

static int fails(const char* which) {
  const int every = strcmp(call, "threads") == 0 && strcmp(which, "thread") == 0;
  if (every) {
    close(creat(mark, 0600));
    return 1;
  }
  if (at == 0 || strcmp(which, call) != 0) return 0;
  if (__atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED) != at) return 0;
  const long made = syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (made >= 0) syscall(SYS_close, made);
  return 1;
}

static void* no_memory(void) {
  errno = ENOMEM;
  return NULL;
}

void* malloc(size_t bytes) { return fails("malloc") ? no_memory() : __libc_malloc(bytes); }
void* calloc(size_t count, size_t bytes) {
  return fails("malloc") ? no_memory() : __libc_calloc(count, bytes);
}
void* realloc(void* old, size_t bytes) {
  return fails("malloc") ? no_memory() : __libc_realloc(old, bytes);
}
void* memalign(size_t alignment, size_t bytes) {
  return fails("malloc") ? no_memory() : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** to, size_t alignment, size_t bytes) {
  void* const got = memalign(alignment, bytes);
  if (got == NULL) return ENOMEM;
  *to = got;
  return 0;
}

void* mmap(void* where, size_t bytes, int protection, int flags, int file, off_t offset) {
  if (fails("mmap")) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return (void*)syscall(SYS_mmap, where, bytes, protection, flags, file, offset);
}
void* mmap64(void* where, size_t bytes, int protection, int flags, int file, off_t offset) {
  return mmap(where, bytes, protection, flags, file, offset);
}

int pthread_create(pthread_t* made, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* with) {
  static int (*real)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "pthread_create");
  return fails("thread") ? EAGAIN : real(made, attributes, run, with);
}

static int open_at(int folder, const char* name, int flags, mode_t mode) {
  if (fails("open")) {
    errno = EMFILE;
    return -1;
  }
  return (int)syscall(SYS_openat, folder, name, flags, mode);
}
static mode_t mode_of(int flags, va_list more) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
}
int open(const char* name, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return open_at(AT_FDCWD, name, flags, mode);
}
int open64(const char* name, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return open_at(AT_FDCWD, name, flags, mode);
}

static int no_room(void) {
  errno = ENOSPC;
  return -1;
}
ssize_t write(int file, const void* bytes, size_t count) {
  return fails("write") ? no_room() : syscall(SYS_write, file, bytes, count);
}
int rename(const char* from, const char* to) {
  return fails("rename") ? no_room() : (int)syscall(SYS_rename, from, to);
}
int fsync(int file) { return fails("fsync") ? no_room() : (int)syscall(SYS_fsync, file); }
pid_t fork(void) {
  static pid_t (*real)(void);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "fork");
  if (!fails("fork")) return real();
  errno = EAGAIN;
  return -1;
}

/* A preloaded library for tests: sets the wall clock of this process and its children only. It
 *  shifts CLOCK_REALTIME and file times, but not CLOCK_MONOTONIC, like a user or time server that
 *  sets the clock. The test writes the shifts to a file (faults.ts), so that later processes read
 *  them, too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { max_shifts = 4095 };
static const int64_t second = 1000000000;

/* Each shift, with the real time from which it applies: older files keep the shift of their time. */
struct table {
  int64_t count, unused;
  struct { int64_t from, shift; } shifts[max_shifts];
};
static const volatile struct table *table;

__attribute__((constructor)) static void open_table(void) {
  const char *path = getenv("WALL_CLOCK_SHIFTS");
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *at = mmap(NULL, sizeof(struct table), PROT_READ, MAP_SHARED, file, 0);
  if (at != MAP_FAILED) table = at;
  close(file);
}

/* Looks up the original once; calling it by name would call this library again. */
#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int64_t shift_now(void) {
  int64_t count = table == NULL ? 0 : table->count;
  return count == 0 ? 0 : table->shifts[count - 1].shift;
}

static int64_t shift_at(int64_t when) {
  int64_t at = table == NULL ? 0 : table->count;
  while (at > 0 && table->shifts[at - 1].from > when) at -= 1;
  return at == 0 ? 0 : table->shifts[at - 1].shift;
}

static int64_t nanoseconds(const struct timespec *time) {
  return (int64_t)time->tv_sec * second + time->tv_nsec;
}

static struct timespec moved(const struct timespec *time, int64_t by) {
  int64_t all = nanoseconds(time) + by;
  return (struct timespec){.tv_sec = all / second, .tv_nsec = all % second};
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  REAL(clock_gettime);
  int failed = real(clock, time);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    *time = moved(time, shift_now());
  return failed;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  int failed = clock_gettime(CLOCK_REALTIME, &now);
  if (!failed) *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return failed;
}

time_t time(time_t *into) {
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_REALTIME, &now);
  if (into != NULL) *into = now.tv_sec;
  return now.tv_sec;
}

static void shift_stamp(struct statx_timestamp *stamp) {
  struct timespec was = {.tv_sec = stamp->tv_sec, .tv_nsec = stamp->tv_nsec};
  struct timespec then = moved(&was, shift_at(nanoseconds(&was)));
  stamp->tv_sec = then.tv_sec;
  stamp->tv_nsec = (uint32_t)then.tv_nsec;
}

static void shift_stamps(struct statx *found) {
  shift_stamp(&found->stx_atime);
  shift_stamp(&found->stx_mtime);
  shift_stamp(&found->stx_ctime);
  shift_stamp(&found->stx_btime);
}

int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict found) {
  REAL(statx);
  int failed = real(folder, path, flags, mask, found);
  if (!failed) shift_stamps(found);
  return failed;
}

/* libuv calls the kernel directly. */
long syscall(long number, ...) {
  REAL(syscall);
  va_list words;
  va_start(words, number);
  long a = va_arg(words, long), b = va_arg(words, long), c = va_arg(words, long);
  long d = va_arg(words, long), e = va_arg(words, long), f = va_arg(words, long);
  va_end(words);
  long answer = real(number, a, b, c, d, e, f);
  if (number == SYS_statx && answer == 0) shift_stamps((struct statx *)e);
  return answer;
}

/* The kernel stores real times, so times from the shifted clock are shifted back. */
static const struct timespec *unshifted(const struct timespec given[2], struct timespec kept[2]) {
  if (given == NULL) return NULL;
  for (int at = 0; at < 2; at += 1) {
    int plain = given[at].tv_nsec != UTIME_NOW && given[at].tv_nsec != UTIME_OMIT;
    kept[at] = plain ? moved(&given[at], -shift_now()) : given[at];
  }
  return kept;
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  REAL(utimensat);
  struct timespec kept[2];
  return real(folder, path, unshifted(times, kept), flags);
}

int futimens(int file, const struct timespec times[2]) {
  REAL(futimens);
  struct timespec kept[2];
  return real(file, unshifted(times, kept));
}

/* glibc stores a condition's clock inside it; the version check matches that layout. */
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until) {
  static __typeof__(&pthread_cond_timedwait) real;
  if (real == NULL) real = (__typeof__(real))dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (real == NULL) real = (__typeof__(real))dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  int monotonic = (condition->__data.__wrefs & 2) != 0;
  struct timespec kept = moved(until, monotonic ? 0 : -shift_now());
  return real(condition, mutex, &kept);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
  REAL(sem_timedwait);
  struct timespec kept = moved(until, -shift_now());
  return real(semaphore, &kept);
}

// Syncs in a loop and prints what each call took:
//   call_loop FILE THREADS BYTES CALLS
// As a WAL does, each thread appends BYTES to the one file and syncs it. Prints
// one JSON object: seconds, calls, CPU seconds, and p50, p99 and mean in
// nanoseconds.
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct worker {
  pthread_t thread;
  int fd;
  size_t bytes;
  size_t calls;
  uint64_t* ns;
};

static uint64_t Now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void* Sync(void* argument) {
  struct worker* worker = argument;
  char* data = calloc(1, worker->bytes);
  for (size_t i = 0; i < worker->calls; ++i) {
    if (write(worker->fd, data, worker->bytes) < 0) abort();
    const uint64_t start = Now();
    if (fdatasync(worker->fd) != 0) abort();
    worker->ns[i] = Now() - start;
  }
  free(data);
  return NULL;
}

static int Rising(const void* a, const void* b) {
  const uint64_t x = *(const uint64_t*)a;
  const uint64_t y = *(const uint64_t*)b;
  return (x > y) - (x < y);
}

static double CpuSeconds(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static void Print(uint64_t* ns, size_t count, uint64_t elapsed, double cpu) {
  qsort(ns, count, sizeof(ns[0]), Rising);
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += (double)ns[i];
  printf(
      "{\"seconds\":%.6f,\"calls\":%zu,\"cpu_s\":%.6f,\"p50_ns\":%lu,"
      "\"p99_ns\":%lu,\"mean_ns\":%.1f}\n",
      (double)elapsed / 1e9, count, cpu, ns[count / 2], ns[count * 99 / 100],
      sum / (double)count);
}

int main(int argc, char** argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: call_loop FILE THREADS BYTES CALLS\n");
    return 2;
  }
  const size_t threads = strtoul(argv[2], NULL, 10);
  const size_t bytes = strtoul(argv[3], NULL, 10);
  const size_t calls = strtoul(argv[4], NULL, 10);
  const int fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || threads == 0 || bytes == 0 || calls == 0) return 1;
  uint64_t* ns = calloc(threads * calls, sizeof(*ns));
  struct worker* workers = calloc(threads, sizeof(*workers));
  const double cpu = CpuSeconds();
  const uint64_t start = Now();
  for (size_t i = 0; i < threads; ++i) {
    workers[i] = (struct worker){
        .fd = fd, .bytes = bytes, .calls = calls, .ns = ns + i * calls};
    if (pthread_create(&workers[i].thread, NULL, Sync, &workers[i]) != 0)
      return 1;
  }
  for (size_t i = 0; i < threads; ++i) pthread_join(workers[i].thread, NULL);
  Print(ns, threads * calls, Now() - start, CpuSeconds() - cpu);
  return 0;
}

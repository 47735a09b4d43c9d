// Makes system calls itself, as programs do that a preloaded library does not
// see: raw_syncs FILE STEP..., each a letter and a count.
//
//   w5  writes 5 times 100 bytes at the end, each with fdatasync
//   i5  writes 5 times 100 bytes over the file's beginning, each with fsync
//   n5  writes 5 times 100 bytes in sequence, each with fdatasync, and as many
//       to nowhere
//   t5  two threads at once, each with 5 times fdatasync
//   f5  a child, with 5 times fdatasync
//   m5  changes a mapping 5 times, each with msync
//   d5  syncs the file's directory 5 times
//   r5  sync_file_range 5 times
//   a1  makes the file 1 MiB long
//   b1  a sync of no file, which must be refused
//   s1  sync of everything
//   u1  sets up io_uring
//   k1  ends by SIGTERM
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int fd;
static int times;
static const char* path;
static char data[100];

static void Must(long result) {
  if (result < 0) _exit(3);
}

static void Append(void) {
  for (int i = 0; i < times; ++i) {
    Must(write(fd, data, sizeof(data)));
    Must(syscall(SYS_fdatasync, fd));
  }
}

static void Overwrite(void) {
  for (int i = 0; i < times; ++i) {
    Must(pwrite(fd, data, sizeof(data), 0));
    Must(syscall(SYS_fsync, fd));
  }
}

static void AnswerAndAppend(void) {
  const int nowhere = open("/dev/null", O_WRONLY);
  for (int i = 0; i < times; ++i) {
    Must(write(nowhere, data, sizeof(data)));
    Must(write(fd, data, sizeof(data)));
    Must(syscall(SYS_fdatasync, fd));
  }
}

static void* Sync(void* unused) {
  for (int i = 0; i < times; ++i) Must(syscall(SYS_fdatasync, fd));
  return unused;
}

static void SyncInThreads(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, Sync, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

static void SyncInChild(void) {
  const pid_t child = fork();
  if (child == 0) {
    Sync(NULL);
    _exit(0);
  }
  int status;
  Must(waitpid(child, &status, 0));
  if (status != 0) _exit(4);
}

static void SyncMapping(void) {
  Must(ftruncate(fd, 8192));
  char* mapped = mmap(NULL, 8192, PROT_WRITE, MAP_SHARED, fd, 0);
  for (int i = 0; i < times; ++i) {
    mapped[4096] = (char)i;
    Must(syscall(SYS_msync, mapped + 4096, 4096, MS_SYNC));
    Must(syscall(SYS_msync, mapped, 4096, MS_ASYNC));
  }
}

static void SyncDirectory(void) {
  char* directory = strdup(path);
  *strrchr(directory, '/') = '\0';
  const int opened = open(directory, O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < times; ++i) Must(syscall(SYS_fsync, opened));
}

static void Step(char kind) {
  struct io_uring_params none = {0};
  if (kind == 'w') Append();
  if (kind == 'i') Overwrite();
  if (kind == 'n') AnswerAndAppend();
  if (kind == 't') SyncInThreads();
  if (kind == 'f') SyncInChild();
  if (kind == 'm') SyncMapping();
  if (kind == 'd') SyncDirectory();
  for (int i = 0; kind == 'r' && i < times; ++i)
    Must(syscall(SYS_sync_file_range, fd, 0L, 0L, SYNC_FILE_RANGE_WRITE));
  if (kind == 'a') Must(posix_fallocate(fd, 0, 1 << 20) == 0 ? 0 : -1);
  if (kind == 'b' && (syscall(SYS_fsync, -1) == 0 || errno != EBADF)) _exit(5);
  if (kind == 's') syscall(SYS_sync);
  if (kind == 'u') syscall(SYS_io_uring_setup, 1, &none);
  if (kind == 'k') raise(SIGTERM);
}

int main(int argc, char** argv) {
  path = argv[1];
  fd = open(path, O_RDWR | O_CREAT, 0600);
  Must(fd);
  for (int i = 2; i < argc; ++i) {
    times = atoi(argv[i] + 1);
    Step(argv[i][0]);
  }
  return 0;
}

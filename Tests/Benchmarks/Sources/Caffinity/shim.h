// The cores of a thread. The headers of Linux declare these functions for GNU programs only.

#ifndef BENCHMARKS_AFFINITY_H
#define BENCHMARKS_AFFINITY_H

#ifdef __linux__
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// Writes a bit for each core that the thread may use, and returns the number of bytes written, or -1.
static inline long affinity_get(void *bits, size_t size) { return syscall(SYS_sched_getaffinity, 0, size, bits); }

// Holds the thread on the cores whose bits are set, and returns 0, or -1.
static inline long affinity_set(const void *bits, size_t size) {
    return syscall(SYS_sched_setaffinity, 0, size, bits);
}
#endif

#endif

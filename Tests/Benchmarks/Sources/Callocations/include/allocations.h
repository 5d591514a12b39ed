// Counts the heap allocations of this process, between a start and a stop.

#ifndef BENCHMARKS_ALLOCATIONS_H
#define BENCHMARKS_ALLOCATIONS_H

#include <stddef.h>

// The allocations since the count was started.
typedef struct {
    // The number of allocations; a reallocation counts as one.
    long count;
    // The bytes that were asked for, whether they are freed since or not.
    long bytes;
    // The largest number of bytes in use at once, beyond those in use at the start.
    long peak;
} allocations_counts;

// Starts to count from zero. One count at a time, with no other thread at work.
void allocations_start(void);

// Stops, and returns the counts; all of them are -1 where the C library cannot be asked.
allocations_counts allocations_stop(void);

#endif

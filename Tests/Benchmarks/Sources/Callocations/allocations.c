// The program's own malloc stands before the one of the C library, for shared libraries too, and passes every call on to it.

#include "allocations.h"

#include <stdlib.h>

#ifdef __GLIBC__

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static atomic_bool counts_now;
static atomic_long count, bytes, in_use, peak;

static int is_counting(void) { return atomic_load_explicit(&counts_now, memory_order_relaxed); }

static void *counted(void *memory, size_t size) {
    if (memory == NULL) return memory;
    atomic_fetch_add(&count, 1);
    atomic_fetch_add(&bytes, (long)size);
    long usable = (long)malloc_usable_size(memory);
    long now = atomic_fetch_add(&in_use, usable) + usable;
    if (now > atomic_load(&peak)) atomic_store(&peak, now);
    return memory;
}

static void discount(void *memory) {
    if (memory != NULL) atomic_fetch_sub(&in_use, (long)malloc_usable_size(memory));
}

void *malloc(size_t size) {
    void *memory = __libc_malloc(size);
    return is_counting() ? counted(memory, size) : memory;
}

void *calloc(size_t number, size_t size) {
    void *memory = __libc_calloc(number, size);
    return is_counting() ? counted(memory, number * size) : memory;
}

void *realloc(void *memory, size_t size) {
    if (!is_counting()) return __libc_realloc(memory, size);
    discount(memory);
    return counted(__libc_realloc(memory, size), size);
}

void free(void *memory) {
    if (is_counting()) discount(memory);
    __libc_free(memory);
}

void *memalign(size_t alignment, size_t size) {
    void *memory = __libc_memalign(alignment, size);
    return is_counting() ? counted(memory, size) : memory;
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *result = memalign(alignment, size);
    if (result == NULL) return ENOMEM;
    *memory = result;
    return 0;
}

void allocations_start(void) {
    atomic_store(&count, 0);
    atomic_store(&bytes, 0);
    atomic_store(&in_use, 0);
    atomic_store(&peak, 0);
    atomic_store(&counts_now, 1);
}

allocations_counts allocations_stop(void) {
    atomic_store(&counts_now, 0);
    allocations_counts counts = {atomic_load(&count), atomic_load(&bytes), atomic_load(&peak)};
    return counts;
}

#else

void allocations_start(void) {}

allocations_counts allocations_stop(void) {
    allocations_counts counts = {-1, -1, -1};
    return counts;
}

#endif

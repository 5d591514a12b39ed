// Wrappers for GMP's macros, which Swift cannot import, then wiping, and the inner loops of the arithmetic.

#ifndef IDEMIXCORE_GMP_SHIM_H
#define IDEMIXCORE_GMP_SHIM_H

#include <gmp.h>
#include <string.h>

/// -1, 0 or 1.
static inline int idemix_mpz_sign(mpz_srcptr x) { return mpz_sgn(x); }

/// Overwrites memory with zeros in a way that the compiler may not leave out.
static inline void idemix_wipe_bytes(void *bytes, size_t count) {
    if (count == 0) return;
    memset(bytes, 0, count);
    __asm__ volatile("" : : "r"(bytes) : "memory");
}

/// Overwrites limbs with zeros in a way that the compiler may not leave out. The time depends on the count only; that
/// of memset also depends on the address.
static inline void idemix_wipe(mp_limb_t *limbs, mp_size_t count) {
    volatile mp_limb_t *p = limbs;
    for (mp_size_t i = 0; i < count; i++) p[i] = 0;
}

/// Overwrites the stack below the caller: GMP keeps its smaller temporaries there.
__attribute__((noinline)) static void idemix_wipe_stack(size_t count) {
    unsigned char room[count];
    idemix_wipe_bytes(room, count);
}

/// The allocation functions that GMP used before. The wiping functions pass every call on to them.
struct idemix_memory_functions {
    void *(*allocate)(size_t);
    void (*free)(void *, size_t);
};

static inline struct idemix_memory_functions *idemix_memory(void) {
    // Inside a function: Swift's importer drops a header's variables.
    static struct idemix_memory_functions functions;
    return &functions;
}

static void idemix_wiping_free(void *block, size_t size) {
    if (size % sizeof(mp_limb_t) == 0) idemix_wipe(block, (mp_size_t)(size / sizeof(mp_limb_t)));
    else idemix_wipe_bytes(block, size);
    idemix_memory()->free(block, size);
}

/// Always copies to a new block. The allocator could move a block without wiping the old one.
static void *idemix_wiping_reallocate(void *block, size_t old_size, size_t new_size) {
    void *moved = idemix_memory()->allocate(new_size);
    memcpy(moved, block, old_size < new_size ? old_size : new_size);
    idemix_wiping_free(block, old_size);
    return moved;
}

/// Makes GMP overwrite all memory that it frees, in the whole process. Call it once, from one place.
static inline void idemix_install_wiping_memory_functions(void) {
    struct idemix_memory_functions *memory = idemix_memory();
    mp_get_memory_functions(&memory->allocate, NULL, &memory->free);
    mp_set_memory_functions(memory->allocate, idemix_wiping_reallocate, idemix_wiping_free);
}

/// The least significant limbs of the absolute value, with zeros above. The time depends on the count only.
static inline void idemix_copy_limbs(mp_limb_t *r, mpz_srcptr x, mp_size_t count) {
    mp_size_t size = x->_mp_size < 0 ? -x->_mp_size : x->_mp_size;
    for (mp_size_t i = 0; i < count; i++) {
        // All ones while i < size. The first limb can always be read: GMP points at a dummy where it has allocated none.
        mp_limb_t mask = (mp_limb_t)((i - size) >> (8 * sizeof(mp_size_t) - 1));
        __asm__("" : "+r"(mask));
        r[i] = x->_mp_d[i & (mp_size_t)mask] & mask;
    }
}

/// Compares two rows of limbs in a time that depends on the count only.
static inline int idemix_equal(const mp_limb_t *a, const mp_limb_t *b, mp_size_t count) {
    mp_limb_t difference = 0;
    for (mp_size_t i = 0; i < count; i++) difference |= a[i] ^ b[i];
    return difference == 0;
}

/// All ones where both numbers are equal, else zero.
static inline mp_limb_t idemix_mask(mp_limb_t a, mp_limb_t b) {
    mp_limb_t difference = a ^ b;
    mp_limb_t mask = ((difference | (0 - difference)) >> (GMP_LIMB_BITS - 1)) - 1;
    // Hides from the compiler that the mask is all or nothing: it could make a branch of that.
    __asm__("" : "+r"(mask));
    return mask;
}

#include "limbs.h"
#include "digits.h"

#endif

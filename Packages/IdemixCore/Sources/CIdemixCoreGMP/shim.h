// GMP's header, functions for what Swift cannot see of it (macros), and the three inner loops of the arithmetic.

#ifndef IDEMIXCORE_GMP_SHIM_H
#define IDEMIXCORE_GMP_SHIM_H

#include <gmp.h>

/// -1, 0 or 1.
static inline int idemix_mpz_sign(mpz_srcptr x) { return mpz_sgn(x); }

/// Overwrites limbs with zeros in a way that the compiler may not leave out.
static inline void idemix_wipe(mp_limb_t *limbs, mp_size_t count) {
    volatile mp_limb_t *p = limbs;
    for (mp_size_t i = 0; i < count; i++) p[i] = 0;
}

/// Overwrites bytes with zeros in a way that the compiler may not leave out.
static inline void idemix_wipe_bytes(void *bytes, size_t count) {
    volatile unsigned char *p = (volatile unsigned char *)bytes;
    for (size_t i = 0; i < count; i++) p[i] = 0;
}

/// Overwrites everything a number has allocated, then frees it.
static inline void idemix_mpz_wipe_and_clear(mpz_ptr x) {
    if (x->_mp_alloc > 0) idemix_wipe(x->_mp_d, x->_mp_alloc);
    mpz_clear(x);
}

/// r := t / 2^(64k) mod n, for t of 2k limbs below n * 2^(64k) or a product of two values of k limbs; t is destroyed.
/// The result has k limbs and may exceed n (almost-Montgomery form). The time depends on k only.
static inline void idemix_montgomery_reduce(
    mp_limb_t *r, mp_limb_t *t, const mp_limb_t *n, mp_size_t k, mp_limb_t negative_inverse
) {
    for (mp_size_t i = 0; i < k; i++) t[i] = mpn_addmul_1(t + i, n, k, t[i] * negative_inverse);
    mp_limb_t carry = mpn_add_n(r, t + k, t, k);
    mpn_cnd_sub_n(carry, r, r, n, k);
}

/// Two limbs, which one instruction masks; the tables are aligned to limbs only.
typedef mp_limb_t idemix_limbs __attribute__((vector_size(2 * sizeof(mp_limb_t)), aligned(sizeof(mp_limb_t))));

/// All ones where both numbers are equal, else zero.
static inline mp_limb_t idemix_mask(mp_limb_t a, mp_limb_t b) {
    mp_limb_t difference = a ^ b;
    mp_limb_t mask = ((difference | (0 - difference)) >> (GMP_LIMB_BITS - 1)) - 1;
    // Hides from the compiler that the mask is all or nothing: it could make a branch of that.
    __asm__("" : "+r"(mask));
    return mask;
}

/// r := entry number `index` of a table of `count` entries of k limbs; every entry is read.
static inline void idemix_select(
    mp_limb_t *r, const mp_limb_t *table, mp_size_t k, mp_size_t count, mp_limb_t index
) {
    mp_size_t j = 0;
    // Sixteen limbs at a time stay in registers while the entries pass by.
    for (; j + 16 <= k; j += 16) {
        idemix_limbs chosen[8] = {0};
        for (mp_size_t i = 0; i < count; i++) {
            mp_limb_t mask = idemix_mask((mp_limb_t)i, index);
            const idemix_limbs *entry = (const idemix_limbs *)(table + i * k + j);
            for (int part = 0; part < 8; part++) chosen[part] |= entry[part] & (idemix_limbs){mask, mask};
        }
        for (int part = 0; part < 8; part++) ((idemix_limbs *)(r + j))[part] = chosen[part];
    }
    for (; j < k; j++) {
        mp_limb_t chosen = 0;
        for (mp_size_t i = 0; i < count; i++) chosen |= table[i * k + j] & idemix_mask((mp_limb_t)i, index);
        r[j] = chosen;
    }
}

#endif

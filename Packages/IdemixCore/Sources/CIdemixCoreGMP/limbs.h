// Montgomery multiplication of rows of limbs, and selection from tables of them.
//
// Where the processor multiplies without touching its flags (BMI2) and has a second carry flag (ADX), rows of whole eights
// take the instructions for that, in about three quarters of the time of GMP's functions. No branch and no address depends
// on a number.

#ifndef IDEMIXCORE_LIMBS_H
#define IDEMIXCORE_LIMBS_H

#include <gmp.h>

#if defined(__x86_64__)

/// Returns 1 if rows of so many limbs can be multiplied in eights.
static inline int idemix_multiplies_eights(mp_size_t k) {
    return k % 8 == 0 && __builtin_cpu_supports("adx") && __builtin_cpu_supports("bmi2");
}

/// t := t + factor·a + carry for eight limbs; returns the new carry, a limb.
static inline mp_limb_t idemix_add_eight(mp_limb_t *t, const mp_limb_t *a, mp_limb_t factor, mp_limb_t carry) {
    mp_limb_t low, high;
// One limb: adcx adds the upper half of the product before, which `from` holds, adox the limb of t. The upper half of this
// product goes to `to`.
#define IDEMIX_ADD_LIMB(offset, from, to)            \
    "mulx " #offset "(%[a]), %[low], %[" #to "]\n\t" \
    "adcx %[" #from "], %[low]\n\t"                  \
    "adox " #offset "(%[t]), %[low]\n\t"             \
    "movq %[low], " #offset "(%[t])\n\t"
    __asm__(
        // Clears both carry flags.
        "xorl %k[low], %k[low]\n\t"
        IDEMIX_ADD_LIMB(0, carry, high)
        IDEMIX_ADD_LIMB(8, high, carry)
        IDEMIX_ADD_LIMB(16, carry, high)
        IDEMIX_ADD_LIMB(24, high, carry)
        IDEMIX_ADD_LIMB(32, carry, high)
        IDEMIX_ADD_LIMB(40, high, carry)
        IDEMIX_ADD_LIMB(48, carry, high)
        IDEMIX_ADD_LIMB(56, high, carry)
        // What the flags hold belongs to the last upper half, which has room for both.
        "movl $0, %k[low]\n\t"
        "adcx %[low], %[carry]\n\t"
        "adox %[low], %[carry]"
        : "+m"(*(mp_limb_t(*)[8])t), [carry] "+&r"(carry), [low] "=&r"(low), [high] "=&r"(high)
        : [a] "r"(a), [t] "r"(t), "m"(*(const mp_limb_t(*)[8])a), "d"(factor)
        : "cc"
    );
#undef IDEMIX_ADD_LIMB
    return carry;
}

#else

static inline int idemix_multiplies_eights(mp_size_t k) { return 0; }

static inline mp_limb_t idemix_add_eight(mp_limb_t *t, const mp_limb_t *a, mp_limb_t factor, mp_limb_t carry) {
    __builtin_trap();
}

#endif

/// t := t + factor·a for k limbs, whole eights; returns the carry, a limb.
static inline mp_limb_t idemix_add_eights(mp_limb_t *t, const mp_limb_t *a, mp_size_t k, mp_limb_t factor) {
    mp_limb_t carry = 0;
    for (mp_size_t j = 0; j < k; j += 8) carry = idemix_add_eight(t + j, a + j, factor, carry);
    return carry;
}

/// t := a·b for rows of k limbs, whole eights; t has 2k limbs and is neither of them.
static inline void idemix_multiply_eights(mp_limb_t *t, const mp_limb_t *a, const mp_limb_t *b, mp_size_t k) {
    for (mp_size_t i = 0; i < k; i++) t[i] = 0;
    for (mp_size_t i = 0; i < k; i++) t[i + k] = idemix_add_eights(t + i, a, k, b[i]);
}

/// r := t / 2^(64k) mod n, for t of 2k limbs below n * 2^(64k) or a product of two values of k limbs; t is destroyed.
/// The result has k limbs and may exceed n (almost-Montgomery form). The time depends on k only.
static inline void idemix_montgomery_reduce(
    mp_limb_t *r, mp_limb_t *t, const mp_limb_t *n, mp_size_t k, mp_limb_t negative_inverse
) {
    if (idemix_multiplies_eights(k)) {
        for (mp_size_t i = 0; i < k; i++) t[i] = idemix_add_eights(t + i, n, k, t[i] * negative_inverse);
    } else {
        for (mp_size_t i = 0; i < k; i++) t[i] = mpn_addmul_1(t + i, n, k, t[i] * negative_inverse);
    }
    mp_limb_t carry = mpn_add_n(r, t + k, t, k);
    mpn_cnd_sub_n(carry, r, r, n, k);
}

/// r := r mod n for r below 2n. The time depends on k only.
static inline void idemix_subtract_once(mp_limb_t *r, const mp_limb_t *n, mp_size_t k) {
    mp_limb_t borrow = mpn_sub_n(r, r, n, k);
    mpn_cnd_add_n(borrow, r, r, n, k);
}

/// Four limbs. The tables are aligned to limbs only.
typedef mp_limb_t idemix_limbs __attribute__((vector_size(4 * sizeof(mp_limb_t)), aligned(sizeof(mp_limb_t))));

#define IDEMIX_LIMBS_STEP __attribute__((always_inline)) static inline

/// Selects whole parts of `vectors` vectors, from the limb `first` on; returns the limb after the last part. The compiler knows
/// `vectors`, so that a part stays in registers while the entries pass by.
IDEMIX_LIMBS_STEP mp_size_t idemix_select_parts(
    mp_limb_t *r, const mp_limb_t *table, mp_size_t k, mp_size_t count, mp_limb_t index, mp_size_t first, int vectors
) {
    for (; first + 4 * vectors <= k; first += 4 * vectors) {
        idemix_limbs chosen[8] = {{0}};
        for (mp_size_t i = 0; i < count; i++) {
            const idemix_limbs mask = (idemix_limbs){0} + idemix_mask((mp_limb_t)i, index);
            const idemix_limbs *entry = (const idemix_limbs *)(table + i * k + first);
            for (int part = 0; part < vectors; part++) chosen[part] |= entry[part] & mask;
        }
        for (int part = 0; part < vectors; part++) ((idemix_limbs *)(r + first))[part] = chosen[part];
    }
    return first;
}

/// Selects the limbs from `first` on one by one.
static inline void idemix_select_rest(
    mp_limb_t *r, const mp_limb_t *table, mp_size_t k, mp_size_t count, mp_limb_t index, mp_size_t first
) {
    if (first == k) return;
    for (mp_size_t j = first; j < k; j++) r[j] = 0;
    for (mp_size_t i = 0; i < count; i++) {
        const mp_limb_t mask = idemix_mask((mp_limb_t)i, index);
        for (mp_size_t j = first; j < k; j++) r[j] |= table[i * k + j] & mask;
    }
}

#if defined(__x86_64__)

/// Selects with vectors of four limbs in one register.
__attribute__((target("avx2"))) static inline mp_size_t idemix_select_wide(
    mp_limb_t *r, const mp_limb_t *table, mp_size_t k, mp_size_t count, mp_limb_t index
) {
    const mp_size_t first = idemix_select_parts(r, table, k, count, index, 0, 8);
    return idemix_select_parts(r, table, k, count, index, first, 4);
}

#endif

/// r := entry number `index` of a table of `count` entries of k limbs; every entry is read.
static inline void idemix_select(
    mp_limb_t *r, const mp_limb_t *table, mp_size_t k, mp_size_t count, mp_limb_t index
) {
    mp_size_t first = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) first = idemix_select_wide(r, table, k, count, index);
#endif
    first = idemix_select_parts(r, table, k, count, index, first, 4);
    idemix_select_rest(r, table, k, count, index, first);
}

#endif

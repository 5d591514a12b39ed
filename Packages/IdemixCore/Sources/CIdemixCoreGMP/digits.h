// Montgomery multiplication with the vector instructions that multiply digits of 52 bits (AVX-512 IFMA).
//
// A number is a row of digits, the least significant first, with zeros up to whole vectors of eight. With d digits the
// Montgomery factor is R = 2^(52·d), and 4n < R keeps all results below 2n without a comparison. No branch and no address
// depends on a number.

#ifndef IDEMIXCORE_DIGITS_H
#define IDEMIXCORE_DIGITS_H

#include <gmp.h>

#define IDEMIX_DIGIT_BITS 52
#define IDEMIX_MAXIMUM_DIGITS 80
#define IDEMIX_DIGIT_MASK (((mp_limb_t)1 << IDEMIX_DIGIT_BITS) - 1)

/// digits := the number in limbs; the time depends on the counts only.
static inline void idemix_digits_from_limbs(
    mp_limb_t *digits, mp_size_t digit_count, const mp_limb_t *limbs, mp_size_t limb_count
) {
    for (mp_size_t i = 0; i < digit_count; i++) {
        mp_size_t limb = i * IDEMIX_DIGIT_BITS / GMP_LIMB_BITS, shift = i * IDEMIX_DIGIT_BITS % GMP_LIMB_BITS;
        mp_limb_t digit = limb < limb_count ? limbs[limb] >> shift : 0;
        if (shift > GMP_LIMB_BITS - IDEMIX_DIGIT_BITS && limb + 1 < limb_count) {
            digit |= limbs[limb + 1] << (GMP_LIMB_BITS - shift);
        }
        digits[i] = digit & IDEMIX_DIGIT_MASK;
    }
}

/// limbs := the number in digits, which fits; the time depends on the counts only.
static inline void idemix_limbs_from_digits(
    mp_limb_t *limbs, mp_size_t limb_count, const mp_limb_t *digits, mp_size_t digit_count
) {
    for (mp_size_t i = 0; i < limb_count; i++) limbs[i] = 0;
    for (mp_size_t i = 0; i < digit_count; i++) {
        mp_size_t limb = i * IDEMIX_DIGIT_BITS / GMP_LIMB_BITS, shift = i * IDEMIX_DIGIT_BITS % GMP_LIMB_BITS;
        if (limb < limb_count) limbs[limb] |= digits[i] << shift;
        if (shift > GMP_LIMB_BITS - IDEMIX_DIGIT_BITS && limb + 1 < limb_count) {
            limbs[limb + 1] |= digits[i] >> (GMP_LIMB_BITS - shift);
        }
    }
}

#if defined(__x86_64__)

/// Eight digits. Rows of them are aligned to limbs only.
typedef mp_limb_t idemix_vector __attribute__((vector_size(64)));
typedef mp_limb_t idemix_row_vector __attribute__((vector_size(64), aligned(sizeof(mp_limb_t))));
typedef long long idemix_signed_vector __attribute__((vector_size(64)));

#define IDEMIX_VECTOR_CODE __attribute__((target("avx512f,avx512ifma")))
/// The loop over the vectors of a row, unrolled, so that they stay in registers.
#define IDEMIX_FOR_VECTORS(j, count) _Pragma("clang loop unroll(full)") for (int j = 0; j < (count); j++)
#define IDEMIX_VECTOR_STEP IDEMIX_VECTOR_CODE __attribute__((always_inline)) static inline

/// sum + the lower 52 bits of each product.
IDEMIX_VECTOR_STEP idemix_vector idemix_add_low(idemix_vector sum, idemix_vector a, idemix_vector b) {
    return (idemix_vector)__builtin_ia32_vpmadd52luq512(
        (idemix_signed_vector)sum, (idemix_signed_vector)a, (idemix_signed_vector)b);
}

/// sum + the upper 52 bits of each product.
IDEMIX_VECTOR_STEP idemix_vector idemix_add_high(idemix_vector sum, idemix_vector a, idemix_vector b) {
    return (idemix_vector)__builtin_ia32_vpmadd52huq512(
        (idemix_signed_vector)sum, (idemix_signed_vector)a, (idemix_signed_vector)b);
}

/// Moves all digits of a row down by one, dividing by 2^52.
IDEMIX_VECTOR_STEP idemix_vector idemix_next_digits(idemix_vector digits, idemix_vector following) {
    return __builtin_shufflevector(digits, following, 1, 2, 3, 4, 5, 6, 7, 8);
}

/// r := a·b/R mod n, below 2n if a·b < R·n, for rows of `vectors` vectors, which the compiler knows.
IDEMIX_VECTOR_STEP void idemix_multiply_vectors(
    mp_limb_t *r, const mp_limb_t *a, const mp_limb_t *b, const mp_limb_t *n, mp_limb_t negative_inverse,
    mp_size_t digit_count, int vectors
) {
    const idemix_vector zero = {0};
    // The factors as they are, and moved down by one digit: what the lower halves of the products are added to has been
    // moved down already, so that the digit they clear is left out.
    idemix_vector A[11], nextA[10], N[11], nextN[10], sum[11];
    IDEMIX_FOR_VECTORS(j, vectors + 1) {
        A[j] = j < vectors ? ((const idemix_row_vector *)a)[j] : zero;
        N[j] = j < vectors ? ((const idemix_row_vector *)n)[j] : zero;
        sum[j] = zero;
    }
    IDEMIX_FOR_VECTORS(j, vectors) {
        nextA[j] = idemix_next_digits(A[j], A[j + 1]);
        nextN[j] = idemix_next_digits(N[j], N[j + 1]);
    }
    mp_limb_t first = a[0], carry = 0;
    for (mp_size_t i = 0; i < digit_count; i++) {
        // sum := (sum + a·b_i + n·m)/2^52, where m clears the lowest digit. A digit gains less than 2^54 in each of
        // the at most 80 steps that it passes through, so that none overflows.
        mp_limb_t lowest = sum[0][0] + carry + (first * b[i] & IDEMIX_DIGIT_MASK);
        mp_limb_t m = lowest * negative_inverse & IDEMIX_DIGIT_MASK;
        // The lower half of n_0·m completes the lowest digit to a multiple of 2^52.
        carry = (lowest + IDEMIX_DIGIT_MASK) >> IDEMIX_DIGIT_BITS;
        const idemix_vector bs = zero + b[i], ms = zero + m;
        IDEMIX_FOR_VECTORS(j, vectors) sum[j] = idemix_next_digits(sum[j], sum[j + 1]);
        IDEMIX_FOR_VECTORS(j, vectors) sum[j] = idemix_add_high(idemix_add_low(sum[j], nextA[j], bs), A[j], bs);
        IDEMIX_FOR_VECTORS(j, vectors) sum[j] = idemix_add_high(idemix_add_low(sum[j], nextN[j], ms), N[j], ms);
    }
    IDEMIX_FOR_VECTORS(j, vectors) ((idemix_row_vector *)r)[j] = sum[j];
    for (int i = 0; i < 8 * vectors; i++) {
        mp_limb_t digit = r[i] + carry;
        r[i] = digit & IDEMIX_DIGIT_MASK;
        carry = digit >> IDEMIX_DIGIT_BITS;
    }
}

/// Eight products r := a·b/R mod n at once, as above: each vector has one digit of all eight numbers. r may be a or b.
IDEMIX_VECTOR_CODE static inline void idemix_multiply_eight(
    mp_limb_t *r, const mp_limb_t *a, const mp_limb_t *b, const mp_limb_t *n, mp_limb_t negative_inverse,
    mp_size_t digit_count
) {
    const idemix_vector zero = {0}, inverses = zero + negative_inverse;
    const idemix_row_vector *A = (const idemix_row_vector *)a, *B = (const idemix_row_vector *)b;
    idemix_vector sum[IDEMIX_MAXIMUM_DIGITS + 1];
    for (mp_size_t j = 0; j <= digit_count; j++) sum[j] = zero;
    for (mp_size_t i = 0; i < digit_count; i++) {
        // sum := (sum + a·b_i + n·m)/2^52, where m clears the lowest digit.
        const idemix_vector factor = B[i], lowest = idemix_add_low(sum[0], A[0], factor);
        const idemix_vector m = idemix_add_low(zero, lowest, inverses);
        sum[1] += idemix_add_low(lowest, zero + n[0], m) >> IDEMIX_DIGIT_BITS;
        for (mp_size_t j = 0; j < digit_count; j++) {
            const idemix_vector modulus = zero + n[j], following = j + 1 < digit_count ? A[j + 1] : zero;
            const idemix_vector next_modulus = j + 1 < digit_count ? zero + n[j + 1] : zero;
            const idemix_vector low = idemix_add_low(idemix_add_low(sum[j + 1], following, factor), next_modulus, m);
            sum[j] = idemix_add_high(idemix_add_high(low, A[j], factor), modulus, m);
        }
    }
    idemix_vector carry = zero;
    for (mp_size_t j = 0; j < digit_count; j++) {
        const idemix_vector digit = sum[j] + carry;
        ((idemix_row_vector *)r)[j] = digit & (zero + IDEMIX_DIGIT_MASK);
        carry = digit >> IDEMIX_DIGIT_BITS;
    }
}

/// r := entry number `index` of a table of `count` entries; every entry is read.
IDEMIX_VECTOR_STEP void idemix_select_vectors(
    mp_limb_t *r, const mp_limb_t *table, mp_size_t count, mp_limb_t index, int vectors
) {
    idemix_vector chosen[10] = {{0}};
    for (mp_size_t i = 0; i < count; i++) {
        const idemix_vector mask = (idemix_vector){0} + idemix_mask((mp_limb_t)i, index);
        const idemix_row_vector *entry = (const idemix_row_vector *)table + i * vectors;
        IDEMIX_FOR_VECTORS(j, vectors) chosen[j] |= entry[j] & mask;
    }
    IDEMIX_FOR_VECTORS(j, vectors) ((idemix_row_vector *)r)[j] = chosen[j];
}

/// Returns 1 if rows of so many digits can be multiplied: those of moduli of 1024, 2048 and 4096 bits and their factors.
static inline int idemix_multiplies_digits(mp_size_t digit_count) {
    mp_size_t vectors = (digit_count + 7) / 8;
    return (vectors == 2 || vectors == 3 || vectors == 5 || vectors == 10) && __builtin_cpu_supports("avx512ifma");
}

/// r := a·b/R mod n, below 2n if a·b < R·n. r may be a or b.
IDEMIX_VECTOR_CODE static inline void idemix_multiply_digits(
    mp_limb_t *r, const mp_limb_t *a, const mp_limb_t *b, const mp_limb_t *n, mp_limb_t negative_inverse,
    mp_size_t digit_count
) {
    switch ((digit_count + 7) / 8) {
    case 2: idemix_multiply_vectors(r, a, b, n, negative_inverse, digit_count, 2); break;
    case 3: idemix_multiply_vectors(r, a, b, n, negative_inverse, digit_count, 3); break;
    case 5: idemix_multiply_vectors(r, a, b, n, negative_inverse, digit_count, 5); break;
    default: idemix_multiply_vectors(r, a, b, n, negative_inverse, digit_count, 10); break;
    }
}

/// r := entry number `index` of a table of `count` rows of digits; every entry is read.
IDEMIX_VECTOR_CODE static inline void idemix_select_digits(
    mp_limb_t *r, const mp_limb_t *table, mp_size_t digit_count, mp_size_t count, mp_limb_t index
) {
    switch ((digit_count + 7) / 8) {
    case 2: idemix_select_vectors(r, table, count, index, 2); break;
    case 3: idemix_select_vectors(r, table, count, index, 3); break;
    case 5: idemix_select_vectors(r, table, count, index, 5); break;
    default: idemix_select_vectors(r, table, count, index, 10); break;
    }
}

#else

static inline int idemix_multiplies_digits(mp_size_t digit_count) { return 0; }

static inline void idemix_multiply_digits(
    mp_limb_t *r, const mp_limb_t *a, const mp_limb_t *b, const mp_limb_t *n, mp_limb_t negative_inverse,
    mp_size_t digit_count
) {
    __builtin_trap();
}

static inline void idemix_multiply_eight(
    mp_limb_t *r, const mp_limb_t *a, const mp_limb_t *b, const mp_limb_t *n, mp_limb_t negative_inverse,
    mp_size_t digit_count
) {
    __builtin_trap();
}

static inline void idemix_select_digits(
    mp_limb_t *r, const mp_limb_t *table, mp_size_t digit_count, mp_size_t count, mp_limb_t index
) {
    __builtin_trap();
}

#endif

#endif

// Tests on sixteen bytes of a text at a time, for which the compiler has the processor's vector instructions.
//
// The bytes come in two words, the first byte in the low bits of the first. Marks come as bits, the first byte's mark as the
// lowest one.

#ifndef JSONKIT_BYTES_H
#define JSONKIT_BYTES_H

#include <stdint.h>
#include <string.h>

#define JSONKIT_INLINE static inline __attribute__((always_inline))

typedef uint8_t jsonkit_bytes __attribute__((ext_vector_type(16)));
typedef _Bool jsonkit_marks __attribute__((ext_vector_type(16)));

JSONKIT_INLINE jsonkit_bytes jsonkit_block(uint64_t low, uint64_t high) {
    typedef uint64_t words __attribute__((ext_vector_type(2)));
    return (jsonkit_bytes)(words){low, high};
}

JSONKIT_INLINE uint32_t jsonkit_bits(jsonkit_marks marks) {
    uint16_t bits;
    memcpy(&bits, &marks, sizeof bits);
    return bits;
}

#define JSONKIT_BITS(condition) jsonkit_bits(__builtin_convertvector((condition), jsonkit_marks))

/// Marks the bytes that do not simply stand for themselves in a string: quotes, backslashes, controls, and what is not ASCII.
JSONKIT_INLINE uint32_t jsonkit_special_bytes(uint64_t low, uint64_t high) {
    typedef int8_t signed_bytes __attribute__((ext_vector_type(16)));
    const jsonkit_bytes x = jsonkit_block(low, high);
    // What is not ASCII is negative.
    return JSONKIT_BITS(((signed_bytes)x < 0x20) | (x == '"') | (x == '\\'));
}

/// Marks the bytes that a string must escape: quotes, backslashes and controls.
JSONKIT_INLINE uint32_t jsonkit_bytes_to_escape(uint64_t low, uint64_t high) {
    const jsonkit_bytes x = jsonkit_block(low, high);
    return JSONKIT_BITS((x < 0x20) | (x == '"') | (x == '\\'));
}

#endif

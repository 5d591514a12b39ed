// Decoding of base64url in blocks of sixteen characters, with the instructions of the processor.

#ifndef JOSEKIT_BASE64URL_H
#define JOSEKIT_BASE64URL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Indicates whether the processor has the instructions.
bool josekit_base64url_has_blocks(void);

/// Decodes whole blocks of sixteen characters from the start of a text, up to one with a character outside the alphabet.
/// A block is written as sixteen bytes, of which the first twelve count. Returns the number of characters decoded.
///
/// The time depends on the length alone, but for a text outside the alphabet. To be called only where
/// josekit_base64url_has_blocks says so.
size_t josekit_base64url_decode_blocks(const uint8_t *text, size_t count, uint8_t *bytes, size_t room);

#endif

package import CryptoCore

extension SecretBytes {
    /// All parts, one after another.
    init(joining parts: [SecretBytes]) {
        unsafe self.init(count: parts.reduce(0) { $0 + $1.count }) { buffer in
            var rest = unsafe buffer[...]
            for part in parts {
                unsafe part.withUnsafeBytes {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: rest).copyMemory(from: $0)
                }
                unsafe rest = rest.dropFirst(part.count)
            }
        }
    }

    /// Decodes base64 with padding, ignoring whitespace; nil for any other text.
    package init?(base64 text: SecretBytes) {
        let (count, padding) = unsafe text.withUnsafeBytes { text in
            unsafe text.reduce(into: (0, 0)) { counts, byte in
                if XMLReader.isSpace(byte) { return }
                counts.0 += 1
                if byte == UInt8(ascii: "=") { counts.1 += 1 }
            }
        }
        guard count % 4 == 0, padding <= 2, padding <= count else { return nil }
        var isValid = true
        unsafe self.init(count: count / 4 * 3 - padding) { output in
            unsafe text.withUnsafeBytes { text in
                var (bits, bitCount, position, digits) = (0 as UInt32, 0, 0, 0)
                for index in text.indices {
                    let byte = unsafe text[index]
                    if XMLReader.isSpace(byte) { continue }
                    guard digits < count - padding, let digit = Self.base64Digit(byte) else {
                        // Only the padding may follow the digits.
                        isValid = isValid && digits >= count - padding && byte == UInt8(ascii: "=")
                        continue
                    }
                    digits += 1
                    bits = bits << 6 | digit
                    bitCount += 6
                    guard bitCount >= 8 else { continue }
                    bitCount -= 8
                    unsafe output[position] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
                    position += 1
                }
            }
        }
        guard isValid else { return nil }
    }

    /// The bytes in base64 with padding.
    package var base64: SecretBytes {
        unsafe withUnsafeBytes { input in
            unsafe SecretBytes(count: (input.count + 2) / 3 * 4) { output in
                for index in output.indices {
                    // Character i holds the bits 6·i ..< 6·(i + 1).
                    let (first, offset) = (index * 6 / 8, index * 6 % 8)
                    guard first < input.count else {
                        unsafe output[index] = UInt8(ascii: "=")
                        continue
                    }
                    let next = first + 1 < input.count ? unsafe input[first + 1] : 0
                    let pair = unsafe UInt16(input[first]) << 8 | UInt16(next)
                    unsafe output[index] = Self.base64Character(UInt8(truncatingIfNeeded: pair >> (10 - offset)) & 63)
                }
            }
        }
    }

    private static func base64Digit(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    private static func base64Character(_ digit: UInt8) -> UInt8 {
        switch digit {
        case 0..<26: UInt8(ascii: "A") + digit
        case 26..<52: UInt8(ascii: "a") + digit - 26
        case 52..<62: UInt8(ascii: "0") + digit - 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }
}

import CryptoCore

/// Writes stored state as CBOR (RFC 8949) in its shortest form; all of it is kept in storage that is wiped.
struct SecretStateWriter {
    private var parts: [SecretBytes] = []

    /// Begins a map of so many members.
    mutating func beginMap(count: Int) { writeHead(5, UInt64(count)) }

    /// Begins an array of so many elements.
    mutating func beginArray(count: Int) { writeHead(4, UInt64(count)) }

    mutating func write(unsigned: UInt64) { writeHead(0, unsigned) }

    mutating func write(text: String) {
        writeHead(3, UInt64(text.utf8.count))
        parts.append(SecretBytes(copying: text.utf8))
    }

    mutating func write(bytes: [UInt8]) {
        writeHead(2, UInt64(bytes.count))
        parts.append(SecretBytes(bytes))
    }

    /// Writes the absolute value of a number as its big-endian bytes.
    ///
    /// - Parameter bits: The largest length of such a number; with it, all have the same length.
    mutating func write(magnitude number: BigInteger, bits: Int = 0) {
        let bytes = number.secretBytes(paddedTo: (bits + 7) / 8)
        writeHead(2, UInt64(bytes.count))
        parts.append(bytes)
    }

    /// The state.
    consuming func finish() -> SecretBytes { SecretBytes(joining: parts) }

    private mutating func writeHead(_ majorType: UInt8, _ value: UInt64) {
        let width =
            switch value {
            case ..<24: 0
            case ...0xff: 1
            case ...0xffff: 2
            case ...0xffff_ffff: 4
            default: 8
            }
        let additional: UInt8 =
            switch width {
            case 0: UInt8(truncatingIfNeeded: value)
            case 1: 24
            case 2: 25
            case 4: 26
            default: 27
            }
        let argument = (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
        parts.append(SecretBytes([majorType << 5 | additional] + argument))
    }
}

/// The head of an item (RFC 8949 section 3): the first byte and the argument, as it stands in checked input.
struct Head {
    /// The first byte.
    let initial: UInt8
    /// The argument: a value, a length, a count, a tag number or the bits of a float; 0 for an indefinite length.
    let argument: UInt64
    /// The bytes of the head.
    let byteCount: Int

    /// The major type.
    var major: UInt8 { initial >> 5 }
    /// The additional information.
    var information: UInt8 { initial & 0x1f }
    /// Indicates that the length is indefinite.
    var isIndefinite: Bool { information == 31 }

    /// The width of the argument where a narrower one would do: floats have none, their width is part of the item.
    var redundantWidth: CBORWidth? {
        guard major != 7, let width = CBORWidth(rawValue: information) else { return nil }
        return width == CBORWidth(shortestFor: argument) ? nil : width
    }

    /// Reads a head from input that the tape builder has accepted.
    @inline(__always)
    init(at position: Int, in bytes: UnsafeRawBufferPointer) {
        initial = unsafe bytes[position]
        let information = initial & 0x1f
        let hasArgument = information >= 24 && information < 28
        byteCount = hasArgument ? 1 + 1 << Int(information & 3) : 1
        if hasArgument, let base = bytes.baseAddress {
            argument = unsafe Self.argument(after: information, at: base + position + 1)
        } else {
            argument = information < 24 ? UInt64(information) : 0
        }
    }

    /// Reads the argument after a first byte with additional information 24 to 27.
    @inline(__always)
    static func argument(after information: UInt8, at position: UnsafeRawPointer) -> UInt64 {
        switch information {
        case 24: unsafe UInt64(position.load(as: UInt8.self))
        case 25: unsafe UInt64(UInt16(bigEndian: position.loadUnaligned(as: UInt16.self)))
        case 26: unsafe UInt64(UInt32(bigEndian: position.loadUnaligned(as: UInt32.self)))
        default: unsafe UInt64(bigEndian: position.loadUnaligned(as: UInt64.self))
        }
    }
}

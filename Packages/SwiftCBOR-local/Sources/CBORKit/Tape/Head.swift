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
    /// Whether the length is indefinite.
    var isIndefinite: Bool { information == 31 }

    /// The width of the argument where a narrower one would do: floats have none, their width is part of the item.
    var redundantWidth: CBORWidth? {
        guard major != 7, let width = CBORWidth(rawValue: information) else { return nil }
        return width == CBORWidth(shortestFor: argument) ? nil : width
    }

    /// Reads a head from input that the tape builder has accepted.
    init(at position: Int, in bytes: UnsafeRawBufferPointer) {
        initial = unsafe bytes[position]
        switch initial & 0x1f {
        case 24:
            argument = unsafe UInt64(bytes[position + 1])
            byteCount = 2
        case 25:
            argument = unsafe UInt64(
                UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: position + 1, as: UInt16.self))
            )
            byteCount = 3
        case 26:
            argument = unsafe UInt64(
                UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position + 1, as: UInt32.self))
            )
            byteCount = 5
        case 27:
            argument = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position + 1, as: UInt64.self))
            byteCount = 9
        case 31:
            argument = 0
            byteCount = 1
        default:
            argument = UInt64(initial & 0x1f)
            byteCount = 1
        }
    }
}

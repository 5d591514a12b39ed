package import CBORKit

extension CBORWriter {
    /// The bytes that a closure writes.
    package static func bytes(_ write: (inout CBORWriter) -> Void) -> [UInt8] {
        var writer = CBORWriter()
        write(&writer)
        return writer.finish()
    }

    /// An encoded item in a tag-24 byte string.
    package static func embedding(_ item: some Collection<UInt8>) -> [UInt8] {
        bytes { $0.write(embedded: item) }
    }

    /// Writes a byte string, or null.
    mutating func write(optionalBytes bytes: [UInt8]?) {
        if let bytes { write(bytes: bytes) } else { writeNull() }
    }

    /// Writes an item that is encoded already, or null.
    mutating func write(optionalItem item: [UInt8]?) {
        if let item { write(encoded: item) } else { writeNull() }
    }
}

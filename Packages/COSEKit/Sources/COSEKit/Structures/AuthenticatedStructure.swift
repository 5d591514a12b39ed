import CBORKit

/// The arrays that signatures, authentication tags and AEADs cover: a context text, byte strings, and for some
/// countersignatures an array of further byte strings.
///
/// `Sig_structure`, `Enc_structure` and `MAC_structure` (RFC 9052 sections 4.4, 5.3 and 6.3) and
/// `Countersign_structure` (RFC 9338 section 3.3) all have this shape. The parts go into one buffer, as received.
struct AuthenticatedStructure {
    let context: String
    let fields: [ArraySlice<UInt8>]
    var otherFields: [ArraySlice<UInt8>] = []

    /// The deterministic encoding.
    var encoded: [UInt8] {
        var writer = CBORWriter(capacity: headCapacity + lastField.count)
        writeHead(to: &writer)
        writer.write(encoded: lastField)
        return writer.finish()
    }

    /// The deterministic encoding in two pieces: the contents of the last byte string, which mostly are the payload and are
    /// not copied, and all before them.
    var pieces: (head: [UInt8], rest: ArraySlice<UInt8>) {
        var writer = CBORWriter(capacity: headCapacity)
        writeHead(to: &writer)
        return (writer.finish(), lastField)
    }

    private var lastField: ArraySlice<UInt8> { otherFields.last ?? fields.last ?? [] }

    /// Writes all but the contents of the last byte string.
    private func writeHead(to writer: inout CBORWriter) {
        writer.beginArray(count: 1 + fields.count + (otherFields.isEmpty ? 0 : 1))
        writer.write(text: context)
        for field in otherFields.isEmpty ? fields.dropLast() : fields[...] { writer.write(bytes: field) }
        if !otherFields.isEmpty {
            writer.beginArray(count: otherFields.count)
            for field in otherFields.dropLast() { writer.write(bytes: field) }
        }
        writer.beginBytes(count: lastField.count)
    }

    /// A bound of the encoding's size without the contents of the last byte string: no head takes more than nine bytes.
    private var headCapacity: Int {
        var capacity = 18 + context.utf8.count - lastField.count
        for field in fields { capacity += 9 + field.count }
        for field in otherFields { capacity += 9 + field.count }
        return capacity
    }
}

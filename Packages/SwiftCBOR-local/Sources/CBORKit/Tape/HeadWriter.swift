/// Writes the head of an item (RFC 8949 section 3) to an array of bytes.
enum HeadWriter {
    /// Appends a head with its argument in the given width, or in the shortest form.
    static func append(_ major: UInt8, _ argument: UInt64, width: CBORWidth? = nil, to output: inout [UInt8]) {
        guard let width = width ?? CBORWidth(shortestFor: argument) else {
            output.append(major << 5 | UInt8(truncatingIfNeeded: argument))
            return
        }
        output.append(major << 5 | width.rawValue)
        for index in (0..<width.byteCount).reversed() {
            output.append(UInt8(truncatingIfNeeded: argument >> UInt64(index * 8)))
        }
    }
}

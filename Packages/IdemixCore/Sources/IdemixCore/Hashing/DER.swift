/// The structures of DER that are hashed.
enum DER {
    /// Appends an INTEGER that is not negative: a zero byte in front where the top bit is set.
    static func append(_ value: BigInteger, to output: inout [UInt8]) {
        var content = value.bytes
        if content.first.map({ $0 >= 0x80 }) ?? true { content.insert(0, at: 0) }
        output.append(0x02)
        appendLength(content.count, to: &output)
        output += content
    }

    /// A SEQUENCE around what is already encoded.
    static func sequence(_ content: [UInt8]) -> [UInt8] { element(0x30, content) }

    /// An OCTET STRING.
    static func octetString(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var output = [tag]
        appendLength(content.count, to: &output)
        return output + content
    }

    private static func appendLength(_ length: Int, to output: inout [UInt8]) {
        guard length >= 0x80 else {
            output.append(UInt8(truncatingIfNeeded: length))
            return
        }
        let bytes = BigInteger(length).bytes
        output.append(0x80 | UInt8(truncatingIfNeeded: bytes.count))
        output += bytes
    }
}

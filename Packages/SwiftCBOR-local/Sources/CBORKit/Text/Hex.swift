/// Hexadecimal text.
enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The bytes in lower-case digits.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

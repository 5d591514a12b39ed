/// Writing DER by hand, right or wrong.
enum DER {
    /// An element with the tag around the parts; lengths up to 65535.
    static func element(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        element(tag, parts)
    }

    static func element(_ tag: UInt8, _ parts: [[UInt8]]) -> [UInt8] {
        let contents = parts.flatMap(\.self)
        switch contents.count {
        case 0..<0x80: return [tag, UInt8(contents.count)] + contents
        case 0x80..<0x100: return [tag, 0x81, UInt8(contents.count)] + contents
        default: return [tag, 0x82, UInt8(contents.count >> 8), UInt8(contents.count & 0xff)] + contents
        }
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, parts) }
    static func set(_ parts: [UInt8]...) -> [UInt8] { element(0x31, parts) }
    static func integer(_ octets: UInt8...) -> [UInt8] { element(0x02, octets) }
    static func octetString(_ parts: [UInt8]...) -> [UInt8] { element(0x04, parts) }
    static func bitString(_ octets: [UInt8]) -> [UInt8] { element(0x03, [0], octets) }
    static func boolean(_ value: Bool) -> [UInt8] { [0x01, 0x01, value ? 0xff : 0x00] }
    static func utcTime(_ text: String) -> [UInt8] { element(0x17, Array(text.utf8)) }
    static func generalizedTime(_ text: String) -> [UInt8] { element(0x18, Array(text.utf8)) }
    static func utf8String(_ text: String) -> [UInt8] { element(0x0c, Array(text.utf8)) }

    /// An attribute of a name, in a relative name of its own.
    static func attribute(_ type: [UInt8], _ value: [UInt8]) -> [UInt8] {
        set(sequence(element(0x06, type), value))
    }

    /// An extension of the arc 2.5.29.
    static func certificateExtension(_ number: UInt8, critical: Bool? = nil, _ value: [UInt8]) -> [UInt8] {
        sequence([0x06, 0x03, 0x55, 0x1d, number], critical.map { boolean($0) } ?? [], octetString(value))
    }
}

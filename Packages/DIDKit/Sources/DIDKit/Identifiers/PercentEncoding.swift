/// Bytes that are written as `%` and two digits (RFC 3986, section 2.1).
enum PercentEncoding {
    /// Returns `true` for a byte that stands for itself in the identifier of a DID.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Returns `true` for a text of accepted bytes and of bytes that are written as `%` and two digits.
    static func isValid(_ text: [UInt8], _ isAccepted: (UInt8) -> Bool) -> Bool {
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%") {
                guard index + 2 < text.count, value(text[index + 1], text[index + 2]) != nil else { return false }
                index += 3
            } else {
                guard isAccepted(text[index]) else { return false }
                index += 1
            }
        }
        return true
    }

    /// The byte that two hexadecimal digits name, or nil.
    static func value(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = digit(high), let low = digit(low) else { return nil }
        return high << 4 | low
    }

    /// The bytes of a text; nil if a `%` has not two digits after it.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = iterator.next(), let low = iterator.next(), let value = value(high, low) else {
                return nil
            }
            bytes.append(value)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

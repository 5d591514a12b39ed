/// Names and values of `application/x-www-form-urlencoded`, each name once.
public struct FormParameters: Sendable {
    /// The parameters, in their order.
    public private(set) var items: [(name: String, value: String)] = []

    /// Makes a form without parameters.
    public init() {}

    /// Reads a form; percent signs are decoded once, after the parts have been separated.
    ///
    /// - Throws: ``OID4VPError/Code/repeatedParameter``, ``OID4VPError/Code/invalidURL`` for a percent sign that is not
    ///   followed by two digits and for bytes that are not UTF-8, ``OID4VPError/Code/limitExceeded``.
    public init(decoding text: some StringProtocol, maximumParameters: Int = 64) throws(OID4VPError) {
        var names: Set<ExactText> = []
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            guard items.count < maximumParameters else {
                throw OID4VPError(.limitExceeded, "there are more than \(maximumParameters) parameters")
            }
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name = try Self.decoded(part[..<equals])
            guard names.insert(ExactText(name)).inserted else {
                throw OID4VPError(.repeatedParameter, "the parameter occurs twice", path: [name])
            }
            items.append((name, try Self.decoded(part[equals...].dropFirst())))
        }
    }

    /// The value of a parameter, or nil.
    public subscript(name: String) -> String? { items.first { $0.name.hasSameBytes(as: name) }?.value }

    /// Adds a parameter.
    public mutating func append(_ name: String, _ value: String) {
        items.append((name, value))
    }

    /// The form as text.
    public var text: String {
        items.map { Self.encoded($0.name) + "=" + Self.encoded($0.value) }.joined(separator: "&")
    }

    private static func decoded(_ text: some Sequence<UInt8>) throws(OID4VPError) -> String {
        var bytes: [UInt8] = []
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit) else {
                    throw OID4VPError(.invalidURL, "a percent sign is not followed by two digits")
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw OID4VPError(.invalidURL, "a parameter is not UTF-8")
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Unicode.Scalar(byte).hexadecimalDigit.map { UInt8($0) }
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            let scalar = Unicode.Scalar(byte)
            if ScalarSet.word.contains(scalar) || "-.~".unicodeScalars.contains(scalar) {
                encoded.unicodeScalars.append(scalar)
            } else {
                encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

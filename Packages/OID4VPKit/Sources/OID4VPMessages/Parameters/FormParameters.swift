import JSONKit

/// Names and values of `application/x-www-form-urlencoded`, each name once.
///
/// Values stay parts of the form that was read, as far as nothing in them is escaped: a response is most of its form.
public struct FormParameters: Sendable {
    /// The parameters in their order, with values in UTF-8.
    private var parameters: [(name: String, value: ArraySlice<UInt8>)] = []

    /// Makes a form without parameters.
    public init() {}

    /// Reads a form; percent signs are decoded once, after the parts have been separated.
    ///
    /// - Throws: ``OID4VPError/Code/repeatedParameter``, ``OID4VPError/Code/invalidURL`` for a percent sign that is not
    ///   followed by two digits and for bytes that are not UTF-8, ``OID4VPError/Code/limitExceeded``.
    public init(decoding text: some StringProtocol, maximumParameters: Int = 64) throws(OID4VPError) {
        // A string of its own is copied at once; a view of some text of an unknown type is read a byte a call.
        try self.init(decoding: Array(String(text).utf8)[...], maximumParameters: maximumParameters)
    }

    /// Reads the bytes of a form.
    ///
    /// - Throws: As for a text.
    public init(decoding bytes: ArraySlice<UInt8>, maximumParameters: Int = 64) throws(OID4VPError) {
        var rest = bytes
        while !rest.isEmpty {
            let end = Self.place(of: UInt8(ascii: "&"), or: UInt8(ascii: "&"), in: rest) ?? rest.endIndex
            let part = rest[..<end]
            rest = rest[end...].dropFirst()
            if part.isEmpty { continue }
            guard parameters.count < maximumParameters else {
                throw OID4VPError(.limitExceeded, "there are more than \(maximumParameters) parameters")
            }
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name = Self.text(try Self.decoded(part[..<equals]))
            // Comparing few parameters costs less than a set of names.
            guard self.bytes(name) == nil else {
                throw OID4VPError(.repeatedParameter, "the parameter occurs twice", path: [name])
            }
            parameters.append((name, try Self.decoded(part[equals...].dropFirst())))
        }
    }

    /// The parameters, in their order.
    public var items: [(name: String, value: String)] { parameters.map { ($0.name, Self.text($0.value)) } }

    /// The value of a parameter, or nil.
    public subscript(name: String) -> String? { bytes(name).map(Self.text) }

    /// The value of a parameter in UTF-8, or nil; a part of the form that was read, where nothing in it was escaped.
    public func bytes(_ name: String) -> ArraySlice<UInt8>? {
        parameters.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// The parameters that have a value, as texts of an object.
    var members: JSONObject {
        var members = JSONObject()
        for (name, value) in items where !value.isEmpty { members[name] = .string(value) }
        return members
    }

    /// The value of a parameter that has one, in UTF-8; nil for one without a value, which is as good as none (RFC 6749,
    /// section 3.1).
    package func presentBytes(_ name: String) -> ArraySlice<UInt8>? {
        guard let value = bytes(name), !value.isEmpty else { return nil }
        return value
    }

    /// Adds a parameter.
    public mutating func append(_ name: String, _ value: String) {
        parameters.append((name, Array(value.utf8)[...]))
    }

    /// The form as text.
    public var text: String {
        var bytes: [UInt8] = []
        for (name, value) in parameters {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            Self.append(name.utf8, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            Self.append(value, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes that a part of a form stands for, which are UTF-8.
    private static func decoded(_ bytes: ArraySlice<UInt8>) throws(OID4VPError) -> ArraySlice<UInt8> {
        guard var place = place(of: UInt8(ascii: "%"), or: UInt8(ascii: "+"), in: bytes) else {
            try requireUTF8(bytes)
            return bytes
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        decoded += bytes[..<place]
        while place < bytes.endIndex {
            switch bytes[place] {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard bytes.endIndex - place > 2, let high = digit(bytes[place + 1]), let low = digit(bytes[place + 2])
                else { throw OID4VPError(.invalidURL, "a percent sign is not followed by two digits") }
                decoded.append(high << 4 | low)
                place += 2
            case let byte: decoded.append(byte)
            }
            place += 1
        }
        try requireUTF8(decoded[...])
        return decoded[...]
    }

    /// The place of a byte; nil if it is not there.
    static func place(of byte: UInt8, in bytes: ArraySlice<UInt8>) -> Int? { place(of: byte, or: byte, in: bytes) }

    /// The place of the first of two bytes; nil if neither is there.
    private static func place(of first: UInt8, or second: UInt8, in bytes: ArraySlice<UInt8>) -> Int? {
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let block = bytes[start..<min(start + 256, bytes.endIndex)]
            // Without an early exit, so that the compiler compares many bytes at once.
            let isFound = block.withUnsafeBufferPointer { buffer in
                var found: UInt8 = 0
                for byte in buffer { found |= (byte == first ? 1 : 0) | (byte == second ? 1 : 0) }
                return found != 0
            }
            if isFound { return block.firstIndex { $0 == first || $0 == second } }
            start = block.endIndex
        }
        return nil
    }

    /// The text of bytes that are known to be UTF-8.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func requireUTF8(_ bytes: ArraySlice<UInt8>) throws(OID4VPError) {
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw OID4VPError(.invalidURL, "a parameter is not UTF-8")
        }
    }

    /// The value of a hexadecimal digit.
    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Adds a text in which all but the unreserved characters of RFC 3986, section 2.3, are escaped.
    private static func append(_ text: some Collection<UInt8>, to bytes: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }
}

extension FormParameters: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of parameters and their size; names and values may be secret.
    public var description: String {
        let size = parameters.reduce(0) { $0 + $1.name.utf8.count + $1.value.count }
        return "form (parameters: \(parameters.count), bytes: \(size))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

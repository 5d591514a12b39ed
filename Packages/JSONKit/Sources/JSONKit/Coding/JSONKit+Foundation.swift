#if canImport(FoundationEssentials)
import FoundationEssentials
#elseif canImport(Foundation)
import Foundation
#endif

/// A step of a coding path that belongs to no type of the user's.
struct JSONCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    init(_ component: JSONPath.Component) {
        switch component {
        case .name(let name): self.init(stringValue: name)
        case .index(let index): self.init(intValue: index)
        }
    }

    /// The key for the superclass of a type.
    static let `super` = JSONCodingKey(stringValue: "super")
}

/// The JSON form of `[UInt8]` and Foundation's `Data`.
public struct JSONBytesCoding: Hashable, Sendable {
    /// The text that they become; nil for an array of numbers.
    let base64: JSONBase64?

    /// A string in base64url without padding, as in JOSE.
    public static let base64url = JSONBytesCoding(base64: .base64url)
    /// A string in base64 with padding.
    public static let base64 = JSONBytesCoding(base64: .base64)
    /// An array of numbers from 0 to 255: what `Codable` makes of them itself.
    public static let numbers = JSONBytesCoding(base64: nil)
}

/// The JSON form of Foundation's `Date`.
public struct JSONDateCoding: Hashable, Sendable {
    private enum Form {
        case seconds, own
    }

    private let form: Form

    /// A number of seconds since 1970-01-01T00:00:00Z, leap seconds not counted, maybe with a fraction: `NumericDate`
    /// of RFC 7519, section 2.
    public static let secondsSince1970 = JSONDateCoding(form: .seconds)
    /// `Date`'s own coding: seconds since 2001-01-01T00:00:00Z.
    public static let deferredToDate = JSONDateCoding(form: .own)
}

// The only place of the module that knows Foundation: its types that have a form of their own in JSON.
#if canImport(FoundationEssentials) || canImport(Foundation)

extension JSONDecodingSession {
    /// `Data`, `Date`, `URL` and `Decimal`; nil for all other types.
    func decodeFoundationType(_ type: Any.Type, at index: Int) throws -> Any? {
        if type == Data.self { return try decoder.bytes.base64.map { Data(try bytes(at: index, $0)) } }
        if type == Date.self, decoder.dates == .secondsSince1970 {
            return Date(timeIntervalSince1970: try floatingPoint(at: index))
        }
        if type == URL.self { return try url(at: index) }
        if type == Decimal.self { return try decimal(at: index) }
        return nil
    }

    private func url(at index: Int) throws -> URL {
        try read(URL.self, at: index) { view throws(JSONError) in
            guard let url = URL(string: try view.string()) else {
                throw JSONError(.invalidValue, "a string is not a URL", at: view)
            }
            return url
        }
    }

    private func decimal(at index: Int) throws -> Decimal {
        try read(Decimal.self, at: index) { view throws(JSONError) in
            let number = try view.number()
            guard let decimal = Decimal(string: number.text) else {
                throw JSONError(.numberOutOfRange, "\(number) is outside the range of Decimal", at: view)
            }
            guard JSONNumber(valid: decimal.description).hasSameValue(as: number) else {
                throw JSONError(.numberNotExact, "\(number) cannot become Decimal without being changed", at: view)
            }
            return decimal
        }
    }
}

extension StrictJSONEncoder {
    /// The form of a `Data`, `Date`, `URL` or `Decimal`; nil for all other types.
    func valueOfFoundationType<Value>(_ value: Value) throws(JSONError) -> JSONValue? {
        // The types are compared first, since casts are slow where they fail.
        if Value.self == Data.self, let data = value as? Data { return bytes.base64.map { .string($0.encode(data)) } }
        if Value.self == Date.self, dates == .secondsSince1970, let date = value as? Date {
            return .number(try JSONNumber(date.timeIntervalSince1970))
        }
        if Value.self == URL.self, let url = value as? URL { return .string(url.absoluteString) }
        if Value.self == Decimal.self, let decimal = value as? Decimal {
            guard decimal.isFinite else { throw JSONError(.nonFiniteNumber, "\(decimal) has no form in JSON") }
            return .number(JSONNumber(valid: decimal.description))
        }
        return nil
    }
}

#else

extension JSONDecodingSession {
    func decodeFoundationType(_ type: Any.Type, at index: Int) throws -> Any? { nil }
}

extension StrictJSONEncoder {
    func valueOfFoundationType(_ value: Any) throws(JSONError) -> JSONValue? { nil }
}

#endif

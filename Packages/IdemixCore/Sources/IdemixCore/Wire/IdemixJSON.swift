public import JSONKit

/// A value with a form in the JSON that IRMA's parties send each other.
///
/// Integers are base64 of their big-endian bytes, and are read from bare decimal numbers too. Readers take `null` for
/// absence, pass over unknown members, and take names in any letter case, as the Go implementation does; they refuse a
/// member that is there in two letter cases, negative numbers, and indices in any form but the shortest decimal one.
public protocol IdemixJSON: Codable, Sendable {
    /// Reads the value.
    ///
    /// - Throws: ``IdemixError/Code/malformedJSON`` for another form, ``IdemixError/Code/invalidNumber`` for a value
    ///   that is not an integer, both with the path of the member; the errors of the type's own initialisers.
    init(json: JSONValue) throws(IdemixError)

    /// The value in JSON.
    ///
    /// - Throws: ``IdemixError/Code/invalidNumber`` for a negative integer, which has no form in JSON.
    func json() throws(IdemixError) -> JSONValue
}

extension IdemixJSON {
    /// Reads the value from a JSON text.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - limits: The limits of the text; by default those of JSONKit.
    /// - Throws: ``IdemixError/Code/malformedJSON`` for text that is not JSON or exceeds the limits, with the reason as
    ///   its cause, and the errors of ``init(json:)``.
    public init(decoding bytes: some Collection<UInt8>, limits: JSONLimits = .default) throws(IdemixError) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: bytes, limits: limits)
        } catch {
            throw IdemixError(.malformedJSON, "the text is not JSON", cause: error)
        }
        try self.init(json: json)
    }

    /// The value as a JSON text without white space.
    ///
    /// - Throws: The errors of ``json()``.
    public func encoded() throws(IdemixError) -> [UInt8] { try json().encoded() }

    /// Reads the value as a part of a larger one.
    public init(from decoder: any Decoder) throws {
        try self.init(json: JSONValue(from: decoder))
    }

    /// Writes the value as a part of a larger one.
    public func encode(to encoder: any Encoder) throws {
        try json().encode(to: encoder)
    }
}

extension Array: IdemixJSON where Element: IdemixJSON {
    /// Reads an array; `null` is an empty one.
    ///
    /// - Throws: The errors of the elements, with the position in the path.
    public init(json: JSONValue) throws(IdemixError) {
        self = try json.list { json throws(IdemixError) in try Element(json: json) }
    }

    /// The elements as an array.
    public func json() throws(IdemixError) -> JSONValue {
        var elements: [JSONValue] = []
        for (position, value) in enumerated() {
            do throws(IdemixError) { elements.append(try value.json()) } catch { throw error.inside("[\(position)]") }
        }
        return .array(elements)
    }
}

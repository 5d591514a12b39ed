public import JSONKit
public import MdocElements
public import MdocKit

/// A claim of a verified credential: `{"value": …}` in JSON.
///
/// ```swift
/// if case .date(let birthDate)? = credential.claims?[.mDL]?["birth_date"]?.typedValue { show(birthDate) }
/// ```
///
/// In JSON, texts, dates and times are strings, Booleans and numbers are themselves (whole numbers with all their digits),
/// portraits and other byte strings are base64url without padding, arrays and maps are arrays and objects; see
/// `JSONValue.init(dataElement:)`. Two claims are equal if their JSON is.
public struct MobileCredentialClaim: Sendable {
    /// The value in JSON.
    public let value: JSONValue
    /// The value by the type that the tables of data elements have for it; nil for a claim read from JSON, which has no
    /// types.
    public let typedValue: DataElementValue?
    /// The party that vouches for the claim; nil for a claim read from JSON.
    public var source: VerifiedElement.Source? { element?.source }

    private let element: VerifiedElement?

    /// Takes an element of a verified document.
    ///
    /// - Throws: `MdocError` if the value has another type than the tables demand.
    init(
        _ element: VerifiedElement,
        _ type: DataElementType,
        _ reading: inout DataElementReading
    ) throws(MdocError) {
        typedValue = try DataElementValue(dataElement: element.view, type: type, reading: &reading)
        value = JSONValue(dataElement: element.view)
        self.element = element
    }

    /// The value as a Swift type, such as `[DrivingPrivilege]`.
    ///
    /// - Throws: `MdocError` with code `unexpectedType` for a claim read from JSON, and as `VerifiedElement.read`.
    public func read<Value: DataElementConvertible>(
        as type: Value.Type = Value.self,
        options: MdocReadingOptions = .strict
    ) throws(MdocError) -> Value {
        guard let element else {
            throw MdocError(.unexpectedType, "a claim read from JSON has no type")
        }
        return try element.read(as: type, options: options)
    }
}

extension MobileCredentialClaim: Hashable {
    /// Returns `true` if both have the same JSON.
    public static func == (left: MobileCredentialClaim, right: MobileCredentialClaim) -> Bool {
        left.value == right.value
    }

    /// Hashes the JSON.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

extension MobileCredentialClaim: Codable {
    private enum CodingKeys: String, CodingKey {
        case value
    }

    /// Reads `{"value": …}`.
    public init(from decoder: any Decoder) throws {
        value = try decoder.container(keyedBy: CodingKeys.self).decode(JSONValue.self, forKey: .value)
        typedValue = nil
        element = nil
    }

    /// Writes `{"value": …}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(value, forKey: .value)
    }
}

/// The reason that a requested claim is not among the claims, by name; an open set.
public struct ClaimError: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Wraps a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The wallet did not return it, nor anything that answers in its place.
    public static let notReturned = ClaimError(rawValue: "notReturned")
    /// The wallet returned it, and its value has another type than the tables of data elements demand.
    public static let invalidValue = ClaimError(rawValue: "invalidValue")

    /// The name.
    public var description: String { rawValue }
}

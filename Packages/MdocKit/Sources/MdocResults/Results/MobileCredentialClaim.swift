public import JSONKit
import MdocKit

/// A claim of a verified credential: `{"value": …}` in JSON.
///
/// Texts, dates and times are strings, Booleans and numbers are themselves (whole numbers with all their digits),
/// portraits and other byte strings are base64url without padding, arrays and maps are arrays and objects; see
/// `JSONValue.init(dataElement:)`. Typed values are on `VerifiedMdocDocument`.
public struct MobileCredentialClaim: Hashable, Sendable, Codable {
    /// The value.
    public let value: JSONValue

    /// Wraps a value.
    init(_ value: JSONValue) {
        self.value = value
    }
}

/// The reason that a requested claim is missing, by name; an open set.
public struct ClaimError: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Wraps a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The wallet did not return it, nor anything that answers in its place.
    public static let notReturned = ClaimError(rawValue: "notReturned")

    /// The name.
    public var description: String { rawValue }
}

import MdocKit

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

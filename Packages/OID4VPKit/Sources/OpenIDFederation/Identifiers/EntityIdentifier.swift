public import CredentialTransport
public import VerificationCore

/// The identifier of an entity in a federation: an https URL without query and fragment (OpenID Federation 1.0,
/// section 1.2).
///
/// Identifiers are equal if their texts have the same bytes.
public struct EntityIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The identifier, as received.
    public let text: ExactText
    /// The place of the entity's own statement about itself (section 9).
    public let configurationURL: HTTPURL

    /// Reads an identifier.
    ///
    /// - Throws: ``FederationError/Code/invalidIdentifier``.
    public init(_ text: String) throws(FederationError) {
        let isSecure: Bool
        do throws(TransportError) {
            let url = try HTTPURL(text)
            isSecure = url.scheme == .https && url.query == nil
            let base = url.description
            configurationURL = try HTTPURL(
                (base.utf8.last == UInt8(ascii: "/") ? String(base.dropLast()) : base) + Self.configurationPath
            )
        } catch {
            throw FederationError(.invalidIdentifier, "it is no HTTP URL", cause: error)
        }
        guard isSecure else {
            throw FederationError(.invalidIdentifier, "it is not an https URL without query and fragment")
        }
        self.text = ExactText(text)
    }

    private static let configurationPath = "/.well-known/openid-federation"

    /// Returns `true` for the same text.
    public static func == (left: EntityIdentifier, right: EntityIdentifier) -> Bool { left.text == right.text }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// The identifier for people, with invisible characters escaped.
    public var description: String { text.description }

    /// The host of the URL; nil for an address.
    var hostName: String? {
        if case .name(let name) = configurationURL.host { name } else { nil }
    }
}

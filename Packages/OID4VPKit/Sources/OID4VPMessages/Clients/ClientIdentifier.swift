/// The identifier of a verifier, and the rule by which it is authenticated (section 5.9; draft 21, section 5.7).
public struct ClientIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The rules of authentication.
    public enum Rule: Hashable, Sendable {
        /// The wallet knows the client.
        case preRegistered
        /// The identifier is the address that the response goes to; such a request is not signed.
        case redirectURI
        /// A key of a DID signs.
        case decentralizedIdentifier
        /// The key of a certificate with this DNS name signs.
        case x509SANDNS
        /// The key of a certificate with this URI signs.
        case x509SANURI
        /// The key of the certificate with this hash signs.
        case x509Hash
        /// The key of a verifier attestation signs.
        case verifierAttestation
        /// A key signs that a trust chain of OpenID Federation vouches for.
        case federation
    }

    /// The whole identifier, with its prefix: it is the audience of presentations.
    public let text: ExactText
    /// The prefix, the scheme of draft 21, or `pre-registered`.
    public let prefix: ExactText
    /// The identifier without its prefix.
    public let original: String
    /// The rule.
    public let rule: Rule

    private static let preRegistered: ExactText = "pre-registered"

    /// The prefixes that are followed by the original identifier.
    private static let prefixes: [ExactText: Rule] = [
        "redirect_uri": .redirectURI, "decentralized_identifier": .decentralizedIdentifier,
        "verifier_attestation": .verifierAttestation, "x509_san_dns": .x509SANDNS, "x509_san_uri": .x509SANURI,
        "x509_hash": .x509Hash, "openid_federation": .federation,
    ]
    /// The prefixes that are part of the original identifier (drafts 22 to 25).
    private static let inclusivePrefixes: [ExactText: Rule] = ["did": .decentralizedIdentifier, "https": .federation]
    /// The prefixes that only the wallet itself may make.
    private static let reservedPrefixes: Set<ExactText> = ["origin", "web-origin"]
    /// The schemes of draft 21, with which no prefix is read off.
    private static let schemes: [ExactText: Rule] = [
        preRegistered: .preRegistered, "redirect_uri": .redirectURI, "did": .decentralizedIdentifier,
        "verifier_attestation": .verifierAttestation, "x509_san_dns": .x509SANDNS, "x509_san_uri": .x509SANURI,
        "entity_id": .federation,
    ]

    /// Reads an identifier.
    ///
    /// - Parameters:
    ///   - text: The parameter `client_id`.
    ///   - scheme: The parameter `client_id_scheme` of draft 21; nil for other versions, where the prefix counts. An unknown
    ///     prefix makes the whole a pre-registered identifier.
    /// - Throws: ``OID4VPError/Code/unsupportedClientIdentifier`` for an unknown scheme and a reserved prefix.
    public init(_ text: String, scheme: String? = nil) throws(OID4VPError) {
        self.text = ExactText(text)
        if let scheme {
            guard let rule = Self.schemes[ExactText(scheme)] else {
                throw OID4VPError(
                    .unsupportedClientIdentifier,
                    "the scheme \"\(scheme)\" is unknown",
                    path: ["client_id_scheme"]
                )
            }
            (prefix, original, self.rule) = (ExactText(scheme), text, rule)
            return
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            (prefix, original, rule) = (Self.preRegistered, text, .preRegistered)
            return
        }
        let name = ExactText(String(text[..<colon]))
        guard !Self.reservedPrefixes.contains(name) else {
            throw OID4VPError(
                .unsupportedClientIdentifier,
                "the prefix \"\(name)\" is reserved for the wallet",
                path: ["client_id"]
            )
        }
        if let rule = Self.prefixes[name] {
            (prefix, original, self.rule) = (name, String(text[colon...].dropFirst()), rule)
        } else if let rule = Self.inclusivePrefixes[name] {
            (prefix, original, self.rule) = (name, text, rule)
        } else {
            (prefix, original, rule) = (Self.preRegistered, text, .preRegistered)
        }
    }

    /// Indicates that the identifier has a prefix that is not known, so that it may be that of a registered client alone.
    public var hasUnknownPrefix: Bool { rule == .preRegistered && text.text.utf8.contains(UInt8(ascii: ":")) }

    /// The same identifier as that of a client the wallet has registered under the whole text.
    ///
    /// Nil for a prefix with another rule, which never falls back.
    public var asRegistered: ClientIdentifier? {
        guard prefix == "https" || rule == .preRegistered else { return nil }
        return ClientIdentifier(registered: text)
    }

    private init(registered text: ExactText) {
        self.text = text
        (prefix, original, rule) = (Self.preRegistered, text.text, .preRegistered)
    }

    /// The whole identifier for people, with invisible characters escaped.
    public var description: String { text.description }
}

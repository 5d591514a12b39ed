import CredentialTransport
public import JOSEKit
import JSONKit
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A statement about an entity, read and not verified (OpenID Federation 1.0, section 3).
///
/// An entity configuration is the statement of an entity about itself; a subordinate statement is one of a superior. Only
/// a ``TrustChain`` that is verified tells anything of an entity.
public struct EntityStatement: Sendable {
    /// The statement as a signed token.
    public let token: JWT
    /// The entity that made the statement, by its own account.
    public var unverifiedIssuer: EntityIdentifier { content.issuer }
    /// The entity that the statement is about.
    public var unverifiedSubject: EntityIdentifier { content.subject }
    /// Indicates that the statement is that of an entity about itself.
    public var isConfiguration: Bool { content.issuer == content.subject }

    let header: JOSEHeader
    let claims: JWTClaims
    let content: Content

    /// The media type of statements, without `application/`.
    static let type = "entity-statement+jwt"

    /// The claims of a statement.
    struct Content: Sendable {
        let issuer: EntityIdentifier
        let subject: EntityIdentifier
        let expirationTime: Date
        /// The keys with which the subject signs statements.
        let keys: JWKSet
        /// The metadata by the types of the entity.
        let metadata: JSONObject
        /// The superiors that the subject names.
        let authorityHints: [EntityIdentifier]
        let metadataPolicy: MetadataPolicy?
        let constraints: TrustChainConstraints?
    }

    /// Reads a statement in the compact serialization.
    ///
    /// - Parameters:
    ///   - text: The token.
    ///   - limits: The limits for the token and its claims.
    /// - Throws: ``FederationError/Code/malformed``, ``FederationError/Code/limitExceeded``,
    ///   ``FederationError/Code/unsupportedExtension`` for critical claims or policy operators, none of which are known,
    ///   ``FederationError/Code/invalidMetadataPolicy``.
    public init(compact text: some StringProtocol, limits: JOSELimits = .default) throws(FederationError) {
        try self.init(compact: Array(text.utf8), limits: limits)
    }

    /// Reads a statement in the compact serialization.
    ///
    /// - Throws: As for a text.
    public init(compact text: some Collection<UInt8>, limits: JOSELimits = .default) throws(FederationError) {
        let token = try reading(.malformed, "the statement is no JWT") { () throws(JOSEError) in
            try JWT(compact: text, limits: limits)
        }
        try self.init(token, limits)
    }

    /// Reads the claims of a token.
    init(_ token: JWT, _ limits: JOSELimits = .default) throws(FederationError) {
        (header, claims) = try reading(.malformed, "the header or the claims cannot be read") { () throws(JOSEError) in
            let payload = token.jws.unverifiedPayload ?? []
            return (try token.unverifiedHeader(), try JWTClaims(decoding: payload, limits: limits))
        }
        self.token = token
        try Self.check(header)
        content = try Content(claims, limits: limits)
    }

    /// The token, as received or made.
    ///
    /// - Throws: ``FederationError/Code/malformed`` for a header that is not protected.
    public func compactSerialization() throws(FederationError) -> String {
        try reading(.malformed, "the statement cannot be written") { () throws(JOSEError) in
            try token.compactSerialization()
        }
    }

    /// Refuses a header that names no key, or holds a chain of which the statement itself is a part (section 4.3).
    private static func check(_ header: JOSEHeader) throws(FederationError) {
        let keyID = try reading(.malformed, "the header cannot be read") { () throws(JOSEError) in try header.keyID() }
        guard keyID?.isEmpty == false else {
            throw FederationError(.malformed, "the header names no key", path: ["kid"])
        }
        for name in ["trust_chain", "peer_trust_chain"] where header.contains(name) {
            throw FederationError(.malformed, "the header of a statement must not have it", path: [name])
        }
    }

    /// The address at which the subject answers with its statements about others (section 8.1).
    var fetchEndpoint: HTTPURL? {
        let federation = content.metadata[TrustChainConstraints.federationEntity.text]
        guard let text = federation?["federation_fetch_endpoint"]?.stringValue, let url = try? HTTPURL(text),
            url.scheme == .https
        else { return nil }
        return url
    }
}

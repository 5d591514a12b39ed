public import CryptoCore
public import JOSEKit
public import JSONKit
import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Makes statements: an entity's configuration, or a superior's statement about a subordinate.
///
/// ```swift
/// let key = try PrivateKey.generate(.p256)
/// let builder = EntityStatementBuilder(
///     issuer: try EntityIdentifier("https://shop.example"),
///     keys: JWKSet([try JWK(key.publicKey, keyID: "f1")]),
///     validity: Date()...Date(timeIntervalSinceNow: 86_400),
///     metadata: ["openid_credential_verifier": ["client_name": "Shop"]],
///     authorityHints: [try EntityIdentifier("https://federation.example")]
/// )
/// let configuration = try await builder.sign(with: SoftwareSigner(key), keyID: "f1")
/// ```
public struct EntityStatementBuilder: Sendable {
    /// The entity that makes the statement.
    public var issuer: EntityIdentifier
    /// The entity that the statement is about.
    public var subject: EntityIdentifier
    /// The keys with which the subject signs statements, each with an identifier of its own.
    public var keys: JWKSet
    /// The times of issuance and expiration, in whole seconds.
    public var validity: ClosedRange<Date>
    /// The metadata by the types of the entity.
    public var metadata: JSONObject
    /// The superiors of the entity, for a configuration.
    public var authorityHints: [EntityIdentifier]
    /// Further claims, such as `metadata_policy`, `constraints` or `trust_marks`.
    public var claims: JSONObject

    /// Describes a statement; without a subject that of an entity about itself.
    public init(
        issuer: EntityIdentifier,
        about subject: EntityIdentifier? = nil,
        keys: JWKSet,
        validity: ClosedRange<Date>,
        metadata: JSONObject = [:],
        authorityHints: [EntityIdentifier] = [],
        claims: JSONObject = [:]
    ) {
        self.issuer = issuer
        self.subject = subject ?? issuer
        self.keys = keys
        self.validity = validity
        self.metadata = metadata
        self.authorityHints = authorityHints
        self.claims = claims
    }

    /// Signs the statement.
    ///
    /// - Parameters:
    ///   - signer: A key with which the issuer signs statements.
    ///   - keyID: Its name among the issuer's keys.
    /// - Throws: ``FederationError/Code/signingFailed``, and the errors of reading for a statement that is not well-formed;
    ///   ``FederationError/Code/malformed`` for an entity's own statement whose keys have not the signer's by that name.
    public func sign(with signer: any Signer, keyID: String) async throws(FederationError) -> EntityStatement {
        try requireKey(named: keyID) { (try? $0.publicKey()) == signer.publicKey }
        let token: JWT
        do throws(JOSEError) {
            token = try await JWT.sign(content, header: Self.header(keyID), with: signer)
        } catch {
            throw FederationError(.signingFailed, "the statement cannot be signed", reading: error)
        }
        return try EntityStatement(token)
    }

    /// Prepares the statement for a signature that is made elsewhere.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm of the signature.
    ///   - keyID: The name of the key among the issuer's.
    /// - Throws: ``FederationError/Code/signingFailed`` for an algorithm that is not supported,
    ///   ``FederationError/Code/malformed`` for an entity's own statement whose keys have none of that name.
    public func prepare(
        algorithm: JWSAlgorithm,
        keyID: String
    ) throws(FederationError) -> UnsignedEntityStatement {
        try requireKey(named: keyID) { _ in true }
        var header = Self.header(keyID)
        header["alg"] = .string(algorithm.rawValue)
        return try reading(.signingFailed, "the statement cannot be prepared") { () throws(JOSEError) in
            UnsignedEntityStatement(try JWS.Unsigned(payload: content.encoded(), header: header))
        }
    }

    /// Refuses a signature that the statement's own keys do not verify (section 3.2): those of another entity are not here.
    package func requireKey(named keyID: String, _ isFit: (JWK) -> Bool) throws(FederationError) {
        guard issuer == subject, !keys.keys(withID: keyID).contains(where: isFit) else { return }
        throw FederationError(.malformed, "the signer's key is not among them by this name", path: ["jwks"])
    }

    private static func header(_ keyID: String) -> JOSEHeader { JOSEHeader(type: EntityStatement.type, keyID: keyID) }

    private var content: JWTClaims {
        var content = JWTClaims(claims)
        content.setIssuer(issuer.text.text)
        content.setSubject(subject.text.text)
        content.setIssuedAt(validity.lowerBound)
        content.setExpirationTime(validity.upperBound)
        content["jwks"] = ["keys": .array(keys.keys.compactMap { $0.publicJWK.map { .object($0.members) } })]
        if !metadata.isEmpty { content["metadata"] = .object(metadata) }
        if !authorityHints.isEmpty { content["authority_hints"] = .array(authorityHints.map { .string($0.text.text) }) }
        return content
    }
}

/// A statement that lacks its signature, for entities that sign elsewhere.
public struct UnsignedEntityStatement: Sendable {
    /// The bytes to sign with a key of the issuer.
    public var bytesToSign: [UInt8] { unsigned.bytesToSign }
    /// The algorithm to sign with.
    public var algorithm: JWSAlgorithm { unsigned.algorithm }

    private let unsigned: JWS.Unsigned

    fileprivate init(_ unsigned: JWS.Unsigned) {
        self.unsigned = unsigned
    }

    /// The statement with its signature.
    ///
    /// - Parameter signature: The signature over ``bytesToSign``; for ECDSA r‖s in fixed width, not DER.
    /// - Throws: ``FederationError/Code/signingFailed`` for a length that the algorithm cannot have, and the errors of reading
    ///   for a statement that is not well-formed.
    public func completed(with signature: [UInt8]) throws(FederationError) -> EntityStatement {
        try EntityStatement(
            reading(.signingFailed, "the statement cannot be completed") { () throws(JOSEError) in
                try JWT(unsigned.completed(with: signature))
            }
        )
    }
}

public import CryptoCore
public import Foundation
public import JOSEKit
public import JSONKit
public import OpenIDFederation

/// A federation for tests: a trust anchor, an intermediate, and an entity below it.
public struct TestFederation: Sendable {
    /// An entity with its key for statements.
    public struct Member: Sendable {
        /// The identifier.
        public let id: EntityIdentifier
        /// The key for statements.
        public let key: PrivateKey
        /// The name of the key.
        public let keyID: String

        /// Makes an entity with a fresh key.
        public init(_ id: String, keyID: String) throws {
            self.id = try EntityIdentifier(id)
            self.keyID = keyID
            key = try PrivateKey.generate(.p256)
        }

        /// The keys that others know it by.
        public var keys: JWKSet { get throws { JWKSet([try JWK(key.publicKey, keyID: keyID)]) } }
    }

    /// The time for statements: they are valid for an hour before and after.
    public let time: Date
    /// The trust anchor.
    public let anchor: Member
    /// The entity between the anchor and the verifier.
    public let intermediate: Member
    /// The entity at the end.
    public let verifier: Member

    /// Makes the keys.
    public init(at time: Date) throws {
        self.time = time
        anchor = try Member("https://anchor.example", keyID: "a1")
        intermediate = try Member("https://intermediate.example/unit", keyID: "i1")
        verifier = try Member("https://v.example", keyID: "f1")
    }

    /// The demands of a wallet that trusts the anchor.
    public var policy: FederationPolicy {
        get throws { FederationPolicy(anchors: [FederationTrustAnchor(id: anchor.id, keys: try anchor.keys)]) }
    }

    /// A statement.
    ///
    /// - Parameters:
    ///   - issuer: The entity that makes it.
    ///   - subject: The entity that it is about; nil for the issuer itself.
    ///   - change: A change of the statement before it is signed.
    public func statement(
        of issuer: Member,
        about subject: Member? = nil,
        changing change: (inout EntityStatementBuilder) throws -> Void = { _ in }
    ) async throws -> EntityStatement {
        var builder = EntityStatementBuilder(
            issuer: issuer.id,
            about: subject?.id,
            keys: try (subject ?? issuer).keys,
            validity: time.addingTimeInterval(-3600)...time.addingTimeInterval(3600)
        )
        try change(&builder)
        return try await builder.sign(with: SoftwareSigner(issuer.key), keyID: issuer.keyID)
    }

    /// The chain of the verifier.
    ///
    /// - Parameter metadata: Its metadata as `openid_credential_verifier`.
    public func chain(metadata: JSONObject) async throws -> TrustChain {
        try TrustChain(
            await [
                statement(of: verifier) { builder in
                    builder.metadata = ["openid_credential_verifier": .object(metadata)]
                    builder.authorityHints = [intermediate.id]
                },
                statement(of: intermediate, about: verifier),
                statement(of: anchor, about: intermediate),
            ]
        )
    }
}

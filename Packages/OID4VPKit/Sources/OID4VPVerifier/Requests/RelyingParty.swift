import CredentialTransport
public import CryptoCore
@_spi(Layers) public import JOSEKit
public import JSONKit

/// A party that asks for presentations: its identity towards wallets, and its trusted issuers.
///
/// ```swift
/// var party = RelyingParty(
///     client: try .x509Hash(chain: [certificate], signer: signer),
///     verifiers: FormatVerifiers(sdJWT: verifier)
/// )
/// party.profile = .haip
/// ```
public struct RelyingParty: Sendable {
    /// The identity.
    public var client: ClientIdentity
    /// Further identities, of which each signs a multi-signed request over the Digital Credentials API.
    public var furtherClients: [ClientIdentity]
    /// Identities of the past: requests that were made as one of them are still signed as it, and no new ones are made.
    ///
    /// An identifier that is made of a certificate or a key changes with it, and a link names that of its time. List the earlier
    /// identity, with its key, for as long as such links may be open.
    public var retiredClients: [ClientIdentity]
    /// Private keys of the past for responses: no request has them, and responses that are encrypted to them are still read.
    ///
    /// A response may name its transaction in its encrypted part alone. After a change of the fixed key, those to requests that
    /// wallets have fetched before lead to their transactions by the earlier key. Of a client whose metadata wallets have from
    /// elsewhere, a key with an identifier (`kid`) also opens responses to later requests, by wallets that have kept the earlier
    /// metadata. The keys go with the algorithm of ``encryption``.
    public var retiredResponseKeys: [JWK]
    /// The verifiers of credentials, with the trusted issuers.
    public var verifiers: FormatVerifiers
    /// The profile whose demands requests must meet; nil for none.
    ///
    /// The demands on presentations are part of the ``PresentationPolicy``.
    public var profile: PresentationProfile?
    /// The key and the algorithms for encrypted responses.
    public var encryption: ResponseEncryptionPolicy
    /// The certificates of registration, by the intended use that a request states (`verifier_info`).
    public var registrations: [ExactText: [RegistrationCertificate]]
    /// Further members of `client_metadata`, such as `client_name`.
    public var metadata: JSONObject
    /// The origins of the party's own pages and apps, for the Digital Credentials API: text as platforms name them, such as
    /// `https://shop.example` without a path.
    public var origins: [String]

    /// Describes a party.
    public init(client: ClientIdentity, verifiers: FormatVerifiers) {
        self.client = client
        self.verifiers = verifiers
        furtherClients = []
        retiredClients = []
        retiredResponseKeys = []
        profile = nil
        encryption = ResponseEncryptionPolicy()
        registrations = [:]
        metadata = [:]
        origins = []
    }

    /// Indicates a client whose metadata wallets have from elsewhere.
    var isKnownToWallets: Bool { client.isKnownToWallets }
}

extension ClientIdentity {
    /// Indicates a client whose metadata wallets have from elsewhere.
    var isKnownToWallets: Bool { rule == .preRegistered || rule == .federation }
}

/// A certificate of registration, or another attestation about the verifier (section 5.11).
public struct RegistrationCertificate: Hashable, Sendable {
    /// The format, such as `registration_cert`.
    public var format: ExactText
    /// The attestation: a text or an object.
    public var data: JSONValue
    /// The queries that it is about; nil for all.
    public var credentials: [QueryID]?

    /// Describes an attestation.
    public init(format: ExactText, data: JSONValue, credentials: [QueryID]? = nil) {
        self.format = format
        self.data = data
        self.credentials = credentials
    }

    var json: JSONValue {
        var members: JSONObject = ["format": .string(format.text), "data": data]
        if let credentials { members["credential_ids"] = .array(credentials.map { .string($0.text) }) }
        return .object(members)
    }
}

/// The key and the algorithms that a verifier offers for encrypted responses.
public struct ResponseEncryptionPolicy: Sendable {
    /// The origin of keys.
    public enum Key: Sendable {
        /// A fresh key on a curve for each request.
        case ephemeral(EllipticCurve)
        /// One private key, which wallets know beforehand or learn from each request.
        ///
        /// A request names it with the policy's algorithm (`alg`), with `use`, and with its identifier or else its thumbprint
        /// (`kid`).
        case fixed(JWK)
    }

    /// The key.
    public var key: Key
    /// The key management algorithm.
    public var algorithm: JWEAlgorithm
    /// The content encryptions, the preferred one first; drafts before 26 offer the first one alone.
    public var encryptions: [JWEEncryption]

    /// Sets key and algorithms; by default a fresh key on P-256, ECDH-ES, A256GCM and A128GCM.
    public init(
        key: Key = .ephemeral(.p256),
        algorithm: JWEAlgorithm = .ecdhES,
        encryptions: [JWEEncryption] = [.a256GCM, .a128GCM]
    ) {
        self.key = key
        self.algorithm = algorithm
        self.encryptions = encryptions
    }

    /// Indicates a key of several requests.
    var isFixed: Bool {
        if case .fixed = key { true } else { false }
    }

    /// The key for one request.
    ///
    /// - Parameters:
    ///   - version: The version of the request.
    ///   - isKnown: Indicates that wallets have a fixed key from elsewhere.
    ///   - random: The source of randomness.
    /// - Throws: ``OID4VPVerifierError/Code/invalidRelyingParty`` for a fixed key that does not go with the algorithm.
    func decryption(
        for version: OpenID4VPVersion,
        isKnown: Bool,
        using random: some RandomSource
    ) throws(OID4VPVerifierError) -> ResponseDecryption {
        let offered = version == .v1 ? encryptions : Array(encryptions.prefix(1))
        switch key {
        case .fixed(let key):
            let named = try named(key, isKnown: isKnown)
            return try ResponseDecryption(key: named, algorithm: algorithm, encryptions: offered)
        case .ephemeral(let curve):
            do {
                let key = try JWK(
                    PrivateKey.generate(curve, using: random),
                    keyID: Base64URL.encode(random.bytes(16)),
                    use: .encryption,
                    algorithm: algorithm.rawValue
                )
                return try ResponseDecryption(key: key, algorithm: algorithm, encryptions: offered)
            } catch let error as OID4VPVerifierError {
                throw error
            } catch {
                throw OID4VPVerifierError(.signingFailed, "the key for the response cannot be made", cause: error)
            }
        }
    }
}

extension ResponseEncryptionPolicy {
    /// A fixed key as wallets see it: with `alg` (section 8.3), `use` and `kid` (section 5.1).
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - isKnown: Indicates that wallets have the key from elsewhere, where it may have no identifier.
    /// - Throws: ``OID4VPVerifierError/Code/invalidRelyingParty`` for a key that does not go with the algorithm.
    func named(_ key: JWK, isKnown: Bool) throws(OID4VPVerifierError) -> JWK {
        func invalid(_ message: String, _ cause: (any Error)? = nil) -> OID4VPVerifierError {
            OID4VPVerifierError(.invalidRelyingParty, message, path: ["encryption"], cause: cause)
        }
        guard let publicKey = key.publicJWK else { throw invalid("a symmetric key") }
        if let own = key.algorithm, !own.hasSameBytes(as: algorithm.rawValue) {
            throw invalid("the key is for \(own), and responses for \(algorithm)")
        }
        do throws(JOSEError) {
            for encryption in encryptions { _ = try JWEEncryptionKey.jwk(publicKey, algorithm, for: encryption) }
        } catch {
            throw invalid("the key does not go with the algorithms", error)
        }
        let keyID = key.keyID ?? (isKnown ? nil : Base64URL.encode(key.thumbprint()))
        return key.with(keyID: keyID, use: .encryption, algorithm: algorithm.rawValue)
    }
}

extension String {
    /// Indicates an origin as platforms name it: that of a page, with host and port alone, or that of an app.
    ///
    /// Schemes without security must not be used (appendix A.2), but for pages of this device.
    var isOrigin: Bool {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = self[..<colon]
        guard scheme == "https" || scheme == "http" else {
            return !["", "ftp", "javascript", "data", "ws", "wss", "file", "blob"].contains(scheme.lowercased())
                && scheme.lowercased() == scheme
        }
        guard let url = try? HTTPURL(self + "/"), url.path == "/", url.query == nil else { return false }
        return url.description == self + "/" && (url.scheme == .https || url.host == .name("localhost"))
    }
}

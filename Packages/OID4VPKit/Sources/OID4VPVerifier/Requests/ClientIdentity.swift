public import CryptoCore
public import DIDKit
import JOSEKit
import JSONKit
public import OpenIDFederation

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A verifier's identity towards wallets: the client identifier, and the key that vouches for it (section 5.9).
///
/// The text of the identifier depends on the version: prefixes were renamed, and draft 21 has none.
public struct ClientIdentity: Sendable {
    /// The rule by which wallets authenticate it.
    public let rule: ClientIdentifier.Rule
    /// The key that signs requests; nil for an identity that does not.
    public let signer: (any Signer)?
    /// The identifier without a prefix; nil if the address of the response takes its place.
    let original: String?
    /// The header parameters that name the key.
    let header: JSONObject
    /// The certificates of the signer, from its own on; empty for other kinds of keys.
    let certificates: [Certificate]
    /// Returns the trust chain that requests of a time bring along; nil for none.
    private let trustChains: (@Sendable (Date) async -> TrustChain?)?

    private init(
        _ rule: ClientIdentifier.Rule,
        _ original: String?,
        signer: (any Signer)?,
        header: JSONObject = [:],
        certificates: [Certificate] = [],
        trustChains: (@Sendable (Date) async -> TrustChain?)? = nil
    ) {
        self.rule = rule
        self.original = original
        self.signer = signer
        self.header = header
        self.certificates = certificates
        self.trustChains = trustChains
    }

    /// The address of the response is the identifier; such requests are not signed.
    public static let redirectURI = ClientIdentity(.redirectURI, nil, signer: nil)

    /// An identifier that wallets know beforehand, with their metadata of the verifier.
    ///
    /// - Parameters:
    ///   - id: The whole identifier.
    ///   - signer: The registered key; nil for unsigned requests.
    ///   - keyID: Its name among the registered keys.
    public static func preRegistered(
        _ id: String,
        signer: (any Signer)? = nil,
        keyID: String? = nil
    ) -> ClientIdentity {
        let header: JSONObject = keyID.map { ["kid": .string($0)] } ?? [:]
        return ClientIdentity(.preRegistered, id, signer: signer, header: header)
    }

    /// A DID, whose document lists the signing key.
    ///
    /// - Throws: ``OID4VPVerifierError/Code/invalidRelyingParty`` for the key of another DID.
    public static func decentralizedIdentifier(
        key: DIDURL,
        signer: any Signer
    ) throws(OID4VPVerifierError) -> ClientIdentity {
        guard key.fragment != nil else { throw invalid("the DID URL names no key") }
        let header: JSONObject = ["kid": .string(key.text)]
        return ClientIdentity(.decentralizedIdentifier, key.did.text, signer: signer, header: header)
    }

    /// A DNS name of the signer's certificate.
    ///
    /// - Parameters:
    ///   - name: The name; it must also be the host of the response address.
    ///   - chain: The certificates from the signer's on, without the trust anchor.
    ///   - signer: The key of the first certificate.
    /// - Throws: ``OID4VPVerifierError/Code/invalidRelyingParty`` if the certificate lacks the name, or is that of
    ///   another key.
    public static func x509SANDNS(
        _ name: String,
        chain: [Certificate],
        signer: any Signer
    ) throws(OID4VPVerifierError) -> ClientIdentity {
        let leaf = try leaf(of: chain, signer)
        guard (try? leaf.subjectAlternativeName)?.containsDNSName(name) == true else {
            throw invalid("the certificate does not have the DNS name \"\(name)\"")
        }
        return ClientIdentity(.x509SANDNS, name, signer: signer, header: header(chain), certificates: chain)
    }

    /// A URI of the signer's certificate (drafts before 25).
    ///
    /// - Throws: ``OID4VPVerifierError/Code/invalidRelyingParty`` if the certificate lacks the URI, or is that of
    ///   another key.
    public static func x509SANURI(
        _ uri: String,
        chain: [Certificate],
        signer: any Signer
    ) throws(OID4VPVerifierError) -> ClientIdentity {
        let leaf = try leaf(of: chain, signer)
        guard (try? leaf.subjectAlternativeName)?.containsURI(uri) == true else {
            throw invalid("the certificate does not have the URI \"\(uri)\"")
        }
        return ClientIdentity(.x509SANURI, uri, signer: signer, header: header(chain), certificates: chain)
    }

    /// The hash of the signer's certificate.
    ///
    /// - Throws: ``OID4VPVerifierError/Code/invalidRelyingParty`` for the certificate of another key.
    public static func x509Hash(
        chain: [Certificate],
        signer: any Signer
    ) throws(OID4VPVerifierError) -> ClientIdentity {
        let hash = Base64URL.encode(try leaf(of: chain, signer).fingerprint)
        return ClientIdentity(.x509Hash, hash, signer: signer, header: header(chain), certificates: chain)
    }

    /// The subject of a verifier attestation, which confirms the signing key.
    ///
    /// - Parameters:
    ///   - attestation: The attestation in the compact serialization.
    ///   - signer: The key that it confirms.
    /// - Throws: ``OID4VPVerifierError/Code/invalidRelyingParty`` for an attestation without subject, or of another
    ///   key.
    public static func verifierAttestation(
        _ attestation: String,
        signer: any Signer
    ) throws(OID4VPVerifierError) -> ClientIdentity {
        let claims: JWTClaims
        let subject: String?
        let confirmed: PublicKey?
        do throws(JOSEError) {
            claims = try JWTClaims(decoding: try JWT(compact: attestation).jws.unverifiedPayload ?? [])
            subject = try claims.subject()
            confirmed = try claims["cnf"]?["jwk"].map { value throws(JOSEError) in try JWK(json: value).publicKey() }
        } catch {
            throw OID4VPVerifierError(
                .invalidRelyingParty,
                "the attestation cannot be read",
                path: ["attestation"],
                cause: error
            )
        }
        guard let subject, confirmed == signer.publicKey else {
            throw invalid("the attestation has no subject, or does not confirm the signer's key")
        }
        return ClientIdentity(.verifierAttestation, subject, signer: signer, header: ["jwt": .string(attestation)])
    }

    /// An entity of a federation, whose metadata as `openid_credential_verifier` list the signing key.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - signer: A key of the metadata.
    ///   - keyID: Its name among them.
    ///   - trustChain: The statements from the entity to the wallets' trust anchor, which requests bring along until the first of
    ///     them expires; nil for wallets that fetch them.
    /// - Throws: ``OID4VPVerifierError/Code/invalidRelyingParty`` for the chain of another entity.
    public static func federation(
        _ entity: EntityIdentifier,
        signer: any Signer,
        keyID: String,
        trustChain: TrustChain? = nil
    ) throws(OID4VPVerifierError) -> ClientIdentity {
        guard trustChain.map({ $0.statements.first?.unverifiedSubject == entity }) ?? true else {
            throw invalid("the trust chain is about another entity")
        }
        return federation(entity, signer: signer, keyID: keyID) { _ in trustChain }
    }

    /// An entity of a federation that asks for its trust chain anew with each request.
    ///
    /// ```swift
    /// let entity = try EntityIdentifier("https://shop.example")
    /// let resolver = TrustChainResolver(policy: FederationPolicy(anchors: [anchor]), transport: transport)
    /// let identity = ClientIdentity.federation(entity, signer: signer, keyID: "r1") { time in
    ///     try? await resolver.chain(of: entity, at: time)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - signer: A key of the metadata.
    ///   - keyID: Its name among them.
    ///   - trustChains: Returns the statements from the entity to the wallets' trust anchor, which the request of a time brings
    ///     along; nil for none. A chain that has expired is left out.
    public static func federation(
        _ entity: EntityIdentifier,
        signer: any Signer,
        keyID: String,
        trustChains: @escaping @Sendable (Date) async -> TrustChain?
    ) -> ClientIdentity {
        ClientIdentity(
            .federation,
            entity.text.text,
            signer: signer,
            header: ["kid": .string(keyID)],
            trustChains: trustChains
        )
    }

    /// The header parameters of an object that is signed at a time.
    func joseHeader(_ type: String, at time: Date) async throws(OID4VPVerifierError) -> JOSEHeader {
        var header = JOSEHeader(header)
        header["typ"] = .string(type)
        guard let chain = await trustChains?(time), chain.unverifiedExpirationTime > time else { return header }
        guard chain.statements.first?.unverifiedSubject.text.text == original else {
            throw Self.invalid("the trust chain is about another entity")
        }
        do throws(FederationError) {
            header["trust_chain"] = try chain.headerValue()
        } catch {
            throw OID4VPVerifierError(
                .invalidRelyingParty,
                "the trust chain cannot be written",
                path: ["client"],
                cause: error
            )
        }
        return header
    }

    private static func leaf(
        of chain: [Certificate],
        _ signer: any Signer
    ) throws(OID4VPVerifierError) -> Certificate {
        guard let leaf = chain.first else { throw invalid("the chain of certificates is empty") }
        guard (try? leaf.publicKey()) == signer.publicKey else {
            throw invalid("the first certificate is not that of the signer")
        }
        return leaf
    }

    private static func header(_ chain: [Certificate]) -> JSONObject {
        var header = JOSEHeader()
        header.setCertificateChain(chain.map(\.derBytes))
        return header.members
    }

    private static func invalid(_ message: String) -> OID4VPVerifierError {
        OID4VPVerifierError(.invalidRelyingParty, message, path: ["client"])
    }
}

extension ClientIdentity {
    /// The identifier in the form of a version, with the scheme of draft 21.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - address: The address of the response; nil for the Digital Credentials API.
    /// - Throws: ``OID4VPVerifierError/Code/invalidRequest`` for a rule that the version lacks.
    func identifier(
        for version: OpenID4VPVersion,
        address: String?
    ) throws(OID4VPVerifierError) -> (clientID: String, scheme: String?) {
        guard let original = original ?? address else {
            throw OID4VPVerifierError(.invalidRequest, "the client identifier needs an address", path: ["client_id"])
        }
        if version == .draft21 {
            guard let scheme = Self.schemes[rule] else { throw Self.unknown(version) }
            return (original, scheme)
        }
        if rule == .preRegistered { return (original, nil) }
        // These two are their own prefixes in the drafts.
        if version == .draft23, [.decentralizedIdentifier, .federation].contains(rule) { return (original, nil) }
        guard let prefix = Self.prefixes[rule], version != .v1 || rule != .x509SANURI else {
            throw Self.unknown(version)
        }
        return (prefix + ":" + original, nil)
    }

    private static func unknown(_ version: OpenID4VPVersion) -> OID4VPVerifierError {
        OID4VPVerifierError(.invalidRequest, "\(version.rawValue) has no such client identifier", path: ["client_id"])
    }

    private static let schemes: [ClientIdentifier.Rule: String] = [
        .preRegistered: "pre-registered", .redirectURI: "redirect_uri", .decentralizedIdentifier: "did",
        .verifierAttestation: "verifier_attestation", .x509SANDNS: "x509_san_dns", .x509SANURI: "x509_san_uri",
        .federation: "entity_id",
    ]
    private static let prefixes: [ClientIdentifier.Rule: String] = [
        .redirectURI: "redirect_uri", .decentralizedIdentifier: "decentralized_identifier",
        .verifierAttestation: "verifier_attestation", .x509SANDNS: "x509_san_dns", .x509SANURI: "x509_san_uri",
        .x509Hash: "x509_hash", .federation: "openid_federation",
    ]
}

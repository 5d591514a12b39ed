import CredentialTransport
public import JOSEKit
import JSONKit
import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The address of a key set, and what it depends on.
struct KeySetReference: Hashable, Sendable {
    let entity: EntityIdentifier
    let url: HTTPURL
    /// The thumbprints of the keys of which one signs the set; nil for a set that is not signed.
    let signers: Set<[UInt8]>?
}

/// A key set, and the time at which its publisher withdraws it.
struct PublishedKeySet: Sendable {
    let keys: JWKSet
    var expirationTime = Date.distantFuture
}

extension TrustChainResolver {
    /// The keys that an entity has for one of its types: by value, at `signed_jwks_uri`, or else at `jwks_uri` (OpenID
    /// Federation 1.0, section 5.2.1).
    ///
    /// - Parameters:
    ///   - type: The type of the entity, such as `openid_credential_verifier`.
    ///   - entity: The entity.
    ///   - keyID: The key that is sought; nil for any. A kept set without it is fetched again, at a limited rate.
    ///   - areRefused: Pass `true` if none of the kept keys has made a signature, so that they are fetched again.
    ///   - time: The time.
    /// - Throws: ``FederationError/Code/missingEntityType``, ``FederationError/Code/invalidKeySet``,
    ///   ``FederationError/Code/retrievalFailed``.
    public func keys(
        of type: String,
        _ entity: FederationEntity,
        with keyID: String? = nil,
        areRefused: Bool = false,
        at time: Date
    ) async throws(FederationError) -> JWKSet {
        try await keys(of: type, entity, with: keyID, areRefused: areRefused, at: time, within: newAllowance())
    }

    /// The keys that an entity has for one of its types, with what others have left of the requests.
    package func keys(
        of type: String,
        _ entity: FederationEntity,
        with keyID: String?,
        areRefused: Bool,
        at time: Date,
        within allowance: SearchAllowance
    ) async throws(FederationError) -> JWKSet {
        let metadata = try entity.metadata(of: type)
        if let value = metadata["jwks"] { return try JWKSet(public: value, .invalidKeySet) }
        let reference = try KeySetReference(metadata, of: entity)
        guard let transport else {
            throw FederationError(.retrievalFailed, "the keys are at \(reference.url), and nothing is fetched")
        }
        guard !allowance.isExhausted else {
            guard let kept = keySets.keptDocument(for: reference, at: time), !kept.isStale,
                kept.value.expirationTime.addingTimeInterval(policy.clockSkew) > time
            else { throw allowance.excess }
            return kept.value.keys
        }
        return try await keySets.document(
            for: reference,
            at: time,
            isCurrent: { $0.expirationTime.addingTimeInterval(policy.clockSkew) > time },
            isSufficient: { set in !areRefused && keyID.map { !set.keys.keys(withID: $0).isEmpty } ?? true },
            fetch: { () async throws(FederationError) in
                allowance.countRequest()
                let isSigned = reference.signers != nil
                // Only for a signed set there is but one media type (section 5.2.1).
                let response = try await transport.document(
                    at: reference.url,
                    types: isSigned ? [Self.signedSetType] : ["json", "jwk-set+json"],
                    HTTPLimits(maximumBodySize: limits.documentSize),
                    refusal: .invalidKeySet
                )
                let set =
                    isSigned
                    ? try signedKeys(response.body, of: entity, at: time)
                    : PublishedKeySet(keys: try plainKeys(response.body))
                return FetchedDocument(set, from: response)
            }
        ).value.keys
    }

    private static let signedSetType = "jwk-set+jwt"

    private func plainKeys(_ body: [UInt8]) throws(FederationError) -> JWKSet {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: body, limits: JSONLimits(size: limits.documentSize, depth: 64))
        } catch {
            throw FederationError(.invalidKeySet, "it is not JSON", path: ["jwks_uri"], cause: error)
        }
        return try JWKSet(public: value, .invalidKeySet)
    }

    /// Reads a set that the entity signed with one of its keys for statements.
    private func signedKeys(
        _ body: [UInt8],
        of entity: FederationEntity,
        at time: Date
    ) throws(FederationError) -> PublishedKeySet {
        let path = ["signed_jwks_uri"]
        let limits = JOSELimits(size: limits.documentSize)
        let token = try reading(.invalidKeySet, "the signed key set cannot be read", at: path) { () throws(JOSEError) in
            let token = try JWT(compact: body, limits: limits)
            guard try token.unverifiedHeader().keyID()?.isEmpty == false else {
                throw JOSEError(.invalidHeader, "the header names no key", path: ["kid"])
            }
            return token
        }
        let verification = token.verify(
            with: .jwkSet(entity.keys),
            policy: JWSVerificationPolicy(algorithms: policy.algorithms),
            claims: JWTClaimsPolicy(
                type: .oneOf([Self.signedSetType]),
                issuers: [entity.id.text],
                subject: entity.id.text,
                audience: .any,
                requiredClaims: ["iss", "sub", "keys"],
                clockSkew: policy.clockSkew,
                maximumNesting: 1
            ),
            at: time,
            limits: limits
        )
        switch verification.verdict {
        case .verified(let verified):
            return PublishedKeySet(
                keys: try JWKSet(public: .object(verified.claims.members), .invalidKeySet),
                expirationTime: (try? verified.claims.expirationTime()) ?? .distantFuture
            )
        case .refused(let refusal):
            throw FederationError(.invalidKeySet, "the signed key set does not verify", path: path, cause: refusal)
        }
    }
}

extension KeySetReference {
    /// The place of the keys that metadata do not hold themselves; signed ones come first.
    fileprivate init(_ metadata: JSONObject, of entity: FederationEntity) throws(FederationError) {
        let isSigned = metadata.contains("signed_jwks_uri")
        let name = isSigned ? "signed_jwks_uri" : "jwks_uri"
        guard let value = metadata[name] else {
            throw FederationError(.invalidKeySet, "\(entity.id) publishes no keys of this type", path: ["jwks"])
        }
        guard let text = value.stringValue, let url = try? HTTPURL(text), url.scheme == .https else {
            throw FederationError(.invalidKeySet, "it is no https URL", path: [name])
        }
        let signers = isSigned ? Set(entity.keys.keys.map { $0.thumbprint() }) : nil
        self.init(entity: entity.id, url: url, signers: signers)
    }
}

import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import OID4VPMessages
import OpenIDFederation
@_spi(Layers) import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The signer of a request, found and verified.
struct RequestSigner {
    /// The certificate chain, for the rules that have one.
    var chain: ValidatedCertificateChain?
    /// The addresses that an attestation limits responses to; nil for no such limit.
    var addresses: Set<ExactText>?
    /// The metadata of a client of a federation; nil for any other.
    var federated: FederatedClient?
    /// The algorithm of the signature.
    var algorithm: JWSAlgorithm?
    /// The certificates in the header, as received, where a profile demands something of them.
    var certificates: [Certificate] = []
}

extension RequestAuthenticator {
    /// Finds the key by the rule of the client, verifies the signature, and checks that the key belongs to the client.
    func signer(
        of object: ReceivedObject?,
        _ client: KnownClient?,
        _ searches: SearchAllowance?,
        _ checklist: inout Checklist
    ) async -> RequestSigner? {
        guard let object, let client else {
            for check in [Check.signature, .clientBinding] {
                checklist.record(check, .notApplicable("the request is not signed"))
            }
            return nil
        }
        let time = checklist.time
        let result = await checklist.check(.signature) { () async throws(CheckFault) in
            try await verified(object, client, searches, at: time)
        }
        guard var signer = result?.0 else { return nil }
        signer.chain = result?.1.certificateChain
        signer.algorithm = result?.1.algorithm
        if policy.profile != nil {
            let certificates = result.flatMap { try? $0.1.header.certificateChain() } ?? []
            signer.certificates = certificates.compactMap { try? Certificate(der: $0) }
        }
        checklist.check(.clientBinding) { () throws(CheckFault) in
            try requireNamed(client.identifier, by: signer.chain)
        }
        return signer
    }

    private func verified(
        _ object: ReceivedObject,
        _ client: KnownClient,
        _ searches: SearchAllowance?,
        at time: Date
    ) async throws(CheckFault) -> (RequestSigner, VerifiedJWS) {
        var signer = RequestSigner()
        let key: JWSKey
        switch client.identifier.rule {
        case .preRegistered: key = .jwkSet(try await keys(of: client.registration, object.header, at: time))
        case .decentralizedIdentifier: key = try await didKey(object.header, client.identifier, at: time)
        case .x509SANDNS, .x509SANURI, .x509Hash:
            guard let validator = policy.certificates else {
                throw .failed("unsupportedClientIdentifier", "the wallet trusts no certificates of verifiers")
            }
            key = .certificateChain(validatedBy: validator)
        case .verifierAttestation:
            let attestation = try attestation(object.header, client.identifier, at: time)
            signer.addresses = attestation.addresses
            key = attestation.key
        case .federation:
            let federated = try await federatedClient(client.identifier, object, searches, at: time)
            signer.federated = federated
            key = .jwkSet(federated.keys)
        case .redirectURI:
            throw .failed(.signatureRule, "a request of this client cannot be signed")
        }
        do throws(CheckFault) {
            return (signer, try verified(object, with: key, at: time))
        } catch {
            if signer.federated != nil, !object.header.contains("kid") {
                let renewed = try await federatedClient(
                    client.identifier,
                    object,
                    searches,
                    areRefused: true,
                    at: time
                )
                signer.federated = renewed
                return (signer, try verified(object, with: .jwkSet(renewed.keys), at: time))
            }
            if client.identifier.rule == .decentralizedIdentifier {
                // The key may have been replaced under its name.
                guard case .failed(.invalidSignature, _) = error.outcome,
                    let renewed = try? await didKey(object.header, client.identifier, isRenewed: true, at: time)
                else { throw error }
                return (signer, try verified(object, with: renewed, at: time))
            }
            guard let keys = await renewedKeys(of: client.registration, object.header, at: time) else {
                throw error
            }
            return (signer, try verified(object, with: .jwkSet(keys), at: time))
        }
    }

    private func verified(_ object: ReceivedObject, with key: JWSKey, at time: Date) throws(CheckFault) -> VerifiedJWS {
        let policy = JWSVerificationPolicy(algorithms: policy.algorithms)
        return try CheckFault.converting { () throws(JOSEError) in
            try object.jws.verify(signatureAt: object.index, with: key, policy: policy, at: time)
        }
    }

    // MARK: Registered keys

    /// The keys of a registered client: those that the wallet has, and the published ones where these lack the header's.
    private func keys(
        of client: RegisteredClient?,
        _ header: JOSEHeader,
        at time: Date
    ) async throws(CheckFault) -> JWKSet {
        let registered = client?.keys ?? JWKSet([])
        guard let url = client?.keysAddress else { return registered }
        let keyID = try CheckFault.converting { () throws(JOSEError) in try header.keyID() }
        if let keyID, !registered.keys(withID: keyID).isEmpty { return registered }
        do throws(OID4VPError) {
            return JWKSet(registered.keys + (try await clientKeys.keys(at: url, with: keyID, at: time)).keys)
        } catch {
            throw error.code == .keysNotRetrieved
                ? .unavailable(.issuerKeyNotFound, error.messageWithCause, path: error.path) : error.fault
        }
    }

    /// The keys of a registered client as they are published now, where the header names none and the kept ones have not made
    /// the signature; nil for any other client and header.
    private func renewedKeys(
        of client: RegisteredClient?,
        _ header: JOSEHeader,
        at time: Date
    ) async -> JWKSet? {
        guard let url = client?.keysAddress, (try? header.keyID()) == .some(nil) else { return nil }
        return try? await clientKeys.keys(at: url, with: nil, areRefused: true, at: time)
    }

    // MARK: Certificates

    private func requireNamed(
        _ client: ClientIdentifier,
        by chain: ValidatedCertificateChain?
    ) throws(CheckFault) {
        guard let leaf = chain?.leaf else { throw .notApplicable("the key was found by the client identifier") }
        let isNamed = try CheckFault.converting { () throws(CryptoError) -> Bool in
            switch client.rule {
            case .x509SANDNS:
                let names = try leaf.subjectAlternativeName?.dnsNames ?? []
                return !client.original.isEmpty && names.contains { client.isHost($0) }
            case .x509SANURI: return try leaf.subjectAlternativeName?.containsURI(client.original) == true
            case .x509Hash: return client.original.hasSameBytes(as: Base64URL.encode(leaf.fingerprint))
            default: return false
            }
        }
        guard isNamed else {
            throw .failed(.keyOfAnotherClient, "the certificate is not that of the client", path: ["x5c"])
        }
    }

    // MARK: DIDs

    /// The key of a DID that the header names.
    ///
    /// - Parameter isRenewed: Pass `true` for the key as it is published now.
    private func didKey(
        _ header: JOSEHeader,
        _ client: ClientIdentifier,
        isRenewed: Bool = false,
        at time: Date
    ) async throws(CheckFault) -> JWSKey {
        guard let resolver = policy.resolver else {
            throw .failed("unsupportedClientIdentifier", "the wallet resolves no DIDs")
        }
        let keyID = try CheckFault.converting { () throws(JOSEError) in try header.keyID() }
        guard let keyID else { throw .failed(.issuerKeyNotFound, "the header names no key", path: ["kid"]) }
        do throws(DIDError) {
            let did = try DID(client.original)
            let url = try DIDURL(keyID, relativeTo: did)
            guard url.did == did else {
                throw DIDError(.verificationMethodNotFound, "the key is one of another DID", path: ["kid"])
            }
            let method =
                isRenewed
                ? try await resolver.renewedDocument(of: did, at: time).requestMethod(url, at: time)
                : try await resolver.requestMethod(url, at: time)
            return .jwk(try method.jwk())
        } catch {
            throw error.code == .retrievalFailed
                ? .unavailable(.issuerKeyNotFound, error.messageWithCause, path: error.path) : error.fault
        }
    }

    // MARK: Attestations

    private func attestation(
        _ header: JOSEHeader,
        _ client: ClientIdentifier,
        at time: Date
    ) throws(CheckFault) -> (key: JWSKey, addresses: Set<ExactText>?) {
        let path = "verifier attestation"
        guard let text = header["jwt"]?.stringValue else {
            throw .failed(.issuerKeyNotFound, "the header has no verifier attestation", path: ["jwt"])
        }
        let limits = JOSELimits(size: options.limits.documentSize, depth: options.limits.depth)
        let (token, issuer) = try CheckFault.converting { () throws(JOSEError) in
            let token = try JWT(compact: text, limits: limits)
            return (token, try token.unverifiedIssuer(limits: limits))
        }
        guard let issuer, let keys = policy.attesters[ExactText(issuer)] else {
            throw .failed(.untrustedAttester, "the issuer of the attestation is not trusted", path: [path])
        }
        let verification = token.verify(
            with: keys,
            policy: JWSVerificationPolicy(algorithms: policy.algorithms),
            claims: JWTClaimsPolicy(
                type: .oneOf(["verifier-attestation+jwt"]),
                issuers: [ExactText(issuer)],
                subject: ExactText(client.original),
                audience: .any,
                requiredClaims: ["exp", "cnf"],
                clockSkew: policy.clockSkew,
                maximumNesting: 1
            ),
            at: time
        )
        if let refusal = verification.refusal { throw .failed(refusal.reason, refusal.message, path: [path]) }
        let claims = verification.verified?.claims
        let confirmation = try CheckFault.converting { () throws(JOSEError) in try claims?.confirmation() }
        guard case .key(let key) = confirmation else {
            throw .failed(.issuerKeyNotFound, "the attestation confirms no key", path: [path, "cnf"])
        }
        guard let value = claims?["redirect_uris"] else { return (.jwk(key), nil) }
        let addresses = value.arrayValue?.compactMap(\.stringValue) ?? []
        return (.jwk(key), Set(addresses.map(ExactText.init)))
    }
}

extension ClientIdentifier {
    /// Returns `true` for a DNS name that is the original identifier; the case of ASCII letters does not count.
    func isHost(_ name: String) -> Bool {
        func folded(_ text: String) -> [UInt8] {
            text.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        }
        return folded(original) == folded(name)
    }
}

extension DIDResolver {
    /// The method for a request; a kept document without it is asked for again.
    fileprivate func requestMethod(_ url: DIDURL, at time: Date) async throws(DIDError) -> VerificationMethod {
        let document = try await document(of: url.did, at: time)
        do throws(DIDError) {
            return try document.requestMethod(url, at: time)
        } catch {
            return try await renewedDocument(of: url.did, at: time).requestMethod(url, at: time)
        }
    }
}

extension DIDDocument {
    /// The method for a request: one of `verificationMethod` (section 5.9.3), or one that stands for authentication or for
    /// making claims alone.
    fileprivate func requestMethod(_ url: DIDURL, at time: Date) throws(DIDError) -> VerificationMethod {
        if verificationMethods.contains(where: { $0.id == url }) { return try verificationMethod(url, at: time) }
        do throws(DIDError) {
            return try verificationMethod(url, for: .authentication, at: time)
        } catch {
            return try verificationMethod(url, for: .assertionMethod, at: time)
        }
    }
}

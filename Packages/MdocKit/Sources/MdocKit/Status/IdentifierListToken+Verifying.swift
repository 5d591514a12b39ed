import COSEKit
public import CryptoCore
public import StatusListKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension IdentifierListToken {
    /// Verifies the token as the one of a reference.
    ///
    /// - Parameters:
    ///   - uri: The `uri` of the reference, which the token's `sub` must equal, byte for byte.
    ///   - anchors: The certificates that the token's x5chain must end at: the `certificate` of the reference, or that
    ///     of the authority which issued the credential's document signer.
    ///   - signers: The policy for the signer's certificate: the profile of Table B.9.
    ///   - policy: The policy for the token: algorithms, ages; ISO/IEC 18013-5 wants tokens to expire.
    ///   - now: The time.
    /// - Throws: A `StatusListError` whose code names the failed check. The checks are made in this order: type,
    ///   signer, algorithm, signature, required claims, subject, audience, times, list.
    public func verify(
        for uri: String,
        anchors: [Certificate],
        signers: CertificatePathPolicy = .statusListSigner,
        policy: StatusListPolicy = .mdoc,
        at now: Date = Date()
    ) throws(StatusListError) -> VerifiedIdentifierList {
        try requireType()
        let chain = try signer(anchors, signers, policy, at: now)
        let claims: CWTClaims
        do {
            let algorithms = COSEPolicy(algorithms: policy.cwtAlgorithms)
            let payload = try message.verify(with: chain.leafPublicKey, policy: algorithms).payload
            claims = try CWTClaims(decoding: payload, options: policy.limits.identifierListCBOR)
        } catch {
            throw StatusListError(identifierList: error)
        }
        return try VerifiedIdentifierList(claims, self, chain, for: uri, policy, at: now)
    }

    /// The type with and without `application/`, and as the draft of the second edition spells it in its example.
    private func requireType() throws(StatusListError) {
        let type: COSEContentType?
        do {
            type = try message.headers.protected.type()
        } catch {
            throw StatusListError(identifierList: error)
        }
        let known = ["identifierlist+cwt", "identfierlist+cwt"].flatMap { [$0, "application/" + $0] }
        guard case .mediaType(let text) = type, known.contains(text.lowercased()) else {
            throw .claim("typ", .wrongType, "typ is not \(Self.mediaType)")
        }
    }

    /// The chain in the header, in either bucket, up to one of the anchors.
    private func signer(
        _ anchors: [Certificate],
        _ signers: CertificatePathPolicy,
        _ policy: StatusListPolicy,
        at now: Date
    ) throws(StatusListError) -> ValidatedCertificateChain {
        let encoded: [ArraySlice<UInt8>]
        do {
            let maximum = policy.limits.certificates
            encoded = try message.headers.x5chain(maximumCount: maximum, allowingArrayOfOne: true)
        } catch {
            throw StatusListError(identifierList: error)
        }
        guard !encoded.isEmpty else {
            throw .claim("x5chain", .untrustedSigner, "the header carries no certificate chain")
        }
        let validator = CertificatePathValidator(anchors: anchors, policy: signers)
        do throws(Refusal) {
            return try validator.validate(encodedChain: encoded, at: now).get()
        } catch {
            throw .claim("x5chain", .untrustedSigner, "\(error)")
        }
    }
}

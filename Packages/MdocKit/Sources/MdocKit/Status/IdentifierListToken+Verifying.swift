import COSEKit
public import CryptoCore
public import StatusListKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension IdentifierListToken {
    /// The checks of a token, in their order.
    public static let checks: [Check] =
        [.type, .issuerTrust, .signature, .requiredClaims] + ClaimsRules.checks + [.identifierList]

    /// Verifies the token as the one of a reference.
    ///
    /// - Parameters:
    ///   - uri: The `uri` of the reference, which the token's `sub` must equal, byte for byte.
    ///   - anchors: The certificates that the token's x5chain must end at: the `certificate` of the reference, or that
    ///     of the authority which issued the credential's document signer.
    ///   - signers: The policy for the signer's certificate: the profile of Table B.9.
    ///   - policy: The policy for the token: algorithms, ages; ISO/IEC 18013-5 wants tokens to expire.
    ///   - time: The time.
    public func verify(
        for uri: String,
        anchors: [Certificate],
        signers: CertificatePathPolicy = .statusListSigner,
        policy: StatusListPolicy = .mdoc,
        at time: Date
    ) -> Verification<VerifiedIdentifierList> {
        var checklist = Checklist(Self.checks, at: time)
        checklist.check(.type) { () throws(CheckFault) in try requireType() }
        guard !checklist.isRefused else { return checklist.verification(of: nil) }
        let chain = checklist.check(.issuerTrust) { () throws(CheckFault) in
            try signer(anchors, signers, policy, at: time)
        }
        guard let chain else { return checklist.verification(of: nil) }
        let payload = checklist.check(.signature) { () throws(CheckFault) in
            try CheckFault.converting { () throws(COSEError) in
                try message.verify(with: chain.leafPublicKey, policy: COSEPolicy(algorithms: policy.cwtAlgorithms))
            }
        }
        guard let payload else { return checklist.verification(of: nil) }
        let claims = checklist.check(.requiredClaims) { () throws(CheckFault) in
            try IdentifierListClaims(payload.payload, policy.limits)
        }
        guard let claims else { return checklist.verification(of: nil) }
        policy.claimsRules(for: uri).check(claims.registered, in: &checklist)
        let content = checklist.check(.identifierList) { () throws(CheckFault) in try claims.content() }
        return checklist.verification(of: content.map { VerifiedIdentifierList(claims, $0, self, chain, for: uri) })
    }

    /// The type with and without `application/`, and as the draft of the second edition spells it in its example.
    private func requireType() throws(CheckFault) {
        let type = try CheckFault.converting { () throws(COSEError) in try message.headers.protected.type() }
        let known = ["identifierlist+cwt", "identfierlist+cwt"].flatMap { [$0, "application/" + $0] }
        guard case .mediaType(let text) = type, known.contains(text.lowercased()) else {
            throw .failed(.unexpectedType, "typ is not \(Self.mediaType)", path: ["typ"])
        }
    }

    /// The chain in the header, in either bucket, up to one of the anchors.
    private func signer(
        _ anchors: [Certificate],
        _ signers: CertificatePathPolicy,
        _ policy: StatusListPolicy,
        at time: Date
    ) throws(CheckFault) -> ValidatedCertificateChain {
        let encoded = try CheckFault.converting { () throws(COSEError) in
            try message.headers.x5chain(maximumCount: policy.limits.certificates, allowingArrayOfOne: true)
        }
        guard !encoded.isEmpty else {
            throw .failed(.issuerNotTrusted, "the header carries no certificate chain", path: ["x5chain"])
        }
        let validator = CertificatePathValidator(anchors: anchors, policy: signers)
        do throws(Refusal) {
            return try validator.validate(encodedChain: encoded, at: time).get()
        } catch {
            throw .failed(.issuerNotTrusted, "\(error)", path: ["x5chain"])
        }
    }
}

extension Check {
    /// The identifier list in the token has the structure of the standard.
    public static let identifierList: Check = "identifierList"
}

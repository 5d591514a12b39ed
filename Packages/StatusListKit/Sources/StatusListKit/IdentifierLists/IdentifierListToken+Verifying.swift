import COSEKit
public import CryptoCore
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
        let misspelling = checklist.check(.type) { () throws(CheckFault) in try requireType(policy) }
        guard let misspelling else { return checklist.verification(of: nil) }
        let certified = checklist.check(.issuerTrust) { () throws(CheckFault) in
            try policy.signer(in: message.headers, anchors: anchors, policy: signers, at: time)
        }
        guard let certified else { return checklist.verification(of: nil) }
        let signer = ListSigner(chain: certified.chain, deviations: misspelling + certified.deviations)
        for deviation in signer.deviations { checklist.add(deviation) }
        let payload = checklist.check(.signature) { () throws(CheckFault) in
            try CheckFault.converting { () throws(COSEError) in
                try message.verify(
                    with: signer.chain.leafPublicKey,
                    policy: COSEPolicy(algorithms: policy.cwtAlgorithms)
                )
            }
        }
        guard let payload else { return checklist.verification(of: nil) }
        let claims = checklist.check(.requiredClaims) { () throws(CheckFault) in
            try IdentifierListClaims(payload.payload, policy.limits)
        }
        guard let claims else { return checklist.verification(of: nil) }
        policy.claimsRules(for: uri).check(claims.token.registered, in: &checklist)
        let content = checklist.check(.identifierList) { () throws(CheckFault) in try claims.content() }
        return checklist.verification(
            of: content.map { VerifiedIdentifierList(claims.token, $0, self, signer, for: uri) }
        )
    }

    /// The type with and without `application/`.
    ///
    /// - Returns: The deviation of a type that is spelled as the draft of the second edition has it in its example.
    private func requireType(_ policy: StatusListPolicy) throws(CheckFault) -> [Deviation] {
        let type = try CheckFault.converting { () throws(COSEError) in try message.headers.protected.type() }
        guard case .mediaType(let text) = type else { throw Self.wrongType }
        switch text.lowercased() {
        case "identifierlist+cwt", "application/identifierlist+cwt": return []
        case "identfierlist+cwt", "application/identfierlist+cwt":
            guard policy.tolerances.contains(.misspelledType) else { throw Self.wrongType }
            return [Deviation(StatusListTolerance.misspelledType.description, at: ["typ"])]
        default: throw Self.wrongType
        }
    }

    private static var wrongType: CheckFault {
        .failed(.unexpectedType, "typ is not \(mediaType)", path: ["typ"])
    }
}

extension Check {
    /// The identifier list in the token has the structure of the standard.
    public static let identifierList: Check = "identifierList"
}

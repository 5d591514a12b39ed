import CryptoCore
import Foundation
import StatusListKit

/// An authority that certifies signers of status lists, valid for a year around ``TokenMaker/now``.
struct SignerPKI {
    let authority: CertificateAuthority
    let key: PrivateKey
    let certificate: Certificate

    static let day: TimeInterval = 86_400

    static func make() async throws -> SignerPKI {
        let authority = try await CertificateAuthority.root(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia authority"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: TokenMaker.now.addingTimeInterval(-400 * day)...TokenMaker.now.addingTimeInterval(400 * day)
        )
        let key = try PrivateKey.generate(.p256)
        let certificate = try await authority.issueStatusListSigner(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia status lists"),
            publicKey: key.publicKey,
            validity: TokenMaker.now.addingTimeInterval(-day)...TokenMaker.now.addingTimeInterval(day)
        )
        return SignerPKI(authority: authority, key: key, certificate: certificate)
    }

    /// A certificate for the signer's key with the given purposes, which may violate the profile.
    func certificate(purposes: [OID]) async throws -> Certificate {
        try await CertificateBuilder(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia status lists"),
            publicKey: key.publicKey,
            validity: TokenMaker.now.addingTimeInterval(-Self.day)...TokenMaker.now.addingTimeInterval(Self.day),
            extensions: [.keyUsage(.digitalSignature), .issuerAlternativeName([.uri("https://utopia.example")])]
                + (purposes.isEmpty ? [] : [.extendedKeyUsage(purposes)])
        ).issued(by: authority)
    }

    /// Trust in the authority, for signers of its status lists.
    var trust: StatusListKey {
        .certificates(anchors: [authority.certificate], policy: .statusListSigner)
    }
}

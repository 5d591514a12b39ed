import CryptoCore
import Foundation

/// The authorities of an mdoc ecosystem with keys that are the same in every run.
struct MdocFuzzPKI: Sendable {
    let authorityKey: PrivateKey
    let authority: CertificateAuthority
    let documentSignerKey: PrivateKey
    let documentSigner: Certificate
    let listSignerKey: PrivateKey
    let vicalSigner: Certificate
    let ricalSigner: Certificate
    let statusSigner: Certificate
    let readerAuthorityKey: PrivateKey
    let readerAuthority: CertificateAuthority
    let readerKey: PrivateKey
    let reader: Certificate

    init() async throws {
        let random = FuzzKeys.randomness(10)
        let day: TimeInterval = 86_400
        let start = FuzzKeys.time - day
        let long = start...start + 5 * 365 * day
        let short = start...start + 365 * day
        let name = try DistinguishedName(countryName: "UT", organizationName: "Utopia", commonName: "Utopia lists")
        authorityKey = try FuzzKeys.key(11)
        documentSignerKey = try FuzzKeys.key(12)
        listSignerKey = try FuzzKeys.key(13)
        readerAuthorityKey = try FuzzKeys.key(14)
        readerKey = try FuzzKeys.key(15)
        authority = try await CertificateAuthority.iaca(
            subject: DistinguishedName(countryName: "UT", organizationName: "Utopia", commonName: "Utopia IACA"),
            contact: .uri("https://utopia.example/iaca"),
            signer: SoftwareSigner(authorityKey),
            validity: long,
            using: random
        )
        documentSigner = try await authority.issueDocumentSigner(
            commonName: "Utopia document signer",
            publicKey: documentSignerKey.publicKey,
            validity: short,
            revocationListURI: "https://utopia.example/iaca.crl",
            using: random
        )
        statusSigner = try await authority.issueStatusListSigner(
            subject: name,
            publicKey: listSignerKey.publicKey,
            validity: short,
            using: random
        )
        readerAuthority = try await CertificateAuthority.root(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia reader CA"),
            signer: SoftwareSigner(readerAuthorityKey),
            validity: long,
            pathLength: 0,
            using: random
        )
        let listURI = "https://utopia.example/readers.crl"
        vicalSigner = try await readerAuthority.issueVICALSigner(
            subject: name,
            publicKey: listSignerKey.publicKey,
            validity: short,
            revocationListURI: listURI,
            using: random
        )
        ricalSigner = try await readerAuthority.issueRICALSigner(
            subject: name,
            publicKey: listSignerKey.publicKey,
            validity: short,
            revocationListURI: listURI,
            using: random
        )
        reader = try await readerAuthority.issueReader(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia reader"),
            publicKey: readerKey.publicKey,
            validity: short,
            revocationListURI: listURI,
            using: random
        )
    }
}

import CryptoCore
import Foundation
import JOSEKit
import JSONKit

/// A certificate authority with one signer.
struct TestAuthority {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let late = Date(timeIntervalSince1970: 1_900_000_000)
    let root: CertificateAuthority
    let leaf: Certificate
    let signer: SoftwareSigner
    let validator: CertificatePathValidator

    init() async throws {
        signer = try SoftwareSigner(PrivateKey.generate(.p256))
        root = try await CertificateAuthority.root(
            subject: try DistinguishedName(commonName: "Root"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: now - 1000...now + 1000
        )
        leaf = try await CertificateBuilder(
            subject: try DistinguishedName(commonName: "Signer"),
            publicKey: signer.publicKey,
            validity: now - 1000...now + 1000
        ).issued(by: root)
        validator = CertificatePathValidator(anchors: [root.certificate])
    }

    /// A header with the signer's certificate.
    func header() -> JOSEHeader {
        var header: JOSEHeader = ["alg": "ES256"]
        header.setCertificateChain([leaf.derBytes])
        return header
    }
}

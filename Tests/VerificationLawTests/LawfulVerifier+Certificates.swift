import CredentialTesting
import Credentials
import Foundation

extension LawfulVerifier {
    /// Certificate paths and revocation lists.
    static func certificates(_ pki: MdocTestPKI) async throws -> [LawfulVerifier] {
        let validator = CertificatePathValidator(anchors: [pki.iaca.certificate], policy: .mdocDocumentSigner)
        let builder = RevocationListBuilder(
            thisUpdate: time,
            nextUpdate: time + 86_400,
            number: 1,
            revokedCertificates: []
        )
        let list = try await builder.issued(by: pki.iaca)
        return [
            LawfulVerifier("certificate path", CertificatePathValidator.checks) {
                validator.validate(encodedChain: [pki.documentSigner.derBytes[...]], at: time)
            },
            LawfulVerifier("revocation list", CertificateRevocationList.checks) {
                list.verify(issuer: pki.iaca.certificate, at: time)
            },
        ]
    }
}

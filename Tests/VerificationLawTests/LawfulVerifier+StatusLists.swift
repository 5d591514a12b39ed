import CredentialTesting
import Credentials
import Foundation

extension LawfulVerifier {
    /// Tokens of status lists and identifier lists, lists that were kept, and a check of a user's own behind them.
    static func statusLists(_ pki: MdocTestPKI) async throws -> [LawfulVerifier] {
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        let certificate = try await pki.iaca.issueStatusListSigner(
            subject: DistinguishedName(countryName: "UT", commonName: "lists"),
            publicKey: signer.publicKey,
            validity: time...time + 86_400
        )
        let uri = "https://utopia.example/lists/1"
        let content = try StatusListContent(
            uri: uri,
            list: StatusList(count: 8, bits: .one),
            issuedAt: time,
            expirationTime: time + 3600
        )
        let key = StatusListKey.publicKey(signer.publicKey)
        let policy = StatusListPolicy(jwtAlgorithms: [.es256], cwtAlgorithms: [.es256])
        let tokens = [try await content.signedJWT(with: signer), try await content.signedCWT(with: signer)]
        let identifiers = try await IdentifierListContent(
            uri: uri,
            identifiers: [[1]],
            issuedAt: time,
            expirationTime: time + 3600
        )
        .signedCWT(x5chain: [certificate], with: signer)
        let anchors = [pki.iaca.certificate]
        let list = try tokens[0].verify(for: uri, with: key, policy: policy, at: time).get()
        let identifierList = try identifiers.verify(for: uri, anchors: anchors, at: time).get()
        return tokens.map { token in
            LawfulVerifier("status list token, \(token.form)", StatusListToken.checks) {
                token.verify(for: uri, with: key, policy: policy, at: time)
            }
        } + [
            LawfulVerifier("identifier list token", IdentifierListToken.checks) {
                identifiers.verify(for: uri, anchors: anchors, at: time)
            },
            LawfulVerifier("kept status list", [.validity, .issuedAt, .issuerTrust]) {
                list.verify(policy: policy, at: time)
            },
            LawfulVerifier("kept identifier list", [.validity, .issuedAt, .issuerTrust]) {
                identifierList.verify(policy: .mdoc, at: time)
            },
            LawfulVerifier("a user's check", ["own"]) {
                list.verify(policy: policy, at: time).checking("own") { _, _ in }
            },
        ]
    }
}

import Credentials
import Foundation

extension LawfulVerifier {
    /// A document with a linked-data proof; LinkedDataKit's own tests have credentials and presentations.
    static func linkedData() async throws -> [LawfulVerifier] {
        let signer = try SoftwareSigner(PrivateKey.generate(.ed25519))
        let did = try DID.key(signer.publicKey)
        let keyName = try DIDURL(did.text + "#" + did.identifier)
        let content = try W3CCredentialContent(
            issuer: did.text,
            subjects: [["id": .string(did.text), "name": "Erika"]],
            validFrom: time
        )
        let document = try await LinkedDataProver().sign(
            content.members,
            suite: .eddsaRDFC2022,
            options: LinkedDataProofOptions(verificationMethod: keyName, created: time),
            with: signer
        )
        let documents = LinkedDataVerifier(clock: { time })
        return [
            LawfulVerifier("linked-data document", LinkedDataVerifier.checks) {
                await documents.verify(document, expecting: LinkedDataExpectation())
            }
        ]
    }
}

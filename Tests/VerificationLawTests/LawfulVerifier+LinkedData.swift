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
        let disclosed = try await disclosedDocument()
        return [
            LawfulVerifier("linked-data document", LinkedDataVerifier.checks) {
                await documents.verify(document, expecting: LinkedDataExpectation())
            },
            LawfulVerifier("disclosed linked-data document", LinkedDataVerifier.checks) {
                await documents.verify(disclosed, expecting: LinkedDataExpectation())
            },
        ]
    }

    /// A document with a derived proof.
    private static func disclosedDocument() async throws -> SecuredDocument {
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        let did = try DID.key(signer.publicKey)
        let content = try W3CCredentialContent(
            issuer: did.text,
            subjects: [["id": .string(did.text), "name": "Erika"]],
            validFrom: time
        )
        let options = LinkedDataProofOptions(
            verificationMethod: try DIDURL(did.text + "#" + did.identifier),
            created: time
        )
        let prover = LinkedDataProver()
        let base = try await prover.sign(content.members, suite: .ecdsaSD2023, options: options, with: signer)
        return try prover.derive(from: base, revealing: [JSONPointer("/credentialSubject/name")])
    }
}

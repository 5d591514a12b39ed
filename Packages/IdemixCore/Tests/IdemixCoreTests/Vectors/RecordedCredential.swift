import Foundation
import IdemixCore
import TestSupport
import Testing

/// One credential of a recorded wallet.
struct RecordedCredential {
    let json: JSON

    func check() throws {
        let publicKey = try RecordedKeys.publicKey(json.publicKey)
        let attributes = try json.attributes.array.map { try $0.decimalInteger() }
        let signature = CLSignature(
            A: try json.signature.A.decimalInteger(),
            e: try json.signature.e.decimalInteger(),
            v: try json.signature.v.decimalInteger(),
            keyshareP: json.signature.keyshareP.isNull ? nil : try json.signature.keyshareP.decimalInteger()
        )
        let witness =
            json.nonRevocationWitness.isNull
            ? nil : try json.nonRevocationWitness.read(ReceivedWitness.self).verified(by: publicKey)
        let credential = Result {
            try IdemixCredential(
                publicKey: publicKey,
                signature: signature,
                secretKey: IdemixHolderSecretKey(attributes[0]),
                attributes: Array(attributes.dropFirst()),
                witness: witness
            )
        }
        #expect(((try? credential.get()) != nil) == json.clSignatureVerifies.bool)
        guard let credential = try? credential.get() else { return }
        #expect(credential.hash.hex == json.hash.text)
        try checkMetadata(credential.metadata())
        try checkValues(credential)
    }

    private func checkMetadata(_ metadata: MetadataAttribute) throws {
        #expect(metadata.encoding.rawValue == json.metadata.version.int)
        #expect(Int(metadata.keyCounter) == json.metadata.keyCounter.int)
        #expect(Int(metadata.validityWeeks) == json.metadata.validityWeeks.int)
        #expect(Int(metadata.signingDate.timeIntervalSince1970) == json.metadata.signingDate.int)
        #expect(Int(metadata.expiryDate.timeIntervalSince1970) == json.metadata.expiry.int)
        #expect(metadata.describes(credentialType: try #require(json.type.text)))
    }

    /// Each printed value is that of one of the attributes.
    private func checkValues(_ credential: IdemixCredential) throws {
        let encoding = try credential.metadata().encoding
        let texts = credential.attributes.dropFirst().map { try? encoding.text(of: $0) }
        let blind = credential.attributes.dropFirst().map { AttributeEncoding.randomBlindText(of: $0) }
        for (name, value) in json.attributeValues.object {
            guard let value = value.text else { continue }
            #expect(texts.contains(value) || blind.contains(value), "\(name)")
        }
    }
}

import CBORKit
import CryptoCore
import Foundation
import IdemixCore

/// An issuer with one credential, made when the fuzzer starts, whose proof is then changed in every way.
struct IdemixFuzzScene: Sendable {
    static let shared: IdemixFuzzScene = {
        do { return try IdemixFuzzScene() } catch { fatalError("\(error)") }
    }()

    let publicKey: IdemixIssuerPublicKey
    let secretKey: IdemixHolderSecretKey
    let attributes: [BigInteger]
    /// The credential as its holder stores it.
    let storedCredential: [UInt8]
    /// An update that the issuer signed.
    let update: [UInt8]
    private let genuine: IdemixDisclosureProof

    private init() throws {
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        let keys = try IdemixIssuerKeyPair.generate(
            .bits1024,
            counter: 1,
            expiryDate: .distantFuture,
            baseCount: 5,
            using: FuzzKeys.randomness(80)
        )
        let unsigned = try RevocationAuthority.prepare(keys: keys, at: date)
        let signature = try keys.privateKey.revocationSigner().signature(for: unsigned.bytesToSign)
        let authority = try unsigned.completed(with: signature)
        let witness = try authority.makeWitness()
        let metadata = try MetadataAttribute(
            credentialType: "fuzz.issuer.type",
            keyCounter: 1,
            signedAt: date,
            expiresAt: date + 1e7
        )
        let attributes = [metadata.integer, AttributeEncoding.version3.integer(for: "a"), witness.e]
        let secretKey = IdemixHolderSecretKey.random()
        let builder = IdemixProofListBuilder()
        let pending = try builder.addIssuance(publicKey: keys.publicKey, secretKey: secretKey)
        let expectation = IdemixProofExpectation.issuance(IdemixIssuanceExpectation(publicKey: keys.publicKey))
        let verified = try builder.prove(challenge: IdemixChallenge(nonce: 1))
            .verify(expecting: [expectation], challenge: IdemixChallenge(nonce: 1), at: date).get()
        guard case .issuance(let commitment)? = verified.proofs.first else { throw CocoaError(.coderInvalidValue) }
        let issued = try IdemixIssuer(keys: keys)
            .sign(attributes: attributes, commitment: commitment, nonce: 2, witness: witness.message)
        let credential = try pending.finish(with: issued, attributes: attributes, revocationIndex: 3, nonce: 2)
        let showing = IdemixProofListBuilder()
        try showing.add(IdemixDisclosureRequest(credential, disclosing: [2], provingNonRevocation: true))
        guard case .disclosure(let proof)? = try showing.prove(challenge: IdemixChallenge(nonce: 42)).proofs.first
        else {
            throw CocoaError(.coderInvalidValue)
        }
        publicKey = keys.publicKey
        self.secretKey = secretKey
        self.attributes = attributes
        storedCredential = credential.encoded().withUnsafeBytes { [UInt8]($0) }
        update = try authority.update(lastEvents: 4).cborEncoded()
        genuine = proof
    }

    /// With the number of attributes that the credential has: one more, disclosed with the value zero, would change nothing.
    var expectation: IdemixProofExpectation {
        .disclosure(
            IdemixDisclosureExpectation(
                publicKey: publicKey,
                attributeCount: 2,
                nonRevocation: .required(index: 3)
            )
        )
    }

    /// The genuine proof with changes that the bytes describe: which number, how, and with what; and whether it says the same.
    func proof(changedBy input: [UInt8]) -> (proof: IdemixProof, isUnchanged: Bool) {
        var numbers = IdemixProofNumbers(genuine)
        var rest = input[...]
        while let target = rest.popFirst(), let how = rest.popFirst(), let count = rest.popFirst() {
            let operand = BigInteger(bytes: rest.prefix(Int(count)))
            rest = rest.dropFirst(Int(count))
            numbers.change(Int(target), how: Int(how), operand: operand, n: publicKey.elements.n)
        }
        let changed = numbers.proof
        // The credential has no attribute for the last base; a hidden one with the response zero adds nothing, and may be there.
        numbers.dropZeroResponse(forAttribute: publicKey.elements.R.count - 1)
        return (.disclosure(changed), numbers.proof == genuine)
    }
}

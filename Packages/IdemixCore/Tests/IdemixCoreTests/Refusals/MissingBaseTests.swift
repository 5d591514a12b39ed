import CryptoCore
import IdemixCore
import TestSupport
import Testing

/// A factor without a base in the key is refused: no product is computed without it.
@Suite struct MissingBaseTests {
    let world: TestWorld
    let credential: IdemixCredential

    init() throws {
        world = try TestWorld()
        let authority = try RevocationAuthority(
            keys: world.keys,
            at: world.publicKey.expiryDate,
            using: world.randomness
        )
        credential = try world.issue(try TestWorld.attributes(["a"]), authority: authority)
    }

    /// The key without the material for revocation.
    private func plainKey() throws -> IdemixIssuerPublicKey {
        let elements = world.publicKey.elements
        return try IdemixIssuerPublicKey(
            counter: 1,
            expiryDate: world.publicKey.expiryDate,
            elements: IdemixKeyElements(n: elements.n, Z: elements.Z, S: elements.S, R: elements.R)
        )
    }

    @Test func refusesToProveNonRevocationWithoutGAndH() throws {
        let plain = try IdemixCredential(
            publicKey: plainKey(),
            signature: credential.signature,
            secretKey: world.secretKey,
            attributes: credential.attributes,
            witness: credential.witness
        )
        let request = try IdemixDisclosureRequest(plain, disclosing: [2], provingNonRevocation: true)
        #expect(code { _ = try PreparedIdemixDisclosure(request) } == .revocationNotSupported)
        let builder = IdemixProofListBuilder()
        var refusal: IdemixError.Code?
        do throws(IdemixError) { try builder.add(request) } catch { refusal = error.code }
        #expect(refusal == .revocationNotSupported)
        #expect(try builder.contributions.isEmpty)
    }

    @Test func refusesToVerifyNonRevocationWithoutGAndH() throws {
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(credential, disclosing: [2], provingNonRevocation: true))
        let expectation = IdemixDisclosureExpectation(publicKey: try plainKey(), nonRevocation: .required(index: 3))
        let verdict = try builder.prove(nonce: 42).verify(expecting: [.disclosure(expectation)], nonce: 42)
        #expect(verdict.failedCheck == .status)
    }

    @Test func refusesRandomBlindIndicesWithoutABase() throws {
        let builder = IdemixProofListBuilder(using: world.randomness)
        _ = try builder.addIssuance(publicKey: world.publicKey, secretKey: world.secretKey)
        let list = try builder.prove(nonce: 42)
        let proof = try list.firstIssuance()
        let count = world.publicKey.elements.R.count
        for index in [count, 900, 1, 0, -1] {
            let changed = IdemixProofList([.issuance(proof.changed(attributeResponses: [index: 5]))])
            let expectation = IdemixIssuanceExpectation(publicKey: world.publicKey, blindIndices: [index])
            #expect(changed.verify(expecting: [.issuance(expectation)], nonce: 42).failedCheck == .indices)
        }
    }
}

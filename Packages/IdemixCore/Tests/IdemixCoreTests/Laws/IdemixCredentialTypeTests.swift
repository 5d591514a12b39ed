import Foundation
import IdemixCore
import TestSupport
import Testing

/// Expectations from the metadata of a proof, and the verified content that names its key and type.
@Suite struct IdemixCredentialTypeTests {
    let world: TestWorld
    let type: IdemixCredentialType
    let list: IdemixProofList
    var catalog = IdemixCredentialTypeCatalog()

    init() throws {
        world = try TestWorld()
        type = try IdemixCredentialType(identifier: "test.issuer.type", attributeCount: 2, keyshareServer: "test")
        list = try world.show(try world.issue(try TestWorld.attributes(["a", "b"])), disclosing: [2])
        catalog.add(type, publicKeys: [world.publicKey])
    }

    private func refusal(_ list: IdemixProofList, _ catalog: IdemixCredentialTypeCatalog) -> IdemixError? {
        do throws(IdemixError) {
            _ = try list.disclosureExpectations(from: catalog)
            return nil
        } catch {
            return error
        }
    }

    @Test func findsTypeAndKeyByTheMetadata() throws {
        let expectations = try list.disclosureExpectations(from: catalog)
        #expect(expectations.count == 1)
        #expect(expectations[0].publicKey == world.publicKey)
        #expect(expectations[0].credentialType == type)
        #expect(expectations[0].attributeCount == 2)
        #expect(expectations[0].keyshareServer == "test")
        #expect(expectations[0].nonRevocation == .absent)
        let verification = list.verify(expecting: expectations.map { .disclosure($0) }, nonce: 42)
        let shown = try #require(try verification.get().disclosures.first)
        #expect(shown.publicKey == world.publicKey)
        #expect(shown.credentialType == type)
        #expect(shown.metadata == (try list.firstDisclosure().metadata()))
        #expect(verification.checks.first { $0.check == .credentialType }?.outcome == .passed)
    }

    @Test func namesTheProofWhoseTypeOrKeyIsUnknown() throws {
        let two = IdemixProofList(list.proofs + list.proofs)
        #expect(refusal(two, IdemixCredentialTypeCatalog())?.code == .unknownCredentialType)
        var keyless = IdemixCredentialTypeCatalog()
        keyless.add(type, publicKeys: [])
        #expect(refusal(two, keyless)?.code == .unknownKey)
        #expect(refusal(two, keyless)?.path == ["proofs[0]", "metadata"])
        let proof = try list.firstDisclosure()
        let hidden = proof.changed(disclosedAttributes: proof.disclosedAttributes.filter { $0.key != 1 })
        let mixed = IdemixProofList(list.proofs + [.disclosure(hidden)])
        #expect(refusal(mixed, catalog)?.code == .invalidAttribute)
        #expect(refusal(mixed, catalog)?.path == ["proofs[1]", "metadata"])
    }

    @Test func asksNoKeyOfASourceThatAnswersWithAnother() throws {
        struct Confused: IdemixCredentialTypeSource {
            let type: IdemixCredentialType
            let key: IdemixIssuerPublicKey
            func credentialType(hash: [UInt8]) -> IdemixCredentialType? { type }
            func publicKey(of type: IdemixCredentialType, counter: UInt) -> IdemixIssuerPublicKey? { key }
        }
        let other = try IdemixCredentialType(identifier: "test.issuer.other", attributeCount: 2)
        let proof = try list.firstDisclosure()
        #expect(
            code { _ = try IdemixDisclosureExpectation(for: proof, from: Confused(type: other, key: world.publicKey)) }
                == .unknownCredentialType
        )
        let (p, q) = world.keys.privateKey.factors
        let key = try IdemixIssuerKeyPair.make(p: p, q: q, counter: 2, expiryDate: .distantFuture, baseCount: 7)
            .publicKey
        #expect(
            code { _ = try IdemixDisclosureExpectation(for: proof, from: Confused(type: type, key: key)) }
                == .unknownKey
        )
    }

    @Test func refusesCredentialsOfAnotherType() throws {
        let other = try IdemixCredentialType(identifier: "test.issuer.other", attributeCount: 2)
        let expectation = IdemixDisclosureExpectation(publicKey: world.publicKey, credentialType: other)
        let verification = list.verify(expecting: [.disclosure(expectation)], nonce: 42)
        #expect(verification.refusal?.check == .credentialType)
        #expect(verification.refusal?.reason == .unexpectedType)
    }

    @Test func comparesNamesByTheirBytes() throws {
        // The same letter, composed and decomposed.
        let (composed, decomposed) = ("caf\u{e9}.a.b", "cafe\u{301}.a.b")
        #expect(
            try IdemixCredentialType(identifier: composed, attributeCount: 1)
                != IdemixCredentialType(identifier: decomposed, attributeCount: 1)
        )
        #expect(
            try IdemixCredentialType(identifier: "a.b.c", attributeCount: 1, keyshareServer: composed)
                != IdemixCredentialType(identifier: "a.b.c", attributeCount: 1, keyshareServer: decomposed)
        )
    }

    @Test func refusesTypesThatCannotBe() {
        func refusal(_ count: Int, _ blind: Set<Int> = [], _ revocation: Int? = nil) -> IdemixError.Code? {
            code {
                _ = try IdemixCredentialType(
                    identifier: "a.b.c",
                    attributeCount: count,
                    blindIndices: blind,
                    revocationIndex: revocation
                )
            }
        }
        #expect(refusal(2, [2, 3], 3) == nil)
        #expect(refusal(-1) == .invalidAttributeCount)
        #expect(refusal(.max) == .invalidAttributeCount)
        #expect(refusal(2, [1]) == .invalidIndices)
        #expect(refusal(2, [4]) == .invalidIndices)
        #expect(refusal(2, [], 4) == .invalidIndices)
    }

    @Test func shiftsMetadataByAWeekWithTheSameExpiry() throws {
        let metadata = try list.firstDisclosure().metadata()
        let weeks = metadata.neighboringWeeks
        #expect(weeks.map { Int($0.signingWeek) - Int(metadata.signingWeek) } == [-1, 1])
        #expect(weeks.allSatisfy { $0.expiryDate == metadata.expiryDate && $0.keyCounter == metadata.keyCounter })
        // Neither before the first week nor after the expiry.
        let short = try MetadataAttribute(
            credentialType: "a.b.c",
            keyCounter: 1,
            signedAt: Date(timeIntervalSince1970: 0),
            expiresAt: Date(timeIntervalSince1970: 0)
        )
        #expect(short.neighboringWeeks.isEmpty)
    }
}

import CryptoCore
import IdemixCore
import TestSupport
import Testing

@Suite struct IssueShowVerifyTests {
    @Test(arguments: IdemixSystemParameters.all)
    func whatIsIssuedCanBeShown(parameters: IdemixSystemParameters) throws {
        let world = try TestWorld(parameters)
        let long = String(repeating: "an attribute that is signed as its hash ", count: 4)
        let credential = try world.issue(try TestWorld.attributes(["Alice", nil, "", long]))
        for disclosed: Set<Int> in [[], [2, 5], [2, 3, 4, 5]] {
            let list = try world.show(credential, disclosing: disclosed)
            let verified = try #require(list.verify(expecting: [world.expectation], nonce: 42).verified)
            guard case .disclosure(let shown) = verified.proofs[0] else { throw TestFailure("no disclosure") }
            #expect(Set(shown.attributes.keys) == disclosed.union([1]))
            #expect(shown.attributes.allSatisfy { $0.value == credential.attributes[$0.key - 1] })
            #expect(shown.lastIndex == 5)
        }
    }

    /// Attributes that the credential type gained after the issuance.
    @Test func attributesBehindTheLastAreShownAsZero() throws {
        let world = try TestWorld()
        let capacity = world.publicKey.attributeCapacity + 1
        let credential = try world.issue(try TestWorld.attributes(["a", "b"]))
        let padded = try credential.padded(to: capacity)
        #expect(padded.attributes == credential.attributes + Array(repeating: 0, count: capacity - 3))
        #expect(padded.hash == credential.hash)
        for disclosed: Set<Int> in [[], [2, capacity], Set(2...capacity)] {
            let list = try world.show(padded, disclosing: disclosed)
            let verified = try #require(list.verify(expecting: [world.expectation], nonce: 42).verified)
            guard case .disclosure(let shown) = verified.proofs[0] else { throw TestFailure("no disclosure") }
            #expect(shown.lastIndex == capacity)
            #expect(shown.attributes.allSatisfy { $0.value == padded.attributes[$0.key - 1] })
        }
        #expect(try credential.padded(to: 2).attributes == credential.attributes)
        #expect(code { _ = try credential.padded(to: capacity + 1) } == .invalidAttributeCount)
    }

    @Test func paddingKeepsTheRevocationAttribute() throws {
        let world = try TestWorld()
        let authority = try RevocationAuthority(keys: world.keys, at: TestWorld.time, using: world.randomness)
        let credential = try world.issue(try TestWorld.attributes(["a"]), authority: authority)
        let padded = try credential.padded(to: 4)
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(padded, disclosing: [4], provingNonRevocation: true))
        var expectation = IdemixDisclosureExpectation(publicKey: world.publicKey)
        expectation.nonRevocation = .required(index: 3, minimumAccumulatorIndex: 0)
        let list = try builder.prove(nonce: 42)
        #expect(list.verify(expecting: [.disclosure(expectation)], nonce: 42).verified != nil)
    }

    @Test func anySubsetCanBeShown() throws {
        let world = try TestWorld()
        let credential = try world.issue(try TestWorld.attributes(["a", nil, "c", "d"]))
        for subset in 0..<16 {
            let disclosed = Set((0..<4).filter { subset >> $0 & 1 == 1 }.map { $0 + 2 })
            let list = try world.show(credential, disclosing: disclosed)
            let verified = try #require(list.verify(expecting: [world.expectation], nonce: 42).verified)
            guard case .disclosure(let shown) = verified.proofs[0] else { throw TestFailure("no disclosure") }
            #expect(Set(shown.attributes.keys) == disclosed.union([1]))
        }
    }

    @Test(arguments: 1...14)
    func randomCredentialsVerifyAndNothingElseDoes(seed: UInt64) throws {
        let parameters = IdemixSystemParameters.all[seed <= 10 ? 0 : seed <= 13 ? 1 : 2]
        let world = try TestWorld(parameters, seed: seed)
        var generator = RepeatableRandomNumberGenerator(seed: seed)
        let count = Int.random(in: 0...4, using: &generator)
        let texts = (0..<count).map { _ in Bool.random(using: &generator) ? String(UInt64.random(in: 0...(.max))) : nil
        }
        let attributes = try TestWorld.attributes(texts)
        let disclosed = Set((2..<(2 + count)).filter { _ in Bool.random(using: &generator) })
        let kind = IdemixChallenge.Kind.allCases.randomElement(using: &generator) ?? .proof
        let credential = try world.issue(attributes)
        let list = try world.show(credential, disclosing: disclosed, kind: kind)
        func verifies(
            _ list: IdemixProofList,
            nonce: BigInteger = 42,
            context: BigInteger = 1,
            kind: IdemixChallenge.Kind
        ) -> Bool {
            list.verify(
                expecting: [world.expectation],
                challenge: IdemixChallenge(context: context, nonce: nonce, kind: kind),
                at: TestWorld.time
            ).verified != nil
        }
        #expect(verifies(list, kind: kind))
        #expect(!verifies(list, nonce: 43, kind: kind))
        #expect(!verifies(list, context: 2, kind: kind))
        #expect(!verifies(list, kind: kind == .proof ? .signature : .proof))
        let proof = try list.firstDisclosure()
        var changed = [
            proof.changed(challenge: proof.challenge + 1),
            proof.changed(A: (proof.A * 4)),
            proof.changed(eResponse: proof.eResponse + 1),
            proof.changed(vResponse: proof.vResponse + 1),
        ]
        for (index, response) in proof.attributeResponses {
            changed.append(proof.settingResponse(index, to: response + 1))
        }
        for (index, attribute) in proof.disclosedAttributes {
            changed.append(proof.settingAttribute(index, to: attribute + 1))
        }
        changed += [moving(proof, 1, to: 2 + count), moving(proof, 0, to: 2 + count)]
        changed.append(proof.changed(attributeResponses: proof.attributeResponses.filter { $0.key != 0 }))
        for proof in changed { #expect(!verifies(IdemixProofList([.disclosure(proof)]), kind: kind)) }
    }

    /// The proof with what belongs to one index put under another.
    private func moving(_ proof: IdemixDisclosureProof, _ index: Int, to other: Int) -> IdemixDisclosureProof {
        func moving(_ numbers: [Int: BigInteger]) -> [Int: BigInteger] {
            Dictionary(uniqueKeysWithValues: numbers.map { ($0.key == index ? other : $0.key, $0.value) })
        }
        return proof.changed(
            attributeResponses: moving(proof.attributeResponses),
            disclosedAttributes: moving(proof.disclosedAttributes)
        )
    }

    @Test func anotherKeyDoesNotVerify() throws {
        let world = try TestWorld()
        let list = try world.show(try world.issue(try TestWorld.attributes(["a"])), disclosing: [2])
        let (p, q) = world.keys.privateKey.factors
        let other = try IdemixIssuerKeyPair.make(
            p: p,
            q: q,
            counter: 2,
            expiryDate: world.publicKey.expiryDate,
            baseCount: 7
        )
        let expectation = IdemixProofExpectation.disclosure(IdemixDisclosureExpectation(publicKey: other.publicKey))
        // The metadata names the key 1.
        #expect(list.verify(expecting: [expectation], nonce: 42).failedCheck == .issuerKey)
        let same = try IdemixIssuerKeyPair.make(
            p: p,
            q: q,
            counter: 1,
            expiryDate: world.publicKey.expiryDate,
            baseCount: 7
        )
        let sameCounter = IdemixProofExpectation.disclosure(IdemixDisclosureExpectation(publicKey: same.publicKey))
        #expect(list.verify(expecting: [sameCounter], nonce: 42).failedCheck == .proof)
    }

    @Test func randomBlindAttributesBelongToNeitherParty() throws {
        let world = try TestWorld()
        var attributes = try TestWorld.attributes(["vote", nil])
        attributes[2] = 0
        let credential = try world.issue(attributes, blindIndices: [3])
        #expect(credential.attributes[2].bitCount > 200)
        let list = try world.show(credential, disclosing: [3])
        #expect(list.verify(expecting: [world.expectation], nonce: 42).verified != nil)
    }

    @Test func proofsOfOneCredentialCannotBeLinked() throws {
        let world = try TestWorld()
        let credential = try world.issue(try TestWorld.attributes(["a"]))
        let first = try world.show(credential, disclosing: [2]).firstDisclosure()
        let second = try world.show(credential, disclosing: [2]).firstDisclosure()
        #expect(first.A != second.A)
        #expect(first.vResponse != second.vResponse)
        #expect(first.attributeResponses[0] != second.attributeResponses[0])
    }

    @Test func randomizedSignaturesStayValid() throws {
        let world = try TestWorld()
        let credential = try world.issue(try TestWorld.attributes(["a"]))
        let integers = [world.secretKey.secretInteger] + credential.attributes
        for _ in 0..<4 {
            let randomized = credential.signature.randomized(publicKey: world.publicKey, using: world.randomness)
            #expect(randomized.A != credential.signature.A)
            let verified = try randomized.verify(
                attributes: integers,
                publicKey: world.publicKey,
                using: world.randomness
            )
            #expect(verified.signature == randomized)
        }
    }

    @Test func withoutASourceOfItsOwnEverythingIsDrawnAfresh() throws {
        let world = try TestWorld()
        let builder = IdemixProofListBuilder()
        _ = try builder.addIssuance(publicKey: world.publicKey, secretKey: world.secretKey)
        let U = try builder.prove(nonce: 1).firstIssuance().U
        let signatures = try (0..<2).map { _ in
            try IdemixIssuer(keys: world.keys).sign(attributes: TestWorld.attributes(["a"]), commitment: U, nonce: 1)
        }
        #expect(signatures[0].signature.e != signatures[1].signature.e)
        #expect(signatures[0].signature.v != signatures[1].signature.v)
        #expect(signatures[0].proof.eResponse != signatures[1].proof.eResponse)
        #expect(IdemixHolderSecretKey.random().secretInteger != IdemixHolderSecretKey.random().secretInteger)
        #expect(KeyshareSecret.random().secretInteger != KeyshareSecret.random().secretInteger)
    }
}

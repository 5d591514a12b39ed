import CryptoCore
import IdemixCore
import TestSupport
import Testing

/// Every received integer, a megabyte long: refused before any power is computed.
@Suite struct HugeNumberTests {
    static let huge = BigInteger.powerOfTwo(8 << 20)
    let world: TestWorld

    init() throws {
        world = try TestWorld()
    }

    private func expectRefusal(_ name: String, _ isRefused: () -> Bool) {
        let count = PowerCount()
        let refused = count.during(isRefused)
        #expect(refused, "\(name)")
        #expect(count.powers == 0, "\(name)")
    }

    @Test func refusesDisclosures() throws {
        let authority = try RevocationAuthority(
            keys: world.keys,
            at: world.publicKey.expiryDate,
            using: world.randomness
        )
        let credential = try world.issue(try TestWorld.attributes(["a"]), authority: authority)
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(credential, disclosing: [2], provingNonRevocation: true))
        let proof = try builder.prove(nonce: 42).firstDisclosure()
        let own = try #require(proof.nonRevocation)
        let huge = Self.huge
        func changing(_ Cr: BigInteger?, _ Cu: BigInteger?, _ responses: [BigInteger?]) -> IdemixDisclosureProof {
            let responses = NonRevocationProof.Responses(
                beta: responses[0] ?? own.responses.beta,
                delta: responses[1] ?? own.responses.delta,
                epsilon: responses[2] ?? own.responses.epsilon,
                zeta: responses[3] ?? own.responses.zeta
            )
            let changed = NonRevocationProof(
                Cr: Cr ?? own.Cr,
                Cu: Cu ?? own.Cu,
                responses: responses,
                signedAccumulator: own.signedAccumulator
            )
            return proof.changed(nonRevocation: .some(changed))
        }
        let none: [BigInteger?] = [nil, nil, nil, nil]
        let changes: [(String, IdemixDisclosureProof)] = [
            ("c", proof.changed(challenge: huge)), ("A", proof.changed(A: huge)),
            ("e_response", proof.changed(eResponse: huge)), ("v_response", proof.changed(vResponse: huge)),
            ("a_responses[0]", proof.settingResponse(0, to: huge)),
            ("a_responses[3]", proof.settingResponse(3, to: huge)),
            ("a_disclosed[2]", proof.settingAttribute(2, to: huge)),
            ("C_r", changing(huge, nil, none)), ("C_u", changing(nil, huge, none)),
            ("beta", changing(nil, nil, [huge, nil, nil, nil])), ("delta", changing(nil, nil, [nil, huge, nil, nil])),
            ("epsilon", changing(nil, nil, [nil, nil, huge, nil])),
            ("zeta", changing(nil, nil, [nil, nil, nil, huge])),
        ]
        let expectation = IdemixProofExpectation.disclosure(
            IdemixDisclosureExpectation(publicKey: world.publicKey, nonRevocation: .required(index: 3))
        )
        for (name, changed) in changes {
            let list = IdemixProofList([.disclosure(changed)])
            expectRefusal(name) { list.verify(expecting: [expectation], nonce: 42).verified == nil }
        }
    }

    @Test func refusesRangeProofs() throws {
        let credential = try world.issue([try TestWorld.attributes([])[0], 1_000])
        let builder = IdemixProofListBuilder(using: world.randomness)
        let statements = [2: [RangeStatement(.atLeast, 900)]]
        try builder.add(IdemixDisclosureRequest(credential, disclosing: [], statements: statements))
        let proof = try builder.prove(nonce: 42).firstDisclosure()
        let own = try #require(proof.rangeProofs[2]?.first)
        let (huge, more) = (Self.huge, [Self.huge] + own.commitments.dropFirst())
        func changing(
            commitments: [BigInteger]? = nil,
            roots: [BigInteger]? = nil,
            hiders: [BigInteger]? = nil,
            sum: BigInteger? = nil,
            bound: BigInteger? = nil
        ) -> RangeProof {
            RangeProof(
                commitments: commitments ?? own.commitments,
                rootResponses: roots ?? own.rootResponses,
                hiderResponses: hiders ?? own.hiderResponses,
                hiderSumResponse: sum ?? own.hiderSumResponse,
                rootBits: own.rootBits,
                statement: bound.map { RangeStatement(.atLeast, $0) } ?? own.statement
            )
        }
        let changes = [
            ("C", changing(commitments: more)), ("d", changing(roots: more)), ("v", changing(hiders: more)),
            ("v5", changing(sum: huge)), ("k", changing(bound: huge)),
        ]
        for (name, changed) in changes {
            let list = IdemixProofList([.disclosure(proof.changed(rangeProofs: [2: [changed]]))])
            let expectation = IdemixDisclosureExpectation(publicKey: world.publicKey, statements: statements)
            expectRefusal(name) { list.verify(expecting: [.disclosure(expectation)], nonce: 42).verified == nil }
        }
    }

    @Test func refusesIssuances() throws {
        let builder = IdemixProofListBuilder(using: world.randomness)
        let pending = try builder.addIssuance(
            publicKey: world.publicKey,
            secretKey: world.secretKey,
            blindIndices: [3]
        )
        let proof = try builder.prove(nonce: 42).firstIssuance()
        let huge = Self.huge
        let changes = [
            ("c", proof.changed(challenge: huge)), ("U", proof.changed(U: huge)),
            ("v_prime_response", proof.changed(vPrimeResponse: huge)),
            ("s_response", proof.changed(secretKeyResponse: huge)),
            ("m_user_responses", proof.changed(attributeResponses: [3: huge])),
        ]
        let expectation = IdemixProofExpectation.issuance(
            IdemixIssuanceExpectation(publicKey: world.publicKey, blindIndices: [3])
        )
        for (name, changed) in changes {
            let list = IdemixProofList([.issuance(changed)])
            expectRefusal(name) { list.verify(expecting: [expectation], nonce: 42).verified == nil }
        }

        let attributes = try TestWorld.attributes(["a", nil])
        let issuer = IdemixIssuer(keys: world.keys, using: world.randomness)
        let issued = try issuer.sign(attributes: attributes, blindIndices: [3], commitment: proof.U, nonce: 9)
        let (A, e, v) = (issued.signature.A, issued.signature.e, issued.signature.v)
        let messages: [(String, CLSignature, IssuerSignatureProof, [Int: BigInteger])] = [
            ("A", CLSignature(A: huge, e: e, v: v), issued.proof, issued.issuerShares),
            ("e", CLSignature(A: A, e: huge, v: v), issued.proof, issued.issuerShares),
            ("v", CLSignature(A: A, e: e, v: huge), issued.proof, issued.issuerShares),
            (
                "ProofS c", issued.signature, IssuerSignatureProof(challenge: huge, eResponse: issued.proof.eResponse),
                issued.issuerShares
            ),
            (
                "ProofS e_response", issued.signature,
                IssuerSignatureProof(challenge: issued.proof.challenge, eResponse: huge), issued.issuerShares
            ),
            ("m_issuer", issued.signature, issued.proof, [3: huge]),
        ]
        for (name, signature, proof, shares) in messages {
            let message = IssuedCLSignature(signature: signature, proof: proof, issuerShares: shares)
            expectRefusal(name) {
                code { _ = try pending.finish(with: message, attributes: attributes, nonce: 9) } != nil
            }
        }
        expectRefusal("U at the issuer") {
            code { _ = try issuer.sign(attributes: attributes, commitment: huge, nonce: 9) } == .notInvertible
        }
    }

    @Test func refusesOtherMessages() throws {
        let (huge, publicKey) = (Self.huge, world.publicKey)
        let authority = try RevocationAuthority(keys: world.keys, at: publicKey.expiryDate, using: world.randomness)
        let witness = try authority.makeWitness(using: world.randomness).message
        for (name, u, e) in [("u", huge, witness.e), ("e", witness.u, huge)] {
            let changed = ReceivedWitness(u: u, e: e, signedAccumulator: witness.signedAccumulator)
            expectRefusal(name) { code { _ = try changed.verified(by: publicKey) } == .invalidWitness }
        }
        expectRefusal("an event's prime") {
            code { _ = try RevocationEventList(firstIndex: 1, firstParent: .none, primes: [huge]) }
                == .invalidEventChain
        }
        expectRefusal("metadata") { code { _ = try MetadataAttribute(integer: huge) } == .invalidAttribute }
        expectRefusal("a secret key") { code { _ = try IdemixHolderSecretKey(huge) } == .outOfRange }
        expectRefusal("a keyshare secret") { code { _ = try KeyshareSecret(huge) } == .outOfRange }
        let list = try world.show(try world.issue(try TestWorld.attributes(["a"])), disclosing: [2])
        let share = KeyshareResponse(P: huge, challenge: list.proofs[0].challenge, secretKeyResponse: 1)
        expectRefusal("P") {
            code { _ = try list.merging(share, at: [0: publicKey], multiplyingShare: false) } == .notInvertible
        }
        let keys = [(identifier: KeyshareKeyIdentifier(issuer: "a", counter: 1), publicKey: publicKey)]
        let commitment = try KeyshareSecret.random().commit(to: keys)
        expectRefusal("the keyshare server's challenge") {
            code { _ = try commitment.response(toChallenge: huge) } == .outOfRange
        }
        let elements = publicKey.elements
        let modulus = IdemixKeyElements(n: huge + 1, Z: elements.Z, S: elements.S, R: elements.R)
        let base = IdemixKeyElements(n: elements.n, Z: elements.Z, S: huge, R: elements.R)
        for changed in [modulus, base] {
            expectRefusal("a key") {
                code { _ = try IdemixIssuerPublicKey(counter: 1, expiryDate: publicKey.expiryDate, elements: changed) }
                    != nil
            }
        }
    }
}

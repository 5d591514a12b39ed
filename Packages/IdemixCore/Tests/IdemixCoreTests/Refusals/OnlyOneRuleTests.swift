import CryptoCore
import IdemixCore
import TestSupport
import Testing

/// Each rule about structure and sizes, with a proof that fulfills every equation and that only this rule refuses.
@Suite struct OnlyOneRuleTests {
    let world: TestWorld
    let prover: UnrestrictedProver
    /// The integers by base index: secret key, metadata, and the attributes at 2 and 3.
    let integers: [Int: BigInteger]

    init() throws {
        world = try TestWorld()
        let credential = try world.issue(try TestWorld.attributes(["a", "b"]))
        prover = UnrestrictedProver(world: world, credential: credential)
        let all = [world.secretKey.secretInteger] + credential.attributes
        integers = Dictionary(uniqueKeysWithValues: zip(0..., all))
    }

    private func failedCheck(
        _ proof: IdemixDisclosureProof,
        _ change: (inout IdemixDisclosureExpectation) -> Void = { _ in }
    ) -> Check? {
        #expect(prover.equationHolds(proof), "the equation itself must hold")
        var expectation = IdemixDisclosureExpectation(publicKey: world.publicKey)
        change(&expectation)
        return IdemixProofList([.disclosure(proof)]).verify(expecting: [.disclosure(expectation)], nonce: 42)
            .failedCheck
    }

    private func integers(_ indices: Set<Int>) -> [Int: BigInteger] { integers.filter { indices.contains($0.key) } }

    private func honest() -> IdemixDisclosureProof {
        prover.prove(disclosed: integers([1, 2]), hidden: integers([0, 3]))
    }

    @Test func acceptsAProofThatKeepsEveryRule() {
        #expect(failedCheck(honest()) == nil)
    }

    @Test func refusesAnIndexThatIsDisclosedAndHidden() throws {
        let other = AttributeEncoding.version3.integer(for: "z")
        var (shown, hidden) = (integers([1, 2]), integers([0, 2, 3]))
        shown[2] = other
        // Reduced modulo the group's order, so that the response is not negative.
        hidden[2] = (try #require(integers[2]) - other).modulo(prover.order)
        let proof = prover.prove(disclosed: shown, hidden: hidden)
        #expect(failedCheck(proof) == .indices)
    }

    @Test func requiresAHiddenSecretKeyAndDisclosedMetadata() {
        #expect(failedCheck(prover.prove(disclosed: integers([0, 1, 2]), hidden: integers([3]))) == .indices)
        #expect(failedCheck(prover.prove(disclosed: integers([2]), hidden: integers([0, 1, 3]))) == .indices)
    }

    @Test func refusesGapsAndIndicesBeyondTheType() throws {
        var hidden = integers([0, 3])
        hidden[5] = 0
        #expect(failedCheck(prover.prove(disclosed: integers([1, 2]), hidden: hidden)) == .indices)
        hidden = integers([0, 3])
        hidden[4] = 0
        let longer = prover.prove(disclosed: integers([1, 2]), hidden: hidden)
        #expect(failedCheck(longer) == nil)
        #expect(failedCheck(longer) { $0.attributeCount = 3 } == nil)
        #expect(failedCheck(longer) { $0.attributeCount = 2 } == nil)
        #expect(failedCheck(longer) { $0.attributeCount = 0 } == .indices)
        let elements = world.publicKey.elements
        let fewer = IdemixKeyElements(n: elements.n, Z: elements.Z, S: elements.S, R: Array(elements.R.prefix(4)))
        let key = try IdemixIssuerPublicKey(counter: 1, expiryDate: world.publicKey.expiryDate, elements: fewer)
        #expect(failedCheck(longer) { $0.publicKey = key } == .indices)
        #expect(failedCheck(honest()) { $0.publicKey = key } == nil)
    }

    /// The ranges of honest responses; multiples of the group's order are added, which leave the equations as they are.
    @Test func refusesResponsesOutOfTheirRanges() throws {
        let (proof, order) = (honest(), prover.order)
        let tooMuch = order * .powerOfTwo(1_100)
        #expect(failedCheck(proof.changed(vResponse: proof.vResponse.modulo(order) + order)) == nil)
        for shift in [tooMuch, -tooMuch] {
            #expect(failedCheck(proof.changed(eResponse: proof.eResponse + shift)) == .responseRanges)
            #expect(failedCheck(proof.changed(vResponse: proof.vResponse + shift)) == .responseRanges)
            for (index, response) in proof.attributeResponses {
                #expect(failedCheck(proof.settingResponse(index, to: response + shift)) == .responseRanges)
            }
            let shown = try #require(proof.disclosedAttributes[2])
            guard shift.isNegative else { continue }
            #expect(failedCheck(proof.settingAttribute(2, to: shown + shift)) == .responseRanges)
        }
    }

    @Test func requiresABelowTheModulus() {
        let n = world.publicKey.elements.n
        let proof = prover.prove(disclosed: integers([1, 2]), hidden: integers([0, 3])) { $0 + n }
        #expect(failedCheck(proof) == .groupElements)
        let negative = proof.changed(A: proof.A - n)
        #expect(!prover.equationHolds(negative))
    }

    /// A' is coprime with n; for A' = 0 both sides of the equation are zero.
    @Test func requiresAnInvertibleA() {
        let n = world.publicKey.elements.n
        for A in [BigInteger.zero, n] {
            let c = IdemixChallenge(nonce: 42).hash(of: [A, 0])
            let proof = IdemixDisclosureProof(
                challenge: c,
                A: A,
                eResponse: 5,
                vResponse: 5,
                attributeResponses: [0: 5, 3: 5],
                disclosedAttributes: [1: integers[1] ?? 0, 2: 7]
            )
            #expect(failedCheck(proof) == .groupElements)
        }
    }

    @Test func refusesCommitmentsThatBreakTheSameRules() throws {
        let builder = IdemixProofListBuilder(using: world.randomness)
        _ = try builder.addIssuance(publicKey: world.publicKey, secretKey: world.secretKey, blindIndices: [3])
        let proof = try builder.prove(nonce: 42).firstIssuance()
        func failedCheck(_ proof: IssuanceCommitmentProof, blindIndices: Set<Int> = [3]) -> Check? {
            #expect(prover.equationHolds(proof), "the equation itself must hold")
            let expectation = IdemixIssuanceExpectation(publicKey: world.publicKey, blindIndices: blindIndices)
            return IdemixProofList([.issuance(proof)]).verify(expecting: [.issuance(expectation)], nonce: 42)
                .failedCheck
        }
        #expect(failedCheck(proof) == nil)
        #expect(failedCheck(proof, blindIndices: []) == .indices)
        #expect(failedCheck(proof, blindIndices: [2]) == .indices)
        let tooMuch = prover.order * .powerOfTwo(600)
        let blind = try #require(proof.attributeResponses[3])
        for shift in [tooMuch, -tooMuch] {
            #expect(failedCheck(proof.changed(vPrimeResponse: proof.vPrimeResponse + shift)) == .responseRanges)
            #expect(failedCheck(proof.changed(secretKeyResponse: proof.secretKeyResponse + shift)) == .responseRanges)
            #expect(failedCheck(proof.changed(attributeResponses: [3: blind + shift])) == .responseRanges)
        }
    }

    @Test func refusesResponsesAboutRevocationOutOfTheirRanges() throws {
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
        let keys: [WritableKeyPath<Responses, BigInteger>] = [\.beta, \.delta, \.epsilon, \.zeta]
        for key in keys {
            // Within the range a multiple of the order changes nothing; beyond it nothing but the range is wrong.
            #expect(verdict(proof, own, key, adding: prover.order) == nil)
            #expect(verdict(proof, own, key, adding: prover.order * .powerOfTwo(600)) == .groupElements)
            #expect(verdict(proof, own, key, adding: -prover.order * .powerOfTwo(600)) == .groupElements)
        }
    }

    private struct Responses {
        var beta, delta, epsilon, zeta: BigInteger
    }

    private func verdict(
        _ proof: IdemixDisclosureProof,
        _ own: NonRevocationProof,
        _ key: WritableKeyPath<Responses, BigInteger>,
        adding shift: BigInteger
    ) -> Check? {
        let received = own.responses
        var responses = Responses(
            beta: received.beta,
            delta: received.delta,
            epsilon: received.epsilon,
            zeta: received.zeta
        )
        responses[keyPath: key] = responses[keyPath: key] + shift
        let changed = NonRevocationProof(
            Cr: own.Cr,
            Cu: own.Cu,
            responses: NonRevocationProof.Responses(
                beta: responses.beta,
                delta: responses.delta,
                epsilon: responses.epsilon,
                zeta: responses.zeta
            ),
            signedAccumulator: own.signedAccumulator
        )
        let expectation = IdemixDisclosureExpectation(publicKey: world.publicKey, nonRevocation: .required(index: 3))
        return IdemixProofList([.disclosure(proof.changed(nonRevocation: .some(changed)))])
            .verify(expecting: [.disclosure(expectation)], nonce: 42).failedCheck
    }
}

import CryptoCore
import IdemixCore
import TestSupport
import Testing

/// Each rule of an issuance, broken by itself.
@Suite struct IssuanceRefusalTests {
    let world: TestWorld
    let proof: IssuanceCommitmentProof
    let pending: PendingIdemixCredential
    let attributes: [BigInteger]
    let issued: IssuedCLSignature

    init() throws {
        world = try TestWorld()
        let builder = IdemixProofListBuilder(using: world.randomness)
        pending = try builder.addIssuance(
            publicKey: world.publicKey,
            secretKey: world.secretKey,
            blindIndices: [3]
        )
        proof = try builder.prove(nonce: 42).firstIssuance()
        attributes = try TestWorld.attributes(["a", nil])
        issued = try IdemixIssuer(keys: world.keys, using: world.randomness)
            .sign(attributes: attributes, blindIndices: [3], commitment: proof.U, nonce: 9)
    }

    private func failedCheck(_ proof: IssuanceCommitmentProof, blindIndices: Set<Int> = [3]) -> Check? {
        let expectation = IdemixIssuanceExpectation(publicKey: world.publicKey, blindIndices: blindIndices)
        return IdemixProofList([.issuance(proof)]).verify(expecting: [.issuance(expectation)], nonce: 42).failedCheck
    }

    @Test func checksTheCommitment() {
        #expect(failedCheck(proof) == nil)
        #expect(failedCheck(proof, blindIndices: []) == .indices)
        #expect(failedCheck(proof, blindIndices: [2]) == .indices)
        #expect(failedCheck(proof.changed(attributeResponses: [:])) == .indices)
        let parameters = world.publicKey.parameters
        let changes: [(Int, (BigInteger) -> IssuanceCommitmentProof)] = [
            (parameters.challenge, { self.proof.changed(challenge: $0) }),
            (parameters.vPrimeCommitment + 1, { self.proof.changed(vPrimeResponse: $0) }),
            (parameters.secretKeyCommitment + 1, { self.proof.changed(secretKeyResponse: $0) }),
            (parameters.attributeCommitment + 1, { self.proof.changed(attributeResponses: [3: $0]) }),
        ]
        for (bits, change) in changes {
            #expect(failedCheck(change(.powerOfTwo(bits) - 1)) == .proof)
            #expect(failedCheck(change(.powerOfTwo(bits))) == .responseRanges)
            #expect(failedCheck(change(-1)) == .responseRanges)
        }
        let n = world.publicKey.elements.n
        for U in [0, 1, n, world.keys.privateKey.factors.q] {
            #expect(failedCheck(proof.changed(U: U)) == .groupElements)
        }
        #expect(failedCheck(proof.changed(U: n - 1)) == .proof)
        let disclosure = IdemixProofExpectation.disclosure(IdemixDisclosureExpectation(publicKey: world.publicKey))
        #expect(IdemixProofList([.issuance(proof)]).verify(expecting: [disclosure], nonce: 42).failedCheck == .type)
    }

    @Test func theIssuerRefusesWhatItCannotSign() throws {
        let issuer = IdemixIssuer(keys: world.keys, using: world.randomness)
        func refusal(
            _ attributes: [BigInteger],
            _ blind: Set<Int> = [],
            U: BigInteger? = nil,
            witness: ReceivedWitness? = nil
        ) -> IdemixError.Code? {
            code {
                _ = try issuer.sign(
                    attributes: attributes,
                    blindIndices: blind,
                    commitment: U ?? proof.U,
                    nonce: 1,
                    witness: witness
                )
            }
        }
        let n = world.publicKey.elements.n
        #expect(refusal(attributes) == nil)
        #expect(refusal([]) == .invalidAttributeCount)
        #expect(refusal(attributes + [1, 1, 1, 1]) == .invalidAttributeCount)
        #expect(refusal([attributes[0], -1]) == .invalidAttribute)
        #expect(refusal(attributes, [2]) == .invalidIndices)
        #expect(refusal(attributes, [1]) == .invalidIndices)
        #expect(refusal(attributes, [9]) == .invalidIndices)
        #expect(refusal(attributes, U: 0) == .notInvertible)
        #expect(refusal(attributes, U: world.keys.privateKey.factors.p) == .notInvertible)
        // n − 1 is no square modulo factors that are 3 modulo 4.
        #expect(refusal(attributes, U: n - 1) == .notInvertible)
        let other = try TestWorld(.bits2048).publicKey
        let elsewhere = VerifiedIdemixCommitment(value: proof.U, blindIndices: [3], publicKey: other)
        #expect(
            code { _ = try issuer.sign(attributes: attributes, commitment: elsewhere, nonce: 1) } == .keyPairMismatch
        )
        let accumulator = SignedAccumulator(data: [], keyCounter: 1)
        #expect(
            refusal(attributes, witness: ReceivedWitness(u: 4, e: 11, signedAccumulator: accumulator))
                == .invalidWitness
        )
    }

    private func refusal(
        signature: CLSignature? = nil,
        proof: IssuerSignatureProof? = nil,
        shares: [Int: BigInteger]? = nil,
        witness: ReceivedWitness? = nil,
        attributes: [BigInteger]? = nil,
        revocationIndex: Int? = nil,
        nonce: BigInteger = 9
    ) -> IdemixError.Code? {
        let changed = IssuedCLSignature(
            signature: signature ?? issued.signature,
            proof: proof ?? issued.proof,
            issuerShares: shares ?? issued.issuerShares,
            witness: witness
        )
        return code {
            _ = try pending.finish(
                with: changed,
                attributes: attributes ?? self.attributes,
                revocationIndex: revocationIndex,
                nonce: nonce
            )
        }
    }

    @Test func theHolderRefusesWhatIsNotItsCredential() throws {
        let (A, e, v) = (issued.signature.A, issued.signature.e, issued.signature.v)
        let (n, parameters) = (world.publicKey.elements.n, world.publicKey.parameters)
        #expect(refusal() == nil)
        #expect(refusal(signature: CLSignature(A: 1, e: e, v: v)) == .notInvertible)
        #expect(refusal(signature: CLSignature(A: n, e: e, v: v)) == .notInvertible)
        #expect(refusal(signature: CLSignature(A: A, e: e + 2, v: v)) == .outOfRange)
        #expect(refusal(signature: CLSignature(A: A, e: 3, v: v)) == .outOfRange)
        #expect(refusal(signature: CLSignature(A: A, e: e, v: -1)) == .outOfRange)
        #expect(refusal(signature: CLSignature(A: A, e: e, v: .powerOfTwo(parameters.v))) == .outOfRange)
        #expect(refusal(signature: CLSignature(A: A, e: e, v: v + 1)) == .invalidSignature)
        #expect(refusal(signature: CLSignature(A: n - A, e: e, v: v)) == .invalidIssuerProof)
        let (c, response) = (issued.proof.challenge, issued.proof.eResponse)
        #expect(refusal(proof: IssuerSignatureProof(challenge: c + 1, eResponse: response)) == .invalidIssuerProof)
        #expect(refusal(proof: IssuerSignatureProof(challenge: c, eResponse: response + 1)) == .invalidIssuerProof)
        #expect(refusal(proof: IssuerSignatureProof(challenge: .powerOfTwo(256), eResponse: response)) == .outOfRange)
        #expect(refusal(proof: IssuerSignatureProof(challenge: -1, eResponse: response)) == .outOfRange)
        #expect(refusal(proof: IssuerSignatureProof(challenge: c, eResponse: n)) == .outOfRange)
        #expect(refusal(nonce: 10) == .invalidIssuerProof)
    }

    @Test func theHolderRefusesOtherAttributes() throws {
        #expect(refusal(shares: [:]) == .invalidIndices)
        #expect(refusal(shares: [2: 1]) == .invalidIndices)
        #expect(refusal(shares: [3: -1]) == .outOfRange)
        #expect(refusal(shares: [3: .powerOfTwo(255)]) == .outOfRange)
        #expect(refusal(shares: [3: 1]) == .invalidSignature)
        #expect(refusal(attributes: [attributes[0]]) == .invalidIndices)
        #expect(refusal(attributes: [attributes[0], 5, 0]) == .invalidSignature)
        #expect(refusal(attributes: [attributes[0], -5, 0]) == .invalidAttribute)
        #expect(refusal(attributes: attributes + [1, 1, 1, 1]) == .invalidAttributeCount)
        #expect(refusal(revocationIndex: 2) == .invalidWitness)
        let accumulator = SignedAccumulator(data: [], keyCounter: 1)
        let witness = ReceivedWitness(u: 4, e: 11, signedAccumulator: accumulator)
        #expect(refusal(witness: witness) == .invalidWitness)
        #expect(refusal(witness: witness, revocationIndex: 3) == .invalidIndices)
        #expect(refusal(witness: witness, revocationIndex: 2) == .invalidSignedMessage)
    }

    @Test func refusesRequestsThatCannotBeProved() throws {
        let credential = try world.issue(try TestWorld.attributes(["a", String(repeating: "b", count: 40)]))
        func refusal(
            _ disclosed: Set<Int>,
            revocation: Bool = false,
            _ statements: [Int: [RangeStatement]] = [:]
        )
            -> IdemixError.Code?
        {
            code {
                _ = try IdemixDisclosureRequest(
                    credential,
                    disclosing: disclosed,
                    provingNonRevocation: revocation,
                    statements: statements
                )
            }
        }
        #expect(refusal([2]) == nil)
        #expect(refusal([0]) == .invalidIndices)
        #expect(refusal([4]) == .invalidIndices)
        #expect(refusal([2], revocation: true) == .invalidWitness)
        #expect(refusal([2], [2: [RangeStatement(.atLeast, 1)]]) == .invalidIndices)
        #expect(refusal([2], [0: [RangeStatement(.atLeast, 1)]]) == .invalidIndices)
        #expect(refusal([2], [3: [RangeStatement(.atLeast, 1)]]) == .invalidIndices)
        #expect(code { _ = try IdemixHolderSecretKey(.powerOfTwo(256)) } == .outOfRange)
        #expect(code { _ = try IdemixHolderSecretKey(-1) } == .outOfRange)
    }
}

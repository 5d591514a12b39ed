import IdemixCore
import TestSupport
import Testing

@Suite struct FiatShamirTests {
    @Test(arguments: [
        ([1, 2, 3], IdemixChallenge.Kind.proof, "a171de68ff8bc2f9e377c6699a97c89557382c57cc2d6345a06dbeaa954c180b"),
        (
            [1, 2, 3], IdemixChallenge.Kind.signature,
            "4bb0e416c6ce5b4b0a5652016b504f1655dac5de1292b7a4d699f13195213159"
        ),
        (
            [0, 128, 255, 256], IdemixChallenge.Kind.proof,
            "a6c9251691a59dcf506575decd8568a50a2872c2ae93b389ffa4ca0f80817df6"
        ),
        ([], IdemixChallenge.Kind.proof, "b560833d6f787af46113b96aad4dd5b5d1ae00dccc69cf30cc92bed651c56617"),
    ])
    func hashesTheDERSequence(values: [Int], kind: IdemixChallenge.Kind, expected: String) {
        #expect(FiatShamir.hash(values.map { BigInteger($0) }, kind: kind).bytes.hex == expected)
    }

    @Test func putsContextFirstAndNonceLast() {
        #expect(IdemixChallenge(context: 1, nonce: 3).hash(of: [2]) == FiatShamir.hash([1, 2, 3]))
        let signature = IdemixChallenge(context: 1, nonce: 3, kind: .signature)
        #expect(signature.hash(of: [2]) == FiatShamir.hash([1, 2, 3], kind: .signature))
    }

    @Test func computesTheNonceOfASignatureFromItsMessage() {
        let nonce = IdemixSignatureNonce.challenge(nonce: 5, message: [1, 2], timestampSignature: [3])
        let challenge = IdemixChallenge.signature(of: [1, 2], context: 7, nonce: 5, timestampSignature: [3])
        #expect(challenge == IdemixChallenge(context: 7, nonce: nonce, kind: .signature))
    }

    @Test func drawsFreshNonces() {
        let challenges = (0..<8).map { _ in IdemixChallenge.random() }
        #expect(Set(challenges).count == 8)
        #expect(challenges.allSatisfy { $0.nonce.bitCount <= 128 && $0.context == 1 && $0.kind == .proof })
    }
}

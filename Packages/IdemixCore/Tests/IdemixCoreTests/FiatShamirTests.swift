import IdemixCore
import TestSupport
import Testing

@Suite struct FiatShamirTests {
    @Test(arguments: [
        ([1, 2, 3], false, "a171de68ff8bc2f9e377c6699a97c89557382c57cc2d6345a06dbeaa954c180b"),
        ([1, 2, 3], true, "4bb0e416c6ce5b4b0a5652016b504f1655dac5de1292b7a4d699f13195213159"),
        ([0, 128, 255, 256], false, "a6c9251691a59dcf506575decd8568a50a2872c2ae93b389ffa4ca0f80817df6"),
        ([], false, "b560833d6f787af46113b96aad4dd5b5d1ae00dccc69cf30cc92bed651c56617"),
    ])
    func hashesTheDERSequence(values: [Int], isSignature: Bool, expected: String) {
        #expect(FiatShamir.hash(values.map { BigInteger($0) }, isSignature: isSignature).bytes.hex == expected)
    }

    @Test func putsContextFirstAndNonceLast() {
        let challenge = FiatShamir.challenge(context: 1, contributions: [2], nonce: 3, isSignature: false)
        #expect(challenge == FiatShamir.hash([1, 2, 3]))
    }
}

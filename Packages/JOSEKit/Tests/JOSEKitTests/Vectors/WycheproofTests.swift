import CryptoCore
import JOSEKit
import JSONKit
import TestSupport
import Testing

/// The files about JOSE of project Wycheproof: every one whose groups have tests with a `jws` or `jwe`.
@Suite struct WycheproofTests {
    private static let set = VectorSet("wycheproof")

    private static let files = set.files(withExtension: "json").filter { $0.path.hasPrefix("json_web_") }

    @Test(.enabled(if: set.isAvailable, VectorSet.absence), arguments: files)
    func verdictsAreTheExpectedOnes(file: VectorFile) async throws {
        var ran = 0
        var passedOver: [(name: String, reason: String)] = []
        for group in try file.json().list("testGroups") {
            let tests = try group.list("tests").map { try WycheproofCase($0, in: group) }
            let valid = Set(tests.filter(\.isValid).map(\.text))
            for test in tests {
                if !test.isValid, valid.contains(test.text) {
                    passedOver.append((test.name, "the same text is said to be valid in the same group"))
                    continue
                }
                if let departure = test.departure { print("vectors:   \(test.name): \(departure)") }
                let accepted = await accepts(test)
                #expect(accepted == test.isToBeAccepted, "\(file.path) \(test.name)")
                ran += 1
            }
        }
        file.report(ran: ran, passedOver: passedOver)
        #expect(ran > 0)
    }

    private func accepts(_ test: WycheproofCase) async -> Bool {
        guard test.isEncrypted else {
            return await outcome {
                try JWS(compact: test.text).verify(with: test.verificationKey(), policy: .everything)
            }.isSuccess
        }
        let decrypted = await outcome {
            try await JWE(compact: test.text).decrypt(with: test.decryptionKey(), policy: .everything)
        }
        guard case .success(let message) = decrypted, let expected = test.plaintext else { return decrypted.isSuccess }
        return message.plaintext.hex == expected
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}

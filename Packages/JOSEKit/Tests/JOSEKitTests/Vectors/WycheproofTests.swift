import CryptoCore
import Foundation
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
                guard let accepted = await accepts(test) else {
                    passedOver.append((test.name, "this build has no libcrypto"))
                    continue
                }
                #expect(accepted == test.isToBeAccepted, "\(file.path) \(test.name)")
                ran += 1
            }
        }
        file.report(ran: ran, passedOver: passedOver)
        #expect(ran > 0)
    }

    /// Returns `true` if a test is accepted, with the content that it says; nil where the build has no engine for it.
    private func accepts(_ test: WycheproofCase) async -> Bool? {
        let content = await outcome {
            guard test.isEncrypted else {
                return try JWS(compact: test.text).verify(
                    with: test.verificationKey(),
                    policy: .everything,
                    at: .distantPast
                ).payload
            }
            return try await JWE(compact: test.text).decrypt(with: test.decryptionKey(), policy: .everything).plaintext
        }
        switch content {
        case .success(let bytes): return !test.isEncrypted || test.plaintext.map { $0 == bytes.hex } ?? true
        case .failure(let error): return test.isToBeAccepted && EngineCoverage.excuses(error) ? nil : false
        }
    }
}

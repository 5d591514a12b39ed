import CryptoCore
import JOSEKit
import JSONKit
import TestSupport
import Testing

/// The examples of RFC 7520, RFC 7797 and RFC 8037: every file of the set, read in each serialization that it has, and made
/// again where that is deterministic.
@Suite struct CookbookTests {
    private static let set = VectorSet("jose/cookbook")

    @Test(.enabled(if: set.isAvailable, VectorSet.absence), arguments: set.files(withExtension: "json"))
    func exampleIsReadAndMadeAgain(file: VectorFile) async throws {
        let example = try file.json()
        var (ran, passedOver) = (0, [(name: String, reason: String)]())
        let parts = [example, example["sign"], example["encrypt"]].compactMap { $0 }
        for part in parts {
            if part["kty"] != nil {
                ran += try CookbookKey(part).run()
            } else if part["signing"] != nil {
                ran += try await CookbookSigning(part).run()
            } else if part["encrypting_content"] != nil {
                let outcome = try await CookbookEncryption(part).run()
                ran += outcome.ran
                passedOver += outcome.passedOver
            }
        }
        file.report(ran: ran, passedOver: passedOver)
        #expect(ran > 0)
    }
}

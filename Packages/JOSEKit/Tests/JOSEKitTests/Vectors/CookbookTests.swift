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
            do {
                let outcome = try await run(part)
                ran += outcome.ran
                passedOver += outcome.passedOver
            } catch  where EngineCoverage.excuses(error) {
                passedOver.append((file.path, "this build has no libcrypto"))
            }
        }
        file.report(ran: ran, passedOver: passedOver)
        #expect(ran > 0 || !EngineCoverage.isWhole && !passedOver.isEmpty)
    }

    private func run(_ part: JSONValue) async throws -> (ran: Int, passedOver: [(name: String, reason: String)]) {
        if part["kty"] != nil { return (try CookbookKey(part).run(), []) }
        if part["signing"] != nil { return (try await CookbookSigning(part).run(), []) }
        if part["encrypting_content"] != nil { return try await CookbookEncryption(part).run() }
        return (0, [])
    }
}

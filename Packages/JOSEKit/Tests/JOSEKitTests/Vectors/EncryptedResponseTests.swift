import JOSEKit
import JSONKit
import TestSupport
import Testing

/// The encrypted responses of OpenID4VP: every file of the set whose vectors have a `jwe` and a private key.
@Suite struct EncryptedResponseTests {
    private static let set = VectorSet("oid4vp")

    private static let files = set.files(withExtension: "json").filter { $0.path.contains("jwe") }

    @Test(.enabled(if: set.isAvailable, VectorSet.absence), arguments: files)
    func responsesDecryptOrAreRefused(file: VectorFile) async throws {
        let vectors = try file.json().list("vectors")
        var passedOver: [(name: String, reason: String)] = []
        for vector in vectors {
            let name = vector.text("id") ?? "?"
            let decrypted = await outcome {
                let key = try JWK(json: vector["privateJwk"] ?? .null)
                return try await JWE(compact: vector.text("jwe") ?? "").decrypt(with: .jwk(key), policy: .everything)
            }
            switch (decrypted, vector.text("expected")) {
            case (.success(let message), "decrypts"):
                #expect(try JSONValue(parsing: message.plaintext) == vector["payload"], "\(name)")
                #expect(JSONValue.object(message.header.members) == vector["header"], "\(name)")
            case (.failure(let error), "decrypts") where EngineCoverage.excuses(error):
                passedOver.append((name, "this build has no libcrypto"))
            case (.failure(let error), "rejected"): #expect(error is JOSEError, "\(name)")
            default: Issue.record("\(name): \(decrypted)")
            }
        }
        file.report(ran: vectors.count - passedOver.count, passedOver: passedOver)
        #expect(!vectors.isEmpty)
    }
}

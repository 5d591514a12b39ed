import CryptoCore
import JOSEKit
import JSONKit
import TestSupport
import Testing

/// The files beside the cookbook: messages with a verdict, thumbprints, key derivation.
@Suite struct CompactVectorTests {
    private static let set = VectorSet("jose")

    private static let files = set.files(withExtension: "json").filter { !$0.path.contains("/") }

    @Test(.enabled(if: set.isAvailable, VectorSet.absence), arguments: files)
    func casesComeOutAsSaid(file: VectorFile) async throws {
        let tests = try file.json().list("tests")
        var passedOver: [(name: String, reason: String)] = []
        for test in tests {
            do {
                try run(test)
            } catch  where EngineCoverage.excuses(error) {
                passedOver.append((test.text("name") ?? "?", "this build has no libcrypto"))
            }
        }
        file.report(ran: tests.count - passedOver.count, passedOver: passedOver)
        #expect(!tests.isEmpty)
    }

    private func run(_ test: JSONValue) throws {
        if test["jws"] != nil {
            try expectVerdict(test)
        } else if test["jwk"] != nil {
            try expectThumbprint(test)
        } else {
            try expectDerivedKey(test)
        }
    }

    private func expectVerdict(_ test: JSONValue) throws {
        let text = try #require(test.text("jws"))
        var members = test["key"]?.objectValue
        // Private members stand in keys that only verify here.
        if members?["kty"] != "oct" { members?["d"] = nil }
        let key = try members.map { try JWK(json: .object($0)) } ?? JWK(TestKeys.p256.get().publicKey)
        let verified = try? JWS(compact: text).verify(with: key, policy: .everything)
        #expect((verified != nil) == test["valid"]?.boolValue, "\(test.text("name") ?? text)")
    }

    private func expectThumbprint(_ test: JSONValue) throws {
        let key = try JWK(json: #require(test["jwk"]))
        #expect(Base64URL.encode(key.thumbprint()) == test.text("sha256"))
        #expect(key.thumbprintURI() == test.text("uri"))
    }

    private func expectDerivedKey(_ test: JSONValue) throws {
        let ephemeral = try JWK(json: #require(test["ephemeral"])).privateKey()
        let recipient = try JWK(json: #require(test["recipient"])).privateKey()
        let encryption = JWEEncryption(rawValue: try #require(test.text("enc")))
        let shared = try recipient.sharedSecret(with: ephemeral.publicKey)
        #expect(shared == SecretBytes(try Base64URL.decode(#require(test.text("z")))))
        let derived = try ConcatKDF.deriveKey(
            sharedSecret: shared,
            algorithmID: encryption.rawValue,
            partyUInfo: Base64URL.decode(#require(test.text("apu"))),
            partyVInfo: Base64URL.decode(#require(test.text("apv"))),
            length: #require(encryption.aead).keySize
        )
        #expect(derived == SecretBytes(try Base64URL.decode(#require(test.text("derived")))))
    }
}

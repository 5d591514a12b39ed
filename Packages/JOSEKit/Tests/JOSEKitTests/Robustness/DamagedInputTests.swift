import CryptoCore
import JOSEKit
import JSONKit
import TestSupport
import Testing

@Suite(.serialized) struct DamagedInputTests {
    private static let set = VectorSet("jose")
    private static let memoryLimit = 64 << 20

    /// The number of damaged variants of every file of the external set; scripts/check-mutations makes 100,000.
    private static let mutationsOfAFile = 200

    /// One small object of every kind and form.
    private static func ownInputs() async throws -> [[UInt8]] {
        let signer = try TestKeys.es256()
        let key = try JWK(signer.publicKey, keyID: "1", use: .signature)
        let header: JOSEHeader = ["alg": "ES256", "kid": "1", "jwk": .object(key.members), "crit": ["exp"], "exp": 1]
        let signed = try await JWS.sign(Array(#"{"iss":"a"}"#.utf8), header: header, with: signer)
            .addingSignature(unprotectedHeader: ["kid": "1"], with: signer)
        let one = try await JWS.sign(Array(#"{"iss":"a"}"#.utf8), header: header, with: signer)
        let pair = try EncryptionPair(.ecdhES_A128KW, .a128GCM)
        let encrypted = try JWE.encrypt([1, 2, 3], toEach: [pair.recipient, pair.recipient], with: .a128GCM)
        let single = try JWE.encrypt([1, 2, 3], to: pair.recipient, with: .a128GCM)
        let claims: JWTClaims = ["iss": "a", "aud": ["b"], "exp": 1, "cnf": ["jwk": .object(key.members)]]
        return [
            Array(try one.compactSerialization().utf8), try one.flattenedSerialization(),
            try signed.generalSerialization(),
            Array(try single.compactSerialization().utf8), try single.flattenedSerialization(),
            encrypted.generalSerialization(), key.encoded(),
            JSONValue.object(try JWK(TestKeys.p256.get()).membersWithSecrets()).encoded(),
            JWKSet([key, key]).encoded(),
            claims.encoded(),
        ]
    }

    /// Reads the bytes; any error but those of the layer is a failure, and so is a crash.
    private func explore(_ bytes: [UInt8]) {
        do {
            try AnyJOSE.explore(bytes)
        } catch is JOSEError {
        } catch {
            Issue.record("\(bytes.hex): \(error)")
        }
    }

    @Test func everyTruncationIsRefused() async throws {
        for whole in try await Self.ownInputs() {
            let isCompact = whole.first != UInt8(ascii: "{")
            for count in whole.indices {
                let cut = Array(whole.prefix(count))
                explore(cut)
                #expect(throws: JOSEError.self) { try JWS(json: cut) }
                #expect(throws: JOSEError.self) { try JWE(json: cut) }
                #expect(throws: JOSEError.self) { try JWK(decoding: cut) }
                #expect(throws: JOSEError.self) { try JWTClaims(decoding: cut) }
                #expect(throws: JOSEError.self) { try JWKSet(decoding: cut) }
                guard isCompact else { continue }
                let signer = try TestKeys.es256()
                #expect(throws: JOSEError.self) {
                    try JWS(compact: cut).verify(with: signer.publicKey, policy: .everything)
                }
                let pair = try EncryptionPair(.ecdhES_A128KW, .a128GCM)
                await #expect(throws: JOSEError.self) {
                    try await JWE(compact: cut).decrypt(with: pair.key, policy: .everything)
                }
            }
        }
    }

    @Test func damagedObjectsAreReadOrRefused() async throws {
        let inputs = try await Self.ownInputs()
        var mutator = Mutator(seed: 0x105e)
        let before = PeakMemory.bytes
        for round in 0..<10_000 { explore(mutator.mutate(inputs[round % inputs.count])) }
        try expectSmallGrowth(since: before)
    }

    @Test(.enabled(if: set.isAvailable, VectorSet.absence))
    func damagedVectorsAreReadOrRefused() throws {
        let before = PeakMemory.bytes
        var count = 0
        for file in Self.set.files(withExtension: "json") {
            var mutator = Mutator(seed: 0x105e)
            let inputs = Self.inputs(try file.json())
            for round in 0..<Self.mutationsOfAFile where !inputs.isEmpty {
                explore(mutator.mutate(inputs[round % inputs.count]))
                count += 1
            }
        }
        print("vectors: jose: \(count) damaged variants read or refused")
        try expectSmallGrowth(since: before)
    }

    /// Every compact text and every object below a value.
    private static func inputs(_ value: JSONValue) -> [[UInt8]] {
        switch value {
        case .string(let text) where text.contains("."): [Array(text.utf8)]
        case .array(let elements): elements.flatMap(inputs)
        case .object(let members): [value.encoded()] + members.flatMap { inputs($0.value) }
        default: []
        }
    }

    private func expectSmallGrowth(since before: Int?) throws {
        guard let before, let after = PeakMemory.bytes else { return }
        #expect(after - before < Self.memoryLimit)
    }

    /// Every single bit of a small token counts.
    @Test func noBitOfATokenCanBeFlipped() async throws {
        let signer = try TestKeys.es256()
        let signed = Array(try await JWS.sign([1], with: signer).compactSerialization().utf8)
        let pair = try EncryptionPair(.dir, .a128GCM)
        let encrypted = Array(try JWE.encrypt([1], to: pair.recipient, with: .a128GCM).compactSerialization().utf8)
        for index in signed.indices {
            for bit in 0..<8 {
                var flipped = signed
                flipped[index] ^= 1 << bit
                #expect(throws: JOSEError.self) {
                    try JWS(compact: flipped).verify(with: signer.publicKey, policy: .everything)
                }
            }
        }
        for index in encrypted.indices {
            for bit in 0..<8 {
                var flipped = encrypted
                flipped[index] ^= 1 << bit
                await #expect(throws: JOSEError.self) {
                    try await JWE(compact: flipped).decrypt(with: pair.key, policy: .everything)
                }
            }
        }
    }
}

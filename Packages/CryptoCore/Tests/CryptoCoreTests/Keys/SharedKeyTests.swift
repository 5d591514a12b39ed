import CryptoCore
import TestSupport
import Testing

@Suite struct SharedKeyTests {
    /// One key value used from many tasks at once: contexts of the engines belong to one call each.
    @Test(arguments: EllipticCurve.all.filter { $0.isSupported && $0.family != .montgomery })
    func keysAreUsedFromManyTasks(curve: EllipticCurve) async throws {
        let key = try PrivateKey.generate(curve)
        let algorithm = try #require(curve.naturalSignatureAlgorithm)
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in UInt8(0)..<32 {
                group.addTask {
                    let signature = try key.signature(for: [number], algorithm: algorithm)
                    let other = key.publicKey.isValidSignature(signature, for: [number, 1], algorithm: algorithm)
                    return key.publicKey.isValidSignature(signature, for: [number], algorithm: algorithm) && !other
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 32 && answers.allSatisfy { $0 })
    }

    @Test(arguments: EllipticCurve.all.filter { $0.isSupported && $0.family != .edwards })
    func agreementsRunFromManyTasks(curve: EllipticCurve) async throws {
        let key = try PrivateKey.generate(curve)
        let other = try PrivateKey.generate(curve)
        let expected = try other.sharedSecret(with: key.publicKey)
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<32 { group.addTask { try key.sharedSecret(with: other.publicKey) == expected } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 32 && answers.allSatisfy { $0 })
    }
}

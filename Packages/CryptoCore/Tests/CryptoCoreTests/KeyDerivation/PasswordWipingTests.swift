#if os(Linux)
import CryptoCore
import TestSupport
import Testing

/// Each test runs in a separate process and searches its memory.
@Suite struct PasswordWipingTests {
    @Test func nothingOfAPasswordOrOfTheKeyStays() async {
        await #expect(processExitsWith: .success) {
            var patterns: [HiddenBytes] = []
            for hash in [HashAlgorithm.sha1, .sha256, .sha384, .sha512] { try derive(hash, &patterns) }
            let found = try ProcessMemory.findings(patterns)
            guard patterns.count == 48, found.isEmpty else { throw Finding(names: found) }
        }
    }

    @Test func theSearchFindsAPasswordThatIsThere() async {
        await #expect(processExitsWith: .success) {
            let password = password(1)
            let found = try ProcessMemory.findings(patterns("password", password))
            guard found.count == 3 else { throw Finding(names: found) }
            withExtendedLifetime(password) {}
        }
    }
}

private struct Finding: Error {
    let names: [String]
}

private func patterns(_ name: String, _ bytes: SecretBytes) -> [HiddenBytes] {
    bytes.withUnsafeBytes { HiddenBytes.windows(name, $0) }
}

/// Bytes that are in no literal.
private func password(_ seed: UInt64, count: Int = 40) -> SecretBytes {
    var generator = RepeatableRandomNumberGenerator(seed: seed)
    return SecretBytes(count: count) {
        for index in $0.indices { $0[index] = UInt8.random(in: 1...255, using: &generator) }
    }
}

private func derive(_ hash: HashAlgorithm, _ found: inout [HiddenBytes]) throws {
    // A short password is a block of the HMAC; the memory of a long one is not soon reused.
    for count in [40, 700] {
        let password = password(UInt64(hash.digestSize), count: count)
        let key = try PBKDF2.deriveKey(hash: hash, password: password, salt: [1, 2, 3], iterations: 10, length: 700)
        found += patterns("password with \(hash)", password) + patterns("key with \(hash)", key)
    }
}
#endif

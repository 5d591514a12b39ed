import CryptoCore
import TestSupport
import Testing

/// bcrypt as PBKDF2's function.
///
/// The keys sealed by OpenSSH in `OpenSSHKeyTests` are the other half of the evidence.
@Suite struct BcryptPBKDFTests {
    private func key(_ password: String, _ salt: String, rounds: Int, length: Int) throws -> [UInt8] {
        try BcryptPBKDF.deriveKey(
            password: Array(password.utf8),
            salt: Array(salt.utf8),
            rounds: rounds,
            length: length
        )
        .withUnsafeBytes { [UInt8]($0) }
    }

    /// The value that implementations of OpenBSD's function are tested with.
    @Test func derivesThePublishedKey() throws {
        let key = try key("password", "salt", rounds: 4, length: 32)
        #expect(key.hex == "5bbf0cc293587f1c3635555c27796598d47e579071bf427e9d8fbe842aba34d9")
    }

    @Test func interleavesBlocks() throws {
        let short = try key("p", "s", rounds: 1, length: 32)
        let long = try key("p", "s", rounds: 1, length: 64)
        #expect(stride(from: 0, to: 64, by: 2).map { long[$0] } == short)
        #expect(try key("p", "s", rounds: 1, length: 40) == Array(long.prefix(40)))
    }

    @Test func refusesWhatIsOutOfRange() {
        for (password, salt, rounds, length) in [
            ("", "s", 1, 32), ("p", "", 1, 32), ("p", "s", 0, 32), ("p", "s", 1, 0), ("p", "s", 1, 1025),
        ] {
            let error = #expect(throws: CryptoError.self) {
                try key(password, salt, rounds: rounds, length: length)
            }
            #expect(error?.code == .invalidParameter)
        }
        let many = #expect(throws: CryptoError.self) {
            try key("p", "s", rounds: BcryptPBKDF.maximumRounds + 1, length: 32)
        }
        #expect(many?.code == .limitExceeded)
        let salt = String(repeating: "s", count: BcryptPBKDF.maximumSaltLength + 1)
        let long = #expect(throws: CryptoError.self) { try key("p", salt, rounds: 1, length: 32) }
        #expect(long?.code == .limitExceeded)
    }
}

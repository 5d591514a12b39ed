import CryptoCore
import TestSupport
import Testing

@Suite struct PBKDF2Tests {
    /// RFC 6070, section 2, with SHA-1; RFC 7914, section 11, with SHA-256.
    @Test(arguments: [
        (HashAlgorithm.sha1, "password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
        (.sha1, "password", "salt", 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
        (.sha1, "password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"),
        (
            .sha1, "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096,
            "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"
        ),
        (.sha1, "pass\0word", "sa\0lt", 4096, "56fa6aa75548099dcc37d7f03425e0c3"),
        (
            .sha256, "passwd", "salt", 1,
            """
            55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc
            49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783
            """
        ),
        (
            .sha256, "Password", "NaCl", 80_000,
            """
            4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56
            a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d
            """
        ),
    ])
    func printedExamples(
        _ hash: HashAlgorithm,
        _ password: String,
        _ salt: String,
        _ iterations: Int,
        _ expected: String
    ) throws {
        let expected = try #require([UInt8](hex: expected))
        let key = try PBKDF2.deriveKey(
            hash: hash,
            password: Array(password.utf8),
            salt: Array(salt.utf8),
            iterations: iterations,
            length: expected.count
        )
        #expect(key == SecretBytes(expected))
    }

    /// RFC 7517, appendix C.4: the key encryption key of PBES2-HS256+A128KW.
    @Test func printedExampleOfJOSE() throws {
        let salt = try #require([UInt8](hex: "d9609370967546f77f089b89ae2a50d7"))
        let key = try PBKDF2.deriveKey(
            hash: .sha256,
            password: Array("Thus from my lips, by yours, my sin is purged.".utf8),
            salt: Array("PBES2-HS256+A128KW\0".utf8) + salt,
            iterations: 4096,
            length: 16
        )
        let expected: [UInt8] = [110, 171, 169, 92, 129, 92, 109, 117, 233, 242, 116, 233, 170, 14, 24, 75]
        #expect(key == SecretBytes(expected))
    }

    @Test func iterationsEndAtTheLimit() throws {
        func derive(_ iterations: Int, limit: Int = PBKDF2.defaultIterationLimit) throws {
            _ = try PBKDF2.deriveKey(
                hash: .sha256,
                password: [1],
                salt: [2],
                iterations: iterations,
                length: 1,
                iterationLimit: limit
            )
        }
        try derive(1)
        try derive(1000, limit: 1000)
        expect(.limitExceeded) { try derive(1001, limit: 1000) }
        expect(.limitExceeded) { try derive(PBKDF2.defaultIterationLimit + 1) }
        expect(.limitExceeded) { try derive(.max, limit: .max) }
        for iterations in [0, -1, Int.min] { expect(.invalidParameter) { try derive(iterations) } }
    }

    @Test func lengthsAreBounded() throws {
        func derive(_ length: Int) throws -> SecretBytes {
            try PBKDF2.deriveKey(hash: .sha512, password: [1], salt: [2], iterations: 1, length: length)
        }
        #expect(try derive(PBKDF2.maximumLength).count == PBKDF2.maximumLength)
        for length in [PBKDF2.maximumLength + 1, 0, -1, Int.max] {
            expect(.invalidParameter) { _ = try derive(length) }
        }
    }

    @Test(arguments: [HashAlgorithm.sha1, .sha256, .sha384, .sha512])
    func emptyPasswordAndSaltHaveAKey(_ hash: HashAlgorithm) throws {
        // One iteration and one block: the HMAC of salt and block number (RFC 8018, section 5.2).
        let key = try PBKDF2.deriveKey(
            hash: hash,
            password: [UInt8](),
            salt: [UInt8](),
            iterations: 1,
            length: hash.digestSize
        )
        let code = HMAC.authenticationCode(for: [0, 0, 0, 1] as [UInt8], key: [UInt8](), hash: hash)
        #expect(key == SecretBytes(code))
    }
}

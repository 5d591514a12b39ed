import CryptoCore
import TestSupport
import Testing

@Suite struct ScryptTests {
    /// RFC 7914, section 12.
    @Test(arguments: [
        (
            "password", "NaCl", 1024, 8, 16,
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
        (
            "pleaseletmein", "SodiumChloride", 16384, 8, 1,
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        ),
    ])
    func derivesTheKeysOfTheStandard(
        _ password: String,
        _ salt: String,
        _ cost: Int,
        _ blockSize: Int,
        _ parallelism: Int,
        _ expected: String
    ) throws {
        let parameters = try Scrypt.Parameters(cost: cost, blockSize: blockSize, parallelism: parallelism)
        let key = try Scrypt.deriveKey(
            password: Array(password.utf8),
            salt: Array(salt.utf8),
            parameters: parameters,
            length: 64
        )
        #expect(key == SecretBytes(try #require([UInt8](hex: expected))))
    }
    @Test func derivesFromAnEmptyPassword() throws {
        let parameters = try Scrypt.Parameters(cost: 16, blockSize: 1)
        let key = try Scrypt.deriveKey(password: [UInt8](), salt: [1], parameters: parameters, length: 32)
        #expect(key.count == 32 && key != SecretBytes(count: 32) { _ in })
    }

    @Test(arguments: [(0, 8, 1), (1, 8, 1), (-2, 8, 1), (24, 8, 1), (16, 0, 1), (16, 8, 0)])
    func refusesParametersThatMeanNothing(_ cost: Int, _ blockSize: Int, _ parallelism: Int) {
        let error = #expect(throws: CryptoError.self) {
            _ = try Scrypt.Parameters(cost: cost, blockSize: blockSize, parallelism: parallelism)
        }
        #expect(error?.code == .invalidParameter)
    }

    @Test(arguments: [(1 << 19, 8, 1), (1 << 62, 8, 1), (2, .max, 1), (16, 8, 17)])
    func refusesParametersThatTakeTooMuch(_ cost: Int, _ blockSize: Int, _ parallelism: Int) throws {
        let error = #expect(throws: CryptoError.self) {
            _ = try Scrypt.Parameters(cost: cost, blockSize: blockSize, parallelism: parallelism)
        }
        #expect(error?.code == .limitExceeded)
        #expect(try Scrypt.Parameters(cost: 1 << 18).cost == 1 << 18)
    }

    @Test(arguments: [(0, 32), (16, 0), (16, -1), (16, 1025)])
    func refusesSaltsAndLengthsOutOfRange(_ saltCount: Int, _ length: Int) {
        let error = #expect(throws: CryptoError.self) {
            _ = try Scrypt.deriveKey(password: [1], salt: [UInt8](repeating: 1, count: saltCount), length: length)
        }
        #expect(error?.code == .invalidParameter)
    }
}

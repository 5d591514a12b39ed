import CryptoCore
import TestSupport
import Testing

@Suite struct AESMACTests {
    /// RFC 4493, section 4.
    @Test(arguments: [
        (0, "bb1d6929e95937287fa37d129b756746"),
        (16, "070a16b46b4d4144f79bdd9dd04a287c"),
        (40, "dfa66747de9ae63030ca32611497c827"),
        (64, "51f0bebf7e3b9d92fc49741779363cfe"),
    ])
    func printedCMACs(_ length: Int, _ code: String) throws {
        let key = try #require([UInt8](hex: "2b7e151628aed2a6abf7158809cf4f3c"))
        let message = try #require([UInt8](hex: Self.message)).prefix(length)
        #expect(try AESCMAC.authenticationCode(for: message, key: key).hex == code)
    }

    /// One block under a zero vector is plain AES: FIPS 197, appendix C.
    @Test(arguments: [
        (16, "69c4e0d86a7b0430d8cdb78070b4c55a"),
        (24, "dda97ca4864cdfe06eaf70a0ec0d7191"),
        (32, "8ea2b7ca516745bfeafc49904b496089"),
    ])
    func cbcMACOfOneBlockIsTheBlockCipher(_ keySize: UInt8, _ code: String) throws {
        let message = try #require([UInt8](hex: "00112233445566778899aabbccddeeff"))
        #expect(try AESCBCMAC.authenticationCode(for: message, key: [UInt8](0..<keySize)).hex == code)
    }

    /// The last block of NIST SP 800-38A, section F.2.1, whose vector goes into the first block here.
    @Test func cbcMACChainsItsBlocks() throws {
        let key = try #require([UInt8](hex: "2b7e151628aed2a6abf7158809cf4f3c"))
        var message = try #require([UInt8](hex: Self.message))
        for index in 0..<16 { message[index] ^= UInt8(index) }
        let code = try AESCBCMAC.authenticationCode(for: message, key: key)
        #expect(code.hex == "3ff1caa1681fac09120eca307586e1a7")
    }

    /// RFC 9052, appendix C.5.1 and C.6.1: the `MAC_structure` of AES-CBC-MAC-256/64 over "This is the content.".
    @Test(arguments: [
        ("84634d414343a1010f4054546869732069732074686520636f6e74656e742e", "9e1226ba1f81b848"),
        ("84644d41433043a1010f4054546869732069732074686520636f6e74656e742e", "726043745027214f"),
    ])
    func printedCBCMACs(_ structure: String, _ tag: String) throws {
        let key = try #require(
            [UInt8](hex: "849b57219dae48de646d07dbb533566e976686457c1491be3a76dcea6c427188")
        )
        let structure = try #require([UInt8](hex: structure))
        #expect(try MACAlgorithm.aesMAC256_64.authenticationCode(for: structure, key: key).hex == tag)
    }

    @Test func cbcMACFillsUpWithZeros() throws {
        let key = [UInt8](0..<16)
        let full = [UInt8](repeating: 5, count: 3) + [UInt8](repeating: 0, count: 13)
        #expect(
            try AESCBCMAC.authenticationCode(for: [5, 5, 5], key: key)
                == AESCBCMAC.authenticationCode(for: full, key: key)
        )
        #expect(
            try AESCBCMAC.authenticationCode(for: [UInt8](), key: key)
                == AESCBCMAC.authenticationCode(for: [UInt8](repeating: 0, count: 16), key: key)
        )
    }

    @Test(arguments: [0, 8, 15, 17, 31, 33, 64])
    func otherKeySizesAreRefused(_ size: Int) {
        let key = [UInt8](repeating: 0, count: size)
        expect(.invalidLength) { _ = try AESCMAC.authenticationCode(for: [1], key: key) }
        expect(.invalidLength) { _ = try AESCBCMAC.authenticationCode(for: [1], key: key) }
    }

    private static let message = """
        6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51
        30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710
        """
}

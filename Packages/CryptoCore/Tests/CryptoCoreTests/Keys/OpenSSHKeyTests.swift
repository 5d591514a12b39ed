import CryptoCore
import TestSupport
import Testing

/// Private keys in OpenSSH's form, sealed with a passphrase.
///
/// The two here were made by `ssh-keygen` 9.2 for these tests.
@Suite struct OpenSSHKeyTests {
    private static let p256 = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABATepL2mM
        icxPlBrSd6b3tHAAAAAgAAAAEAAABoAAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlz
        dHAyNTYAAABBBDb6KwlWSB43UKYiZCkvZZ0p/EPlCMIligDCmkrew3nknghv5e0RUDHyRa
        ILizSQ9wHpB3JrqLVsOoVZLSXXOssAAACgHC/vJKSRk2iSfW7jlXnIc8telTXeH5ULa51O
        bCTz2kFihPMI2nS+bchGCJVnUmp3Xl6Q4DuJKTukfZiRyImMgT9pCifgKA2xtCbfHGXoZC
        QVYsFQ763c1J6wAGj7/KFWaNalXPdWFwQMenkv4gm1G7QkvOdpSVRdC3dTre7Qyyj8XDgf
        kFZYdBbAmuYq7QpHHFPzdjvEnyB02kX1lKmeiQ==
        -----END OPENSSH PRIVATE KEY-----
        """
    private static let p521 = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABDjunco5d
        VaxPHVAQJ26ZJYAAAAAQAAAAEAAACsAAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlz
        dHA1MjEAAACFBADHouiXp/hWGCrYQTsBkatYSkaQt2G/SLkgIaERFx8TMTg7MUF1KvzIDD
        ZlnISboyzia5/7nlMsK+kfC8F0EkgH+gG0wG0cPchsgjz2Yf7aCntCS+smt7bZcm+eahC+
        h6s87dqE7y/6ErqYSuEH+cug9VbJThJzFtK8sb1MD03l3ZV/MgAAAQAyL/Kw78+zOVhtN7
        lUVjURGrcTKCG7BBLsAeTmkUKyccudvZ/wx7eJ8s3Gx1uCASpaM/FaBxhaesrdJJM3Zvmc
        afplmsxOYMlsUumNk2A9EqP2vioOwGVVPyqBT9YqWtppE29Kvt3ziA739tsZiggeu7IOPX
        Pk7sFPMLkArEUVPtGrcJcTZtxEx4+efvTfZyGMKkjkg9D9+07uqsVnnHlpYfiRO9joy4xz
        eoLMLPZBWDP/RakFCV0Xm89EFFD0cbb4knEQM+MjVWpbU5gCoUcWOvbUZsLM3KMicfUcOc
        uQXcYQmLLrNxQSDQdihbnI8htsa/3uGNFhqNL9cwKJDNah
        -----END OPENSSH PRIVATE KEY-----
        """
    private static let passphrase = Array("correct".utf8)

    private func bytes(_ text: String) throws -> [UInt8] { try PEM(text).bytes }

    private func expectError(
        _ code: CryptoError.Code,
        in bytes: [UInt8],
        passphrase: [UInt8] = passphrase,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: CryptoError.self, sourceLocation: sourceLocation) {
            try PrivateKey(openSSH: bytes, passphrase: passphrase)
        }
        #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
    }

    @Test func opensKeysOfOpenSSH() throws {
        let small = try PrivateKey(openSSH: bytes(Self.p256), passphrase: Self.passphrase)
        #expect(small.publicKey.curve == .p256)
        let scalar = try #require(small.rawRepresentation).withUnsafeBytes { [UInt8]($0) }
        #expect(scalar == [UInt8](hex: "7495dda16860a456123a966267e670dd35c53099be5a3dd69f1b04a2039807a7"))
        let large = try PrivateKey(openSSH: bytes(Self.p521), passphrase: Self.passphrase)
        #expect(large.publicKey.curve == .p521)
    }

    @Test func opensWhatItSeals() throws {
        for curve in [EllipticCurve.p256, .p384, .p521] {
            let key = try PrivateKey.generate(curve)
            let sealed = try key.openSSH(passphrase: Self.passphrase, rounds: 1)
            let opened = try PrivateKey(openSSH: sealed, passphrase: Self.passphrase)
            #expect(opened.publicKey == key.publicKey)
            #expect(opened.rawRepresentation == key.rawRepresentation)
        }
        let other = try PrivateKey.generate(.ed25519)
        #expect(throws: CryptoError.self) { try other.openSSH(passphrase: Self.passphrase, rounds: 1) }
    }

    @Test func refusesOtherPassphrases() throws {
        let sealed = try bytes(Self.p256)
        expectError(.authenticationFailure, in: sealed, passphrase: Array("Correct".utf8))
        expectError(.invalidParameter, in: sealed, passphrase: [])
    }

    @Test func refusesMalformedStructures() throws {
        let sealed = try bytes(Self.p256)
        for count in [0, 14, 15, 40, 60, 100, sealed.count - 1] {
            expectError(.invalidParameter, in: Array(sealed.prefix(count)))
        }
        expectError(.invalidParameter, in: sealed + [0])
        var changed = sealed
        changed[0] ^= 1
        expectError(.invalidParameter, in: changed)
        // The name of the cipher.
        changed = sealed
        changed[19] ^= 1
        expectError(.unsupported, in: changed)
        // The number of rounds: four bytes behind the salt.
        let salt = try #require(sealed.firstRange(of: [0, 0, 0, 16]))
        changed = sealed
        changed.replaceSubrange(salt.upperBound + 16..<salt.upperBound + 20, with: [0, 0, 8, 1])
        expectError(.limitExceeded, in: changed)
        changed.replaceSubrange(salt.upperBound + 16..<salt.upperBound + 20, with: [0, 0, 0, 0])
        expectError(.invalidParameter, in: changed)
        // The number of keys.
        changed = sealed
        changed[salt.upperBound + 23] = 2
        expectError(.unsupported, in: changed)
        // The public key that stands in clear.
        let point = try #require(sealed.firstRange(of: [0, 0, 0, 65, 4]))
        changed = sealed
        changed[point.upperBound] ^= 1
        expectError(.keyPairMismatch, in: changed)
        // The last byte of the padding.
        changed = sealed
        changed[changed.count - 1] ^= 1
        expectError(.invalidParameter, in: changed)
    }
}

@_spi(Layers) import CryptoCore
import TestSupport
import Testing

@Suite struct RSAKeyTests {
    static let key = Result { try PrivateKey.generateRSA(bits: 2048) }
    static let message = Array("a message to be signed".utf8)

    static let algorithms: [SignatureAlgorithm] = [
        .rsaPKCS1SHA256, .rsaPKCS1SHA384, .rsaPKCS1SHA512, .rsaPSSSHA256, .rsaPSSSHA384, .rsaPSSSHA512,
        SignatureAlgorithm.Insecure.rsaPKCS1SHA1, SignatureAlgorithm.Insecure.rsaPSSSHA1,
    ]

    @Test(arguments: algorithms)
    func signedMessagesVerifyAndChangedOnesDoNot(algorithm: SignatureAlgorithm) throws {
        let key = try Self.key.get()
        let signature = try key.signature(for: Self.message, algorithm: algorithm)
        #expect(signature.count == 256)
        #expect(algorithm.supports(key.publicKey))
        #expect(key.publicKey.isValidSignature(signature, for: Self.message, algorithm: algorithm))
        #expect(!key.publicKey.isValidSignature(signature, for: Self.message + [0], algorithm: algorithm))
        let (head, rest) = (Self.message.prefix(9), Self.message.dropFirst(9))
        #expect(key.publicKey.isValidSignature(signature, for: head, followedBy: rest, algorithm: algorithm))
        #expect(!key.publicKey.isValidSignature(signature, for: rest, followedBy: head, algorithm: algorithm))
        #expect(!key.publicKey.isValidSignature(signature.dropLast(), for: Self.message, algorithm: algorithm))
        #expect(!key.publicKey.isValidSignature([0] + signature, for: Self.message, algorithm: algorithm))
        for other in Self.algorithms where other != algorithm {
            #expect(!key.publicKey.isValidSignature(signature, for: Self.message, algorithm: other))
        }
        for bit in stride(from: 0, to: signature.count * 8, by: 97) {
            let changed = signature.flipping(bit)
            #expect(!key.publicKey.isValidSignature(changed, for: Self.message, algorithm: algorithm))
        }
    }

    #if OpenSSL
    @Test(arguments: algorithms)
    func digestsGiveTheSameAnswers(algorithm: SignatureAlgorithm) throws {
        let key = try Self.key.get()
        let digest = try #require(algorithm.hash).digest(of: Self.message)
        let signature = try key.signature(digest: digest, algorithm: algorithm)
        #expect(key.publicKey.isValidSignature(signature, for: Self.message, algorithm: algorithm))
        #expect(key.publicKey.isValidSignature(signature, digest: digest, algorithm: algorithm))
        #expect(!key.publicKey.isValidSignature(signature, digest: digest.flipping(0), algorithm: algorithm))
        expect(.invalidLength) { _ = try key.signature(digest: digest.dropLast(), algorithm: algorithm) }
    }

    @Test func saltsOfOtherLengths() throws {
        let key = try Self.key.get()
        let none = try SignatureAlgorithm.rsaPSS(.sha256, saltLength: 0)
        let twenty = try SignatureAlgorithm.rsaPSS(.sha256, mgf: .sha1, saltLength: 20)
        for (algorithm, other) in [(none, twenty), (twenty, none)] {
            let signature = try key.signature(for: Self.message, algorithm: algorithm)
            #expect(key.publicKey.isValidSignature(signature, for: Self.message, algorithm: algorithm))
            #expect(!key.publicKey.isValidSignature(signature, for: Self.message, algorithm: other))
        }
        #expect(
            try key.signature(for: Self.message, algorithm: none) == key.signature(for: Self.message, algorithm: none)
        )
        #expect(none.name == "RSASSA-PSS-SHA256-MGF1-SHA256-salt0")
        let tooLong = try SignatureAlgorithm.rsaPSS(.sha256, saltLength: 300)
        expect(.engineFailure) { _ = try key.signature(for: Self.message, algorithm: tooLong) }
    }

    /// A modulus above swift-crypto's bound and an exponent above its 33 bits.
    @Test(arguments: [(9000, [1, 0, 1] as [UInt8]), (2048, [0x12, 0x34, 0x56, 0x78, 0x9b])])
    func unusualSizesHaveAnEngine(bits: Int, exponent: [UInt8]) throws {
        let modulus = Self.modulus(bits: bits)
        let key = try PublicKey(rsaModulus: modulus, exponent: exponent)
        #expect(key.rsaModulusBits == bits)
        let signature = [UInt8](repeating: 1, count: modulus.count)
        #expect(!key.isValidSignature(signature, for: Self.message, algorithm: .rsaPKCS1SHA256))
    }
    #endif

    /// `AlgorithmIdentifier`s of keys for PSS only: without parameters, and with SHA-256 and a salt of 32 bytes (RFC 4055).
    static let pssOnly = "300b06092a864886f70d01010a"
    static let pssSHA256 = """
        304106092a864886f70d01010a3034a00f300d06096086480165030402010500a11c301a06092a864886f70d010108
        300d06096086480165030402010500a203020120
        """

    @Test(arguments: [pssOnly, pssSHA256])
    func keysMarkedForPSSDoNothingElse(identifier: String) throws {
        let identifier = try #require([UInt8](hex: identifier))
        let plain = try Self.key.get()
        let spki = try #require(Self.replacingIdentifier(in: plain.publicKey.subjectPublicKeyInfo, with: identifier))
        let marked = try PublicKey(subjectPublicKeyInfo: spki)
        #expect(marked.subjectPublicKeyInfo == spki && marked != plain.publicKey)
        #expect(SignatureAlgorithm.rsaPSSSHA256.supports(marked))
        #expect(!SignatureAlgorithm.rsaPKCS1SHA256.supports(marked))
        let isOpen = identifier.count == 13
        #expect(SignatureAlgorithm.rsaPSSSHA384.supports(marked) == isOpen)
        for algorithm in [SignatureAlgorithm.rsaPSSSHA256, .rsaPSSSHA384, .rsaPKCS1SHA256] {
            let signature = try plain.signature(for: Self.message, algorithm: algorithm)
            let isValid = marked.isValidSignature(signature, for: Self.message, algorithm: algorithm)
            #expect(isValid == algorithm.supports(marked))
        }
        let pkcs8 = plain.pkcs8.withUnsafeBytes { Array($0) }
        let markedKey = try PrivateKey(pkcs8: #require(Self.replacingIdentifier(in: pkcs8, with: identifier)))
        #expect(markedKey.publicKey == marked)
        #expect(try SoftwareSigner(markedKey).algorithm == .rsaPSSSHA256)
        expect(.keyMismatch) { _ = try markedKey.signature(for: Self.message, algorithm: .rsaPKCS1SHA256) }
        #expect(try PrivateKey(pkcs8: markedKey.pkcs8).publicKey == marked)
    }

    @Test func shorterSaltsThanTheKeyDemandsAreRefused() throws {
        let identifier = try #require([UInt8](hex: Self.pssSHA256))
        let spki = try Self.key.get().publicKey.subjectPublicKeyInfo
        let marked = try PublicKey(subjectPublicKeyInfo: #require(Self.replacingIdentifier(in: spki, with: identifier)))
        #expect(try !SignatureAlgorithm.rsaPSS(.sha256, saltLength: 31).supports(marked))
        #expect(try !SignatureAlgorithm.rsaPSS(.sha256, mgf: .sha1, saltLength: 32).supports(marked))
    }

    @Test func roundTripsInEveryForm() throws {
        let key = try Self.key.get()
        let publicKey = key.publicKey
        #expect(publicKey.type == .rsa && publicKey.curve == nil && publicKey.rsaModulusBits == 2048)
        #expect(publicKey.rsaExponent == [1, 0, 1])
        #expect(try PublicKey(subjectPublicKeyInfo: publicKey.subjectPublicKeyInfo) == publicKey)
        #expect(try PublicKey(pem: publicKey.pem) == publicKey)
        let pkcs1 = try #require(publicKey.pkcs1)
        #expect(try PublicKey(pkcs1: pkcs1) == publicKey)
        #expect(try PublicKey(pem: PEM(label: "RSA PUBLIC KEY", bytes: pkcs1).text) == publicKey)
        #expect(try PrivateKey(pkcs8: key.pkcs8).publicKey == publicKey)
        let privatePKCS1 = try #require(key.pkcs1)
        #expect(try PrivateKey(pkcs1: privatePKCS1).pkcs1 == privatePKCS1)
        let text = PEM(label: "RSA PRIVATE KEY", bytes: privatePKCS1.withUnsafeBytes { Array($0) }).text
        #expect(try PrivateKey(pem: text).publicKey == publicKey)
        #expect(try PrivateKey(pem: key.pem).publicKey == publicKey)
        #expect("\(publicKey)" == "PublicKey(RSA, 2048 bits)" && "\(key)" == "PrivateKey(RSA, 2048 bits)")
    }

    @Test func primesAreComputedFromThePrivateExponent() throws {
        let key = try Self.key.get()
        let numbers = try #require(key.rsaComponents)
        let restored = try PrivateKey(
            rsaModulus: numbers.modulus,
            exponent: numbers.publicExponent,
            privateExponent: numbers.privateExponent
        )
        let signature = try restored.signature(for: Self.message, algorithm: .rsaPSSSHA256)
        #expect(key.publicKey.isValidSignature(signature, for: Self.message, algorithm: .rsaPSSSHA256))
        expect(.invalidRSAKey) {
            _ = try PrivateKey(
                rsaModulus: numbers.modulus,
                exponent: numbers.publicExponent,
                privateExponent: numbers.prime1
            )
        }
    }

    @Test func numbersThatDoNotBelongTogetherAreRefused() throws {
        let numbers = try #require(try Self.key.get().rsaComponents)
        let other = try #require(try PrivateKey.generateRSA(bits: 2048).rsaComponents)
        for index in 0..<6 {
            let mixed = numbers.replacing(index, from: other)
            expect(.invalidRSAKey) { _ = try PrivateKey(rsaComponents: mixed) }
        }
    }

    /// A modulus that is 65537 modulo each of the primes that CVE-2017-15361 is recognized by, and one that is not.
    @Test func keysThatCanBeFactoredAreRefused() throws {
        let product = try #require([UInt8](hex: "0a04916af44a0a5e1ba5b4b8fd"))
        let modulus = product + [UInt8](repeating: 0, count: 241) + [1, 0, 1]
        expect(.weakKey) { _ = try PublicKey(rsaModulus: modulus, exponent: [1, 0, 1] as [UInt8]) }
        _ = try PublicKey(rsaModulus: modulus.dropLast() + [3], exponent: [1, 0, 1] as [UInt8])
    }

    @Test func sizesOutOfBoundsAreRefused() throws {
        let exponent: [UInt8] = [1, 0, 1]
        expect(.weakKey) { _ = try PublicKey(rsaModulus: Self.modulus(bits: 2047), exponent: exponent) }
        expect(.weakKey) { _ = try PublicKey(rsaModulus: Self.modulus(bits: 1024), exponent: exponent) }
        expect(.invalidRSAKey) { _ = try PublicKey(rsaModulus: Self.modulus(bits: 1023), exponent: exponent) }
        expect(.invalidRSAKey) { _ = try PublicKey(rsaModulus: Self.modulus(bits: 16385), exponent: exponent) }
        expect(.invalidRSAKey) { _ = try PublicKey(rsaModulus: [UInt8](), exponent: exponent) }
        let short = try PublicKey(rsaModulus: Self.modulus(bits: 1024), exponent: exponent, options: .insecureShortRSA)
        #expect(short.rsaModulusBits == 1024)
        var even = Self.modulus(bits: 2048)
        even[even.count - 1] &= 0xfe
        expect(.invalidRSAKey) { _ = try PublicKey(rsaModulus: even, exponent: exponent) }
        let modulus = Self.modulus(bits: 2048)
        for wrong in [[], [0], [1], [0, 1], [2], [1, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 1]] as [[UInt8]] {
            expect(.invalidRSAKey) { _ = try PublicKey(rsaModulus: modulus, exponent: wrong) }
        }
        for bits in [0, 1024, 2047, 2049, 4352, 1 << 20] {
            expect(.invalidParameter) { _ = try PrivateKey.generateRSA(bits: bits) }
        }
    }

    @Test func weakHashesNeedTheirName() {
        expect(.unsupported) { _ = try SignatureAlgorithm.rsaPSS(.sha1, saltLength: 20) }
        expect(.invalidParameter) { _ = try SignatureAlgorithm.rsaPSS(.sha256, saltLength: -1) }
        expect(.invalidParameter) { _ = try SignatureAlgorithm.rsaPSS(.sha256, saltLength: 1025) }
    }

    @Test(arguments: [3072, 4096])
    func largerKeysAreGenerated(bits: Int) async throws {
        let signer = try SoftwareSigner(PrivateKey.generateRSA(bits: bits))
        #expect(signer.algorithm == .rsaPSSSHA256)
        let signature = try signer.signature(for: Self.message)
        #expect(signature.count == bits / 8)
        #expect(signer.publicKey.isValidSignature(signature, for: Self.message, algorithm: signer.algorithm))
    }

    /// A structure of 256 bytes or more with the identifier `rsaEncryption` in it replaced by another one.
    private static func replacingIdentifier(in structure: [UInt8], with identifier: [UInt8]) -> [UInt8]? {
        guard let plain = [UInt8](hex: "300d06092a864886f70d0101010500"),
            let start = structure.indices.first(where: { structure[$0...].starts(with: plain) })
        else { return nil }
        let content = structure[4..<start] + identifier + structure[(start + plain.count)...]
        return [0x30, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
    }

    /// An odd number of the given size; that it is no product of two primes is not looked at.
    private static func modulus(bits: Int) -> [UInt8] {
        var number = [UInt8](repeating: 0xa7, count: (bits + 7) / 8)
        let unused = UInt8((8 - bits % 8) % 8)
        number[0] = (0xff >> unused) & ~(0x7f >> unused) | 0x01 & (0x7f >> unused)
        return number
    }
}

extension RSAPrivateComponents {
    /// The secret numbers in the order of PKCS #1.
    fileprivate var secrets: [SecretBytes] {
        [privateExponent, prime1, prime2, exponent1, exponent2, coefficient]
    }

    /// The numbers with one of the secret ones taken from another key.
    fileprivate func replacing(_ index: Int, from other: RSAPrivateComponents) -> RSAPrivateComponents {
        var numbers = secrets
        numbers[index] = other.secrets[index]
        return RSAPrivateComponents(
            modulus: modulus,
            publicExponent: publicExponent,
            privateExponent: numbers[0],
            prime1: numbers[1],
            prime2: numbers[2],
            exponent1: numbers[3],
            exponent2: numbers[4],
            coefficient: numbers[5]
        )
    }
}

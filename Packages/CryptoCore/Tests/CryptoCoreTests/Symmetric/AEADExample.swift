import CryptoCore
import TestSupport
import Testing

/// An encryption that a standard prints: all inputs, and what must come out.
struct AEADExample: Sendable, CustomTestStringConvertible {
    let source: String
    let algorithm: AEADAlgorithm
    let key: String
    let nonce: String
    let additionalData: String
    let plaintext: String
    let ciphertext: String
    let tag: String

    var testDescription: String { "\(algorithm), \(source)" }

    static let all: [AEADExample] =
        galoisCounterMode + chaCha + counterWithCBCMAC + cbcHMAC

    private static let galoisCounterMode: [AEADExample] = [
        gcm(
            "test case 4",
            .aes128GCM,
            key: "feffe9928665731c6d6a8f9467308308",
            """
            42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e
            21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091
            """,
            tag: "5bc94fbc3221a5db94fae95ae7121a47"
        ),
        gcm(
            "test case 10",
            .aes192GCM,
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c",
            """
            3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c
            7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710
            """,
            tag: "2519498e80f1478f37ba55bd6d27618c"
        ),
        gcm(
            "test case 16",
            .aes256GCM,
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            """
            522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
            8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
            """,
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"
        ),
    ]

    private static func gcm(
        _ name: String,
        _ algorithm: AEADAlgorithm,
        key: String,
        _ ciphertext: String,
        tag: String
    ) -> AEADExample {
        AEADExample(
            source: "McGrew and Viega, The Galois/Counter Mode of Operation, appendix B, \(name)",
            algorithm: algorithm,
            key: key,
            nonce: "cafebabefacedbaddecaf888",
            additionalData: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            plaintext: """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
                """,
            ciphertext: ciphertext,
            tag: tag
        )
    }

    private static let sunscreen = Array(
        """
        Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.
        """.utf8
    ).hex

    private static let chaCha: [AEADExample] = [
        AEADExample(
            source: "RFC 8439, section 2.8.2",
            algorithm: .chaCha20Poly1305,
            key: "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
            nonce: "070000004041424344454647",
            additionalData: "50515253c0c1c2c3c4c5c6c7",
            plaintext: sunscreen,
            ciphertext: """
                d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6
                3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36
                92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc
                3ff4def08e4b7a9de576d26586cec64b6116
                """,
            tag: "1ae10b594f09e26a7e902ecbd0600691"
        ),
        AEADExample(
            source: "draft-irtf-cfrg-xchacha-03, appendix A.3.1",
            algorithm: .xChaCha20Poly1305,
            key: "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
            nonce: "404142434445464748494a4b4c4d4e4f5051525354555657",
            additionalData: "50515253c0c1c2c3c4c5c6c7",
            plaintext: sunscreen,
            ciphertext: """
                bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb
                731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452
                2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9
                21f9664c97637da9768812f615c68b13b52e
                """,
            tag: "c0875924c1c7987947deafd8780acf49"
        ),
    ]

    private static let counterWithCBCMAC: [AEADExample] = [
        AEADExample(
            source: "RFC 3610, packet vector 1",
            algorithm: .aesCCM_16_64_128,
            key: "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf",
            nonce: "00000003020100a0a1a2a3a4a5",
            additionalData: "0001020304050607",
            plaintext: "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
            ciphertext: "588c979a61c663d2f066d0c2c0f989806d5f6b61dac384",
            tag: "17e8d12cfdf926e0"
        ),
        example38C(
            "C.1",
            nonce: "10111213141516",
            additionalData: "0001020304050607",
            plaintext: "20212223",
            ciphertext: "7162015b",
            tag: "4dac255d"
        ),
        example38C(
            "C.2",
            nonce: "1011121314151617",
            additionalData: "000102030405060708090a0b0c0d0e0f",
            plaintext: "202122232425262728292a2b2c2d2e2f",
            ciphertext: "d2a1f0e051ea5f62081a7792073d593d",
            tag: "1fc64fbfaccd"
        ),
        example38C(
            "C.3",
            nonce: "101112131415161718191a1b",
            additionalData: "000102030405060708090a0b0c0d0e0f10111213",
            plaintext: "202122232425262728292a2b2c2d2e2f3031323334353637",
            ciphertext: "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5",
            tag: "484392fbc1b09951"
        ),
    ].compactMap { $0 }

    /// Nil where the parameters are not CCM's, which the count of the examples would show.
    private static func example38C(
        _ section: String,
        nonce: String,
        additionalData: String,
        plaintext: String,
        ciphertext: String,
        tag: String
    ) -> AEADExample? {
        guard
            let algorithm = try? AEADAlgorithm.aesCCM(
                keySize: 16,
                nonceSize: nonce.count / 2,
                tagSize: tag.count / 2
            )
        else { return nil }
        return AEADExample(
            source: "NIST SP 800-38C, example \(section)",
            algorithm: algorithm,
            key: "404142434445464748494a4b4c4d4e4f",
            nonce: nonce,
            additionalData: additionalData,
            plaintext: plaintext,
            ciphertext: ciphertext,
            tag: tag
        )
    }

    private static let cbcHMAC: [AEADExample] = [
        jose(
            "B.1",
            .aes128CBC_HS256,
            """
            c80edfa32ddf39d5ef00c0b468834279a2e46a1b8049f792f76bfe54b903a9c9
            a94ac9b47ad2655c5f10f9aef71427e2fc6f9b3f399a221489f16362c7032336
            09d45ac69864e3321cf82935ac4096c86e133314c54019e8ca7980dfa4b9cf1b
            384c486f3a54c51078158ee5d79de59fbd34d848b3d69550a67646344427ade5
            4b8851ffb598f7f80074b9473c82e2db
            """,
            tag: "652c3fa36b0a7c5b3219fab3a30bc1c4"
        ),
        jose(
            "B.2",
            .aes192CBC_HS384,
            """
            ea65da6b59e61edb419be62d19712ae5d303eeb50052d0dfd6697f77224c8edb
            000d279bdc14c1072654bd30944230c657bed4ca0c9f4a8466f22b226d174621
            4bf8cfc2400add9f5126e479663fc90b3bed787a2f0ffcbf3904be2a641d5c21
            05bfe591bae23b1d7449e532eef60a9ac8bb6c6b01d35d49787bcd57ef484927
            f280adc91ac0c4e79c7b11efc60054e3
            """,
            tag: "8490ac0e58949bfe51875d733f93ac2075168039ccc733d7"
        ),
        jose(
            "B.3",
            .aes256CBC_HS512,
            """
            4affaaadb78c31c5da4b1b590d10ffbd3dd8d5d302423526912da037ecbcc7bd
            822c301dd67c373bccb584ad3e9279c2e6d12a1374b77f077553df829410446b
            36ebd97066296ae6427ea75c2e0846a11a09ccf5370dc80bfecbad28c73f09b3
            a3b75e662a2594410ae496b2e2e6609e31e6e02cc837f053d21f37ff4f51950b
            be2638d09dd7a4930930806d0703b1f6
            """,
            tag: "4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5"
        ),
    ]

    private static func jose(
        _ section: String,
        _ algorithm: AEADAlgorithm,
        _ ciphertext: String,
        tag: String
    ) -> AEADExample {
        let plaintext = """
            A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy \
            without inconvenience
            """
        return AEADExample(
            source: "RFC 7518, appendix \(section)",
            algorithm: algorithm,
            key: (0..<UInt8(algorithm.keySize)).map { $0 }.hex,
            nonce: "1af38c2dc2b96ffdd86694092341bc04",
            additionalData: Array("The second principle of Auguste Kerckhoffs".utf8).hex,
            plaintext: Array(plaintext.utf8).hex,
            ciphertext: ciphertext,
            tag: tag
        )
    }
}

import CryptoCore
import TestSupport
import Testing

/// Figures that RFCs print.
@Suite struct PublishedFigureTests {
    struct Signature: CustomTestStringConvertible {
        let source: String
        let curve: EllipticCurve
        let secret: String
        let publicKey: String
        let message: String
        let algorithm: SignatureAlgorithm
        let signature: String
        var testDescription: String { source }
    }

    static let signatures: [Signature] = [
        Signature(
            source: "RFC 8032, 7.1, TEST 1",
            curve: .ed25519,
            secret: """
                9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60
                """,
            publicKey: """
                d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a
                """,
            message: "",
            algorithm: .ed25519,
            signature: """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b
                d25bf5f0595bbe24655141438e7a100b
                """
        ),
        Signature(
            source: "RFC 8032, 7.1, TEST 3",
            curve: .ed25519,
            secret: """
                c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7
                """,
            publicKey: """
                fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025
                """,
            message: "af82",
            algorithm: .ed25519,
            signature: """
                6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659
                4a7c15e9716ed28dc027beceea1ec40a
                """
        ),
        Signature(
            source: "RFC 8032, 7.4, Blank",
            curve: .ed448,
            secret: """
                6c82a562cb808d10d632be89c8513ebf6c929f34ddfa8c9f63c9960ef6e348a3528c8a3fcc2f044e39a3fc5b94492f8f
                032e7549a20098f95b
                """,
            publicKey: """
                5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778edf124769b46c7061bd6783df1e50f6c
                d1fa1abeafe8256180
                """,
            message: "",
            algorithm: .ed448,
            signature: """
                533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f2b233f034f628281f2fd7a22ddd47d78
                28c59bd0a21bfd3980ff0d2028d4b18a9df63e006c5d1c2d345b925d8dc00b4104852db99ac5c7cdda8530a113a0f4db
                b61149f05a7363268c71d95808ff2e652600
                """
        ),
        Signature(
            source: "RFC 8032, 7.4, 1 octet",
            curve: .ed448,
            secret: """
                c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00acda2c463afbea67c5e8d2877c5e3bc397a659949e
                f8021e954e0a12274e
                """,
            publicKey: """
                43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c6798c0866aea01eb00742802b8438ea4cb82169c
                235160627b4c3a9480
                """,
            message: "03",
            algorithm: .ed448,
            signature: """
                26b8f91727bd62897af15e41eb43c377efb9c610d48f2335cb0bd0087810f4352541b143c4b981b7e18f62de8ccdf633
                fc1bf037ab7cd779805e0dbcc0aae1cbcee1afb2e027df36bc04dcecbf154336c19f0af7e0a6472905e799f1953d2a0f
                f3348ab21aa4adafd1d234441cf807c03a00
                """
        ),
        Signature(
            source: "RFC 6979, A.2.5, SHA-256",
            curve: .p256,
            secret: """
                c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721
                """,
            publicKey: """
                0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc
                64f2f1b20c2d7e9f5177a3c294d4462299
                """,
            message: "73616d706c65",
            algorithm: .ecdsaSHA256,
            signature: """
                efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716f7cb1c942d657c41d436c7a1b6e29f65
                f3e900dbb9aff4064dc4ab2f843acda8
                """
        ),
        Signature(
            source: "RFC 6979, A.2.6, SHA-384",
            curve: .p384,
            secret: """
                6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba9aa47740787137d896d5724e4c70a825f872c9ea60d2edf5
                """,
            publicKey: """
                04ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c64def8f0ea9055866064a254515480bc
                138015d9b72d7d57244ea8ef9ac0c621896708a59367f9dfb9f54ca84b3f1c9db1288b231c3ae0d4fe7344fd25332647
                20
                """,
            message: "73616d706c65",
            algorithm: .ecdsaSHA384,
            signature: """
                94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe46
                99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8
                """
        ),
        Signature(
            source: "RFC 6979, A.2.7, SHA-512",
            curve: .p521,
            secret: """
                00fad06daa62ba3b25d2fb40133da757205de67f5bb0018fee8c86e1b68c7e75caa896eb32f1f47c70855836a6d16fcc
                1466f6d8fbec67db89ec0c08b0e996b83538
                """,
            publicKey: """
                0401894550d0785932e00eaa23b694f213f8c3121f86dc97a04e5a7167db4e5bcd371123d46e45db6b5d5370a7f20fb6
                33155d38ffa16d2bd761dcac474b9a2f5023a400493101c962cd4d2fddf782285e64584139c2f91b47f87ff82354d663
                0f746a28a0db25741b5b34a828008b22acc23f924faafbd4d33f81ea66956dfeaa2bfdfcf5
                """,
            message: "73616d706c65",
            algorithm: .ecdsaSHA512,
            signature: """
                00c328fafcbd79dd77850370c46325d987cb525569fb63c5d3bc53950e6d4c5f174e25a1ee9017b5d450606add152b53
                4931d7d4e8455cc91f9b15bf05ec36e377fa00617cce7cf5064806c467f678d3b4080d6f1cc50af26ca209417308281b
                68af282623eaa63e5b5c0723d8b8c37ff0777b1a20f8ccb1dccc43997f1ee0e44da4a67a
                """
        ),
    ]

    @Test(arguments: signatures.filter(\.curve.isSupported))
    func signaturesVerify(figure: Signature) throws {
        let secret = try #require([UInt8](hex: figure.secret))
        let message = try #require([UInt8](hex: figure.message))
        let signature = try #require([UInt8](hex: figure.signature))
        let key = try PrivateKey(curve: figure.curve, rawRepresentation: secret)
        let encoded = key.publicKey.rawRepresentation ?? key.publicKey.x963Representation
        #expect(encoded == [UInt8](hex: figure.publicKey))
        #expect(key.publicKey.isValidSignature(signature, for: message, algorithm: figure.algorithm))
        let own = try key.signature(for: message, algorithm: figure.algorithm)
        #expect(key.publicKey.isValidSignature(own, for: message, algorithm: figure.algorithm))
    }

    @Test(arguments: signatures.filter { $0.curve == .ed448 && $0.curve.isSupported })
    func ed448SignaturesAreTheOnesPrinted(figure: Signature) throws {
        let key = try PrivateKey(curve: figure.curve, rawRepresentation: #require([UInt8](hex: figure.secret)))
        let message = try #require([UInt8](hex: figure.message))
        #expect(try key.signature(for: message, algorithm: .ed448) == [UInt8](hex: figure.signature))
    }

    struct Agreement: CustomTestStringConvertible {
        let source: String
        let curve: EllipticCurve
        let first: String
        let second: String
        let shared: String
        var testDescription: String { source }
    }

    static let agreements: [Agreement] = [
        Agreement(
            source: "RFC 7748, 6.1",
            curve: .x25519,
            first: """
                77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a
                """,
            second: """
                5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb
                """,
            shared: """
                4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742
                """
        ),
        Agreement(
            source: "RFC 7748, 6.2",
            curve: .x448,
            first: """
                9a8f4925d1519f5775cf46b04b5800d4ee9ee8bae8bc5565d498c28dd9c9baf574a9419744897391006382a6f127ab1d
                9ac2d8c0a598726b
                """,
            second: """
                1c306a7ac2a0e2e0990b294470cba339e6453772b075811d8fad0d1d6927c120bb5ee8972b0d3e21374c9c921b09d1b0
                366f10b65173992d
                """,
            shared: """
                07fff4181ac6cc95ec1c16a94a0f74d12da232ce40a77552281d282bb60c0b56fd2464c335543936521c24403085d59a
                449a5037514a879d
                """
        ),
        Agreement(
            source: "RFC 5903, 8.1",
            curve: .p256,
            first: """
                c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433
                """,
            second: """
                c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53
                """,
            shared: """
                d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de
                """
        ),
        Agreement(
            source: "RFC 5903, 8.2",
            curve: .p384,
            first: """
                099f3c7034d4a2c699884d73a375a67f7624ef7c6b3c0f160647b67414dce655e35b538041e649ee3faef896783ab194
                """,
            second: """
                41cb0779b4bdb85d47846725fbec3c9430fab46cc8dc5060855cc9bda0aa2942e0308312916b8ed2960e4bd55a7448fc
                """,
            shared: """
                11187331c279962d93d604243fd592cb9d0a926f422e47187521287e7156c5c4d603135569b9e9d09cf5d4a270f59746
                """
        ),
        Agreement(
            source: "RFC 5903, 8.3",
            curve: .p521,
            first: """
                0037ade9319a89f4dabdb3ef411aaccca5123c61acab57b5393dce47608172a095aa85a30fe1c2952c6771d937ba9777
                f5957b2639bab072462f68c27a57382d4a52
                """,
            second: """
                0145ba99a847af43793fdd0e872e7cdfa16be30fdc780f97bccc3f078380201e9c677d600b343757a3bdbf2a3163e4c2
                f869cca7458aa4a4effc311f5cb151685eb9
                """,
            shared: """
                01144c7d79ae6956bc8edb8e7c787c4521cb086fa64407f97894e5e6b2d79b04d1427e73ca4baa240a34786859810c06
                b3c715a3a8cc3151f2bee417996d19f3ddea
                """
        ),
        Agreement(
            source: "RFC 7027, A.1",
            curve: .brainpoolP256r1,
            first: """
                81db1ee100150ff2ea338d708271be38300cb54241d79950f77b063039804f1d
                """,
            second: """
                55e40bc41e37e3e2ad25c3c6654511ffa8474a91a0032087593852d3e7d76bd3
                """,
            shared: """
                89afc39d41d3b327814b80940b042590f96556ec91e6ae7939bce31f3a18bf2b
                """
        ),
        Agreement(
            source: "RFC 7027, A.2",
            curve: .brainpoolP384r1,
            first: """
                1e20f5e048a5886f1f157c74e91bde2b98c8b52d58e5003d57053fc4b0bd65d6f15eb5d1ee1610df870795143627d042
                """,
            second: """
                032640bc6003c59260f7250c3db58ce647f98e1260acce4acda3dd869f74e01f8ba5e0324309db6a9831497abac96670
                """,
            shared: """
                0bd9d3a7ea0b3d519d09d8e48d0785fb744a6b355e6304bc51c229fbbce239bbadf6403715c35d4fb2a5444f575d4f42
                """
        ),
        Agreement(
            source: "RFC 7027, A.3",
            curve: .brainpoolP512r1,
            first: """
                16302ff0dbbb5a8d733dab7141c1b45acbc8715939677f6a56850a38bd87bd59b09e80279609ff333eb9d4c061231fb2
                6f92eeb04982a5f1d1764cad57665422
                """,
            second: """
                230e18e1bcc88a362fa54e4ea3902009292f7f8033624fd471b5d8ace49d12cfabbc19963dab8e2f1eba00bffb29e4d7
                2d13f2224562f405cb80503666b25429
                """,
            shared: """
                a7927098655f1f9976fa50a9d566865dc530331846381c87256baf3226244b76d36403c024d7bbf0aa0803eaff405d3d
                24f11a9b5c0bef679fe1454b21c4cd1f
                """
        ),
    ]

    @Test(arguments: agreements.filter(\.curve.isSupported))
    func sharedSecretsAreTheOnesPrinted(figure: Agreement) throws {
        let first = try PrivateKey(curve: figure.curve, rawRepresentation: #require([UInt8](hex: figure.first)))
        let second = try PrivateKey(curve: figure.curve, rawRepresentation: #require([UInt8](hex: figure.second)))
        let shared = SecretBytes(try #require([UInt8](hex: figure.shared)))
        #expect(try first.sharedSecret(with: second.publicKey) == shared)
        #expect(try second.sharedSecret(with: first.publicKey) == shared)
    }

    /// SEC 2, 2.4.1 and RFC 5639, 3.5: the key of the scalar one is the base point.
    static let basePoints: [(EllipticCurve, String)] = [
        (
            .secp256k1,
            """
            79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798
            483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8
            """
        ),
        (
            .brainpoolP320r1,
            """
            43bd7e9afb53d8b85289bcc48ee5bfe6f20137d10a087eb6e7871e2a10a599c710af8d0d39e20611
            14fdd05545ec1cc8ab4093247f77275e0743ffed117182eaa9c77877aaac6ac7d35245d1692e8ee1
            """
        ),
    ]

    @Test(arguments: basePoints.filter(\.0.isSupported))
    func theKeyOfOneIsTheBasePoint(curve: EllipticCurve, basePoint: String) throws {
        let one = [UInt8](repeating: 0, count: curve.coordinateSize - 1) + [1]
        let key = try PrivateKey(curve: curve, rawRepresentation: one).publicKey
        #expect(try key.x963Representation == [0x04] + #require([UInt8](hex: basePoint)))
    }

    /// RFC 7515, A.2.
    @Test func rs256() throws {
        let modulus = try #require(
            [UInt8](
                hex: """
                    a1f8160ae2e3c9b465ce8d2d656263362b927dbe29e1f02477fc1625cc90a136e38bd93497c5b6ea63dd7711e67c7429
                    f956b0fb8a8f089adc4b69893cc1333f53edd019b87784252fec914fe4857769594bea4280d32c0f55bf62944f130396
                    bc6e9bdf6ebdd2bda3678eeca0c668f701b38dbffb38c8342ce2fe6d27fade4a5a4874979dd4b9cf9adec4c75b05852c
                    2c0f5ef8a5c1750392f944e8ed64c110c6b647609aa4783aeb9c6c9ad755313050638b83665c6f6f7a82a396702a1f64
                    1b82d3ebf2392219491fb686872c5716f50af8358d9a8b9d17c340728f7f87d89a18d8fcab67ad84590c2ecf75933936
                    3c07034d6f606f9e21e05456cae5e9a1
                    """
            )
        )
        let signature = try #require(
            [UInt8](
                hex: """
                    702e218943e88fd11eb5d82dbf7845f34106ae1b81fff7731116add1717d83656d420afd3c96eedd73a2663e5166687b
                    000b87226e0187ed1073f945e582adfcef16d85a798ee8c66ddb3db8975b17d09402beedd5d9d97007108db28160d5f8
                    040ca7445762b81fbe7ff9d92e0ae76f24f25b33bbe6f44ae61eb1040acb20044d3ef9128ed40130795bd4bd3b41eeca
                    d066ab651981fde48df77f372dc38b9fafdd3befb18b5da3cc3c2eb02f9e3a41d612caad15911273a05f23b9e838faaf
                    849d698429ef5a1e88798236c3d40e604522a544c8f27a7a2db80663d16cf7caea56de405cb2215a45b2c25566b55ac1
                    a748a070dfc8a32a469543d019eefb47
                    """
            )
        )
        let input =
            "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9p"
            + "c19yb290Ijp0cnVlfQ"
        let key = try PublicKey(rsaModulus: modulus, exponent: [1, 0, 1] as [UInt8])
        #expect(key.isValidSignature(signature, for: Array(input.utf8), algorithm: .rsaPKCS1SHA256))
        #expect(!key.isValidSignature(signature, for: Array(input.utf8.dropLast()), algorithm: .rsaPKCS1SHA256))
        #expect(!key.isValidSignature(signature, for: Array(input.utf8), algorithm: .rsaPSSSHA256))
    }
}

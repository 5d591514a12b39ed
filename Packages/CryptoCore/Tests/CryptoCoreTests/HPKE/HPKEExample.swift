import CryptoCore
import Testing

/// A suite with the figures that RFC 9180, appendix A, prints for its base mode.
struct HPKEExample: Sendable, CustomTestStringConvertible {
    let section: String
    let suite: HPKE.CipherSuite
    let ephemeralKeyMaterial: String
    let ephemeralKey: String
    let recipientKeyMaterial: String
    let recipientKey: String
    let encapsulatedKey: String
    /// Ciphertexts by sequence number.
    let ciphertexts: [Int: String]
    /// Exported values of 32 bytes by exporter context.
    let exports: [String: String]

    var testDescription: String { "RFC 9180, appendix \(section): \(suite)" }

    /// "Ode on a Grecian Urn", the `info` of all.
    static let info = Array("Ode on a Grecian Urn".utf8)

    /// "Beauty is truth, truth beauty", the plaintext of all.
    static let plaintext = Array("Beauty is truth, truth beauty".utf8)

    /// The additional data of a message: "Count-" and its sequence number.
    static func additionalData(_ sequenceNumber: Int) -> [UInt8] {
        Array("Count-\(sequenceNumber)".utf8)
    }

    static let all: [HPKEExample] = [
        HPKEExample(
            section: "A.1.1",
            suite: .init(kem: .x25519HKDFSHA256, kdf: .hkdfSHA256, aead: .aes128GCM),
            ephemeralKeyMaterial: "7268600d403fce431561aef583ee1613527cff655c1343f29812e66706df3234",
            ephemeralKey: "52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736",
            recipientKeyMaterial: "6db9df30aa07dd42ee5e8181afdb977e538f5e1fec8a06223f33f7013e525037",
            recipientKey: "4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8",
            encapsulatedKey: "37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431",
            ciphertexts: [
                0: """
                f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a9
                6d8770ac83d07bea87e13c512a
                """,
                1: """
                af2d7e9ac9ae7e270f46ba1f975be53c09f8d875bdc8535458c2494e8a6eab25
                1c03d0c22a56b8ca42c2063b84
                """,
                256: """
                957f9800542b0b8891badb026d79cc54597cb2d225b54c00c5238c25d05c30e3
                fbeda97d2e0e1aba483a2df9f2
                """,
            ],
            exports: [
                "": "3853fe2b4035195a573ffc53856e77058e15d9ea064de3e59f4961d0095250ee",
                "00": "2e8f0b54673c7029649d4eb9d5e33bf1872cf76d623ff164ac185da9e88c21a5",
                "54657374436f6e74657874": "e9e43065102c3836401bed8c3c3c75ae46be1639869391d62c61f1ec7af54931",
            ]
        ),
        HPKEExample(
            section: "A.2.1",
            suite: .init(kem: .x25519HKDFSHA256, kdf: .hkdfSHA256, aead: .chaCha20Poly1305),
            ephemeralKeyMaterial: "909a9b35d3dc4713a5e72a4da274b55d3d3821a37e5d099e74a647db583a904b",
            ephemeralKey: "f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600",
            recipientKeyMaterial: "1ac01f181fdf9f352797655161c58b75c656a6cc2716dcb66372da835542e1df",
            recipientKey: "8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb",
            encapsulatedKey: "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a",
            ciphertexts: [
                0: """
                1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db
                21993c62ce81883d2dd1b51a28
                """,
                1: """
                6b53c051e4199c518de79594e1c4ab18b96f081549d45ce015be002090bb119e
                85285337cc95ba5f59992dc98c
                """,
                256: """
                7a4a13e9ef23978e2c520fd4d2e757514ae160cd0cd05e556ef692370ca53076
                214c0c40d4c728d6ed9e727a5b
                """,
            ],
            exports: [
                "": "4bbd6243b8bb54cec311fac9df81841b6fd61f56538a775e7c80a9f40160606e",
                "00": "8c1df14732580e5501b00f82b10a1647b40713191b7c1240ac80e2b68808ba69",
                "54657374436f6e74657874": "5acb09211139c43b3090489a9da433e8a30ee7188ba8b0a9a1ccf0c229283e53",
            ]
        ),
        HPKEExample(
            section: "A.3.1",
            suite: .init(kem: .p256HKDFSHA256, kdf: .hkdfSHA256, aead: .aes128GCM),
            ephemeralKeyMaterial: "4270e54ffd08d79d5928020af4686d8f6b7d35dbe470265f1f5aa22816ce860e",
            ephemeralKey: "4995788ef4b9d6132b249ce59a77281493eb39af373d236a1fe415cb0c2d7beb",
            recipientKeyMaterial: "668b37171f1072f3cf12ea8a236a45df23fc13b82af3609ad1e354f6ef817550",
            recipientKey: "f3ce7fdae57e1a310d87f1ebbde6f328be0a99cdbcadf4d6589cf29de4b8ffd2",
            encapsulatedKey: """
                04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325a
                c98536d7b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18
                c4
                """,
            ciphertexts: [
                0: """
                5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f
                9076ac232e3ab2523f39513434
                """,
                1: """
                fa6f037b47fc21826b610172ca9637e82d6e5801eb31cbd3748271affd4ecb06
                646e0329cbdf3c3cd655b28e82
                """,
                256: """
                10f179686aa2caec1758c8e554513f16472bd0a11e2a907dde0b212cbe87d74f
                367f8ffe5e41cd3e9962a6afb2
                """,
            ],
            exports: [
                "": "5e9bc3d236e1911d95e65b576a8a86d478fb827e8bdfe77b741b289890490d4d",
                "00": "6cff87658931bda83dc857e6353efe4987a201b849658d9b047aab4cf216e796",
                "54657374436f6e74657874": "d8f1ea7942adbba7412c6d431c62d01371ea476b823eb697e1f6e6cae1dab85a",
            ]
        ),
        HPKEExample(
            section: "A.4.1",
            suite: .init(kem: .p256HKDFSHA256, kdf: .hkdfSHA512, aead: .aes128GCM),
            ephemeralKeyMaterial: "4ab11a9dd78c39668f7038f921ffc0993b368171d3ddde8031501ee1e08c4c9a",
            ephemeralKey: "2292bf14bb6e15b8c81a0f45b7a6e93e32d830e48cca702e0affcfb4d07e1b5c",
            recipientKeyMaterial: "ea9ff7cc5b2705b188841c7ace169290ff312a9cb31467784ca92d7a2e6e1be8",
            recipientKey: "3ac8530ad1b01885960fab38cf3cdc4f7aef121eaa239f222623614b4079fb38",
            encapsulatedKey: """
                0493ed86735bdfb978cc055c98b45695ad7ce61ce748f4dd63c525a3b8d53a15
                565c6897888070070c1579db1f86aaa56deb8297e64db7e8924e72866f9a4725
                80
                """,
            ciphertexts: [
                0: """
                d3cf4984931484a080f74c1bb2a6782700dc1fef9abe8442e44a6f09044c8890
                7200b332003543754eb51917ba
                """,
                1: """
                d14414555a47269dfead9fbf26abb303365e40709a4ed16eaefe1f2070f1ddeb
                1bdd94d9e41186f124e0acc62d
                """,
                256: """
                62092672f5328a0dde095e57435edf7457ace60b26ee44c9291110ec135cb0e1
                4b85594e4fea11247d937deb62
                """,
            ],
            exports: [
                "": "a32186b8946f61aeead1c093fe614945f85833b165b28c46bf271abf16b57208",
                "00": "84998b304a0ea2f11809398755f0abd5f9d2c141d1822def79dd15c194803c2a",
                "54657374436f6e74657874": "93fb9411430b2cfa2cf0bed448c46922a5be9beff20e2e621df7e4655852edbc",
            ]
        ),
        HPKEExample(
            section: "A.5.1",
            suite: .init(kem: .p256HKDFSHA256, kdf: .hkdfSHA256, aead: .chaCha20Poly1305),
            ephemeralKeyMaterial: "f1f1a3bc95416871539ecb51c3a8f0cf608afb40fbbe305c0a72819d35c33f1f",
            ephemeralKey: "7550253e1147aae48839c1f8af80d2770fb7a4c763afe7d0afa7e0f42a5b3689",
            recipientKeyMaterial: "61092f3f56994dd424405899154a9918353e3e008171517ad576b900ddb275e7",
            recipientKey: "a4d1c55836aa30f9b3fbb6ac98d338c877c2867dd3a77396d13f68d3ab150d3b",
            encapsulatedKey: """
                04c07836a0206e04e31d8ae99bfd549380b072a1b1b82e563c935c095827824f
                c1559eac6fb9e3c70cd3193968994e7fe9781aa103f5b50e934b5b2f387e3812
                91
                """,
            ciphertexts: [
                0: """
                6469c41c5c81d3aa85432531ecf6460ec945bde1eb428cb2fedf7a29f5a685b4
                ccb0d057f03ea2952a27bb458b
                """,
                1: """
                f1564199f7e0e110ec9c1bcdde332177fc35c1adf6e57f8d1df24022227ffa87
                16862dbda2b1dc546c9d114374
                """,
                256: """
                b45b69d419a9be7219d8c94365b89ad6951caf4576ea4774ea40e9b7047a09d6
                537d1aa2f7c12d6ae4b729b4d0
                """,
            ],
            exports: [
                "": "9b13c510416ac977b553bf1741018809c246a695f45eff6d3b0356dbefe1e660",
                "00": "6c8b7be3a20a5684edecb4253619d9051ce8583baf850e0cb53c402bdcaf8ebb",
                "54657374436f6e74657874": "477a50d804c7c51941f69b8e32fe8288386ee1a84905fe4938d58972f24ac938",
            ]
        ),
        HPKEExample(
            section: "A.6.1",
            suite: .init(kem: .p521HKDFSHA512, kdf: .hkdfSHA512, aead: .aes256GCM),
            ephemeralKeyMaterial: """
                7f06ab8215105fc46aceeb2e3dc5028b44364f960426eb0d8e4026c2f8b5d7e7
                a986688f1591abf5ab753c357a5d6f0440414b4ed4ede71317772ac98d9239f7
                0904
                """,
            ephemeralKey: """
                014784c692da35df6ecde98ee43ac425dbdd0969c0c72b42f2e708ab9d535415
                a8569bdacfcc0a114c85b8e3f26acf4d68115f8c91a66178cdbd03b7bcc5291e
                374b
                """,
            recipientKeyMaterial: """
                2ad954bbe39b7122529f7dde780bff626cd97f850d0784a432784e69d86eccaa
                de43b6c10a8ffdb94bf943c6da479db137914ec835a7e715e36e45e29b587bab
                3bf1
                """,
            recipientKey: """
                01462680369ae375e4b3791070a7458ed527842f6a98a79ff5e0d4cbde83c271
                96a3916956655523a6a2556a7af62c5cadabe2ef9da3760bb21e005202f7b246
                2847
                """,
            encapsulatedKey: """
                040138b385ca16bb0d5fa0c0665fbbd7e69e3ee29f63991d3e9b5fa740aab890
                0aaeed46ed73a49055758425a0ce36507c54b29cc5b85a5cee6bae0cf1c21f27
                31ece2013dc3fb7c8d21654bb161b463962ca19e8c654ff24c94dd2898de1205
                1f1ed0692237fb02b2f8d1dc1c73e9b366b529eb436e98a996ee522aef863dd5
                739d2f29b0
                """,
            ciphertexts: [
                0: """
                170f8beddfe949b75ef9c387e201baf4132fa7374593dfafa90768788b7b2b20
                0aafcc6d80ea4c795a7c5b841a
                """,
                1: """
                d9ee248e220ca24ac00bbbe7e221a832e4f7fa64c4fbab3945b6f3af0c5ecd5e
                16815b328be4954a05fd352256
                """,
                256: """
                dbbfc44ae037864e75f136e8b4b4123351d480e6619ae0e0ae437f036f2f8f1e
                f677686323977a1ccbb4b4f16a
                """,
            ],
            exports: [
                "": "05e2e5bd9f0c30832b80a279ff211cc65eceb0d97001524085d609ead60d0412",
                "00": "fca69744bb537f5b7a1596dbf34eaa8d84bf2e3ee7f1a155d41bd3624aa92b63",
                "54657374436f6e74657874": "f389beaac6fcf6c0d9376e20f97e364f0609a88f1bc76d7328e9104df8477013",
            ]
        ),
        HPKEExample(
            section: "A.7.1",
            suite: .init(kem: .x25519HKDFSHA256, kdf: .hkdfSHA256, aead: .exportOnly),
            ephemeralKeyMaterial: "55bc245ee4efda25d38f2d54d5bb6665291b99f8108a8c4b686c2b14893ea5d9",
            ephemeralKey: "095182b502f1f91f63ba584c7c3ec473d617b8b4c2cec3fad5af7fa6748165ed",
            recipientKeyMaterial: "683ae0da1d22181e74ed2e503ebf82840deb1d5e872cade20f4b458d99783e31",
            recipientKey: "33d196c830a12f9ac65d6e565a590d80f04ee9b19c83c87f2c170d972a812848",
            encapsulatedKey: "e5e8f9bfff6c2f29791fc351d2c25ce1299aa5eaca78a757c0b4fb4bcd830918",
            ciphertexts: [:],
            exports: [
                "": "7a36221bd56d50fb51ee65edfd98d06a23c4dc87085aa5866cb7087244bd2a36",
                "00": "d5535b87099c6c3ce80dc112a2671c6ec8e811a2f284f948cec6dd1708ee33f0",
                "54657374436f6e74657874": "ffaabc85a776136ca0c378e5d084c9140ab552b78f039d2e8775f26efff4c70e",
            ]
        ),
    ]
}

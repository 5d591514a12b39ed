import CryptoCore
import DIDKit
import JOSEKit
import TestSupport
import Testing

/// The DID method `key`; figures of the examples in The did:key Method, sections 2 and 4.
@Suite struct DIDKeyMethodTests {
    private let method = DIDKeyMethod()

    private func key(
        for url: String,
        _ relationship: VerificationRelationship = .assertionMethod
    ) async throws -> PublicKey {
        try await method.key(for: url, relationship).publicKey()
    }

    private static let ed25519 = "z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp"

    @Test func theDIDIsTheKey() async throws {
        let key = try await self.key(for: "did:key:" + Self.ed25519)
        let raw = try #require([UInt8](hex: "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29"))
        #expect(key == (try PublicKey(curve: .ed25519, rawRepresentation: raw)))
        #expect(try await self.key(for: "did:key:\(Self.ed25519)#\(Self.ed25519)") == key)
    }

    /// Keys of all kinds, written by ``base58`` here.
    @Test(arguments: [EllipticCurve.p256, .p384, .p521, .secp256k1, .ed25519, .x25519].filter(\.isSupported))
    func keysOfAllKinds(curve: EllipticCurve) async throws {
        let key = try PrivateKey.generate(curve).publicKey
        let prefixes: [EllipticCurve: [UInt8]] = [
            .p256: [0x80, 0x24], .p384: [0x81, 0x24], .p521: [0x82, 0x24], .secp256k1: [0xe7, 0x01],
            .ed25519: [0xed, 0x01], .x25519: [0xec, 0x01],
        ]
        let bytes = try #require(prefixes[curve]) + compressed(key)
        let did = "did:key:z" + base58(bytes)
        let isForAgreement = curve == .x25519
        for relationship in [VerificationRelationship.authentication, .assertionMethod, .keyAgreement] {
            if (relationship == .keyAgreement) == isForAgreement {
                #expect(try await self.key(for: did, relationship) == key)
            } else if curve == .ed25519, EllipticCurve.x25519.isSupported {
                #expect(try await self.key(for: did, relationship).curve == .x25519)
            } else {
                await expectRefusal(.verificationMethodNotFound) { try await self.key(for: did, relationship) }
            }
        }
    }

    @Test func rsaKeys() async throws {
        let key = try PrivateKey.generateRSA(bits: 2048).publicKey
        let bytes: [UInt8] = [0x85, 0x24] + (try #require(key.pkcs1))
        #expect(try await self.key(for: "did:key:z" + base58(bytes)) == key)
    }

    @Test(
        arguments: [
            ("", .malformed), ("did:key:", .malformed), ("DID:key:" + ed25519, .malformed),
            ("did:Key:" + ed25519, .malformed), ("did:key:" + ed25519 + ":", .malformed),
            ("did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooW%", .malformed),
            ("did:key:z" + String(repeating: "2", count: 8192), .malformed),
            ("did:jwk:" + ed25519, .unsupportedMethod), ("did:key:z", .invalidKey),
            ("did:key:" + ed25519.dropFirst(), .invalidKey), ("did:key:1.1:" + ed25519, .invalidKey),
            ("did:key:z0" + ed25519.dropFirst(2), .invalidKey),
            ("did:key:u7QE7aie8zrakLWKjqNAqbw1zZTIVdx3iQ6Y6wEihi1naKQ", .invalidKey),
            ("did:key:z" + String(repeating: "2", count: 1025), .invalidKey),
        ] as [(String, DIDError.Code)]
    )
    func malformedKeys(did: String, code: DIDError.Code) async {
        await expectRefusal(code) { try await self.key(for: did) }
    }

    /// Figures of The did:key Method, section 4.1: the key for key agreement that belongs to an Ed25519 key.
    @Test(.enabled(if: EllipticCurve.x25519.isSupported))
    func keyAgreementOfAnEd25519Key() async throws {
        let did = "did:key:" + Self.ed25519
        let derived = "z6LShs9GGnqk85isEBzzshkuVWrVKsRp24GnDuHk8QWkARMW"
        #expect(try await key(for: "\(did)#\(derived)", .keyAgreement) == Multikey(derived).publicKey)
        #expect(try await key(for: did, .keyAgreement) == Multikey(derived).publicKey)
        await expectRefusal(.verificationMethodNotFound) { try await self.key(for: "\(did)#\(derived)") }
        await expectRefusal(.verificationMethodNotFound) {
            try await self.key(for: "\(did)#\(Self.ed25519)", .keyAgreement)
        }
    }

    @Test func aKeyBecomesADID() async throws {
        let key = try PrivateKey.generate(.p256).publicKey
        let did = try DID.key(key)
        #expect(did.method == "key" && did.identifier.hasPrefix("zDn"))
        let document = try method.document(of: did, at: now)
        #expect(document.id == did)
        #expect(document.verificationMethods.map(\.id.text) == ["\(did)#\(did.identifier)"])
        #expect(try document.verificationMethods(for: .authentication, at: now).map { try $0.publicKey() } == [key])
        #expect(try DIDDocument(decoding: document.encoded(), of: did).members == document.members)
    }

    @Test func otherForms() async throws {
        let key = try PrivateKey.generate(.p256).publicKey
        // A point that is not compressed.
        let uncompressed: [UInt8] = [0x80, 0x24] + (try #require(key.x963Representation))
        await expectRefusal(.invalidKey) { try await self.key(for: "did:key:z" + base58(uncompressed)) }
        // A key of another length.
        await expectRefusal(.invalidKey) {
            try await self.key(for: "did:key:z" + base58([0xed, 0x01] + Array(repeating: 1, count: 31)))
        }
        // A prefix that is a longer varint than it takes, a private key, a kind that is not supported.
        for prefix: [UInt8] in [[0xed, 0x81, 0x00], [0x80, 0x26], [0xeb, 0x01]] {
            let did = "did:key:z" + base58(prefix + Array(repeating: 1, count: 32))
            await expectRefusal(.unsupportedKey) { try await self.key(for: did) }
        }
    }

    private func compressed(_ key: PublicKey) throws -> [UInt8] {
        guard let x = key.x, let y = key.y else { return try #require(key.rawRepresentation) }
        return [y.last.map { $0 & 1 == 0 ? 0x02 : 0x03 } ?? 0] + x
    }
}

import CryptoCore
import JOSEKit
import SDJWTKit
import TestSupport
import Testing

/// The DID method `key`; figures of the examples in The did:key Method, sections 2 and 4.
@Suite struct DIDKeyMethodTests {
    private let method = DIDKeyMethod()

    private func key(
        for url: String,
        _ relationship: VerificationRelationship = .assertionMethod
    ) throws -> PublicKey {
        try method.key(for: url, relationship: relationship).publicKey()
    }

    private static let ed25519 = "z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp"

    @Test func theDIDIsTheKey() throws {
        let key = try self.key(for: "did:key:" + Self.ed25519)
        let raw = try #require([UInt8](hex: "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29"))
        #expect(key == (try PublicKey(curve: .ed25519, rawRepresentation: raw)))
        #expect(try self.key(for: "did:key:\(Self.ed25519)#\(Self.ed25519)") == key)
    }

    /// Keys of all kinds, written by ``base58`` here.
    @Test(arguments: [EllipticCurve.p256, .p384, .p521, .secp256k1, .ed25519, .x25519].filter(\.isSupported))
    func keysOfAllKinds(curve: EllipticCurve) throws {
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
                #expect(try self.key(for: did, relationship) == key)
            } else {
                expectRefusal(.verificationMethodNotFound) { try self.key(for: did, relationship) }
            }
        }
    }

    @Test func rsaKeys() throws {
        let key = try PrivateKey.generateRSA(bits: 2048).publicKey
        let bytes: [UInt8] = [0x85, 0x24] + (try #require(key.pkcs1))
        #expect(try self.key(for: "did:key:z" + base58(bytes)) == key)
    }

    @Test(arguments: [
        "", "did:key:", "did:key:z", "did:key:" + ed25519.dropFirst(), "DID:key:" + ed25519, "did:Key:" + ed25519,
        "did:jwk:" + ed25519, "did:key:1.1:" + ed25519, "did:key:z0" + ed25519.dropFirst(2),
        "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooW%", "did:key:" + ed25519 + ":",
        "did:key:u7QE7aie8zrakLWKjqNAqbw1zZTIVdx3iQ6Y6wEihi1naKQ",
        "did:key:z" + String(repeating: "2", count: 1025), "did:key:z" + String(repeating: "2", count: 8192),
    ])
    func whatIsNoKey(did: String) {
        expectRefusal(.invalidDID) { try self.key(for: did) }
    }

    @Test func otherForms() throws {
        let key = try PrivateKey.generate(.p256).publicKey
        // A point that is not compressed.
        let uncompressed: [UInt8] = [0x80, 0x24] + (try #require(key.x963Representation))
        expectRefusal(.invalidDID) { try self.key(for: "did:key:z" + base58(uncompressed)) }
        // A key of another length.
        expectRefusal(.invalidDID) {
            try self.key(for: "did:key:z" + base58([0xed, 0x01] + Array(repeating: 1, count: 31)))
        }
        // A prefix that is a longer varint than it takes, a private key, a kind that is not implemented.
        for prefix: [UInt8] in [[0xed, 0x81, 0x00], [0x80, 0x26], [0xeb, 0x01]] {
            let did = "did:key:z" + base58(prefix + Array(repeating: 1, count: 32))
            expectRefusal(.unsupportedDID) { try self.key(for: did) }
        }
        // The key agreement key that is derived from an Ed25519 key.
        expectRefusal(.verificationMethodNotFound) {
            try self.key(for: "did:key:\(Self.ed25519)#z6LShs9GGnqk85isEBzzshkuVWrVKsRp24GnDuHk8QWkARMW")
        }
    }

    private func compressed(_ key: PublicKey) throws -> [UInt8] {
        guard let x = key.x, let y = key.y else { return try #require(key.rawRepresentation) }
        return [y.last.map { $0 & 1 == 0 ? 0x02 : 0x03 } ?? 0] + x
    }
}

/// Base58btc by long division, independent of the reader.
func base58(_ bytes: [UInt8]) -> String {
    let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
    var (number, text) = (bytes.map(Int.init), "")
    while number.contains(where: { $0 != 0 }) {
        var rest = 0
        for index in number.indices {
            (number[index], rest) = ((rest * 256 + number[index]) / 58, (rest * 256 + number[index]) % 58)
        }
        text = String(alphabet[rest]) + text
    }
    return String(repeating: "1", count: bytes.prefix { $0 == 0 }.count) + text
}

import CryptoCore
import TestSupport
import Testing

/// ECDH, X25519 and X448, with public keys in DER, as bare points, raw, and as JWK.
enum WycheproofKeyAgreement {
    struct Group<Key: Decodable>: WycheproofGroup {
        let curve: String
        let tests: [Test<Key>]
    }

    struct Test<Key: Decodable>: WycheproofTest {
        let tcId: Int
        let comment: String
        let flags: [String]
        let result: WycheproofResult
        let `public`: Key
        let `private`: Key
        let shared: HexBytes
    }

    static func runECDH(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try run(file, HexBytes.self) { curve, test in
            let key = try PublicKey(subjectPublicKeyInfo: test.public.bytes)
            return (key, try privateKey(curve, test.private))
        }
    }

    static func runECPoint(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try run(file, HexBytes.self) { curve, test in
            let key = try PublicKey(curve: curve, x963Representation: test.public.bytes)
            return (key, try privateKey(curve, test.private))
        }
    }

    static func runXDH(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try run(file, HexBytes.self) { curve, test in
            let key = try PublicKey(curve: curve, rawRepresentation: test.public.bytes)
            return (key, try PrivateKey(curve: curve, rawRepresentation: test.private.bytes))
        }
    }

    static func runJWK(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        try run(file, WycheproofJWK.self) { _, test in
            (try test.public.publicKey(), try test.private.privateKey())
        }
    }

    private static func run<Key: Decodable & SendableMetatype>(
        _ file: VectorFile,
        _ form: Key.Type,
        _ keys: (EllipticCurve, Test<Key>) throws -> (PublicKey, PrivateKey)
    ) throws -> WycheproofTally {
        try WycheproofTally(file, Group<Key>.self, acceptable: decide) { group, test in
            let curve = try EllipticCurve(wycheproofName: group.curve)
            let (publicKey, privateKey) = try keys(curve, test)
            let secret = try privateKey.sharedSecret(with: publicKey)
            #expect(secret == SecretBytes(test.shared.bytes), "\(file.path) \(test.tcId)")
            return .accepted
        }
    }

    /// This module's decisions where both results are acceptable.
    ///
    /// - A compressed point is accepted: SEC 1 and COSE have it.
    /// - An unnamed curve is refused, whether its parameters are right or not: RFC 5480 forbids explicit ones.
    /// - `InvalidAsn`, a public key not in DER, is refused.
    /// - X25519 and X448: a public key with an all-zero result is refused (RFC 7748, 6); every other string is
    ///   accepted, be it not canonical, on the twist, or otherwise special (RFC 7748, 5).
    private static func decide<Key>(_ test: Test<Key>) -> WycheproofResult {
        for flag in test.flags where ["UnnamedCurve", "InvalidAsn", "ZeroSharedSecret"].contains(flag) {
            return .invalid
        }
        return .valid
    }

    /// The files write scalars as signed big numbers: without leading zeros, or with one too many.
    private static func privateKey(_ curve: EllipticCurve, _ number: HexBytes) throws -> PrivateKey {
        try PrivateKey(curve: curve, rawRepresentation: number.padded(to: curve.coordinateSize))
    }
}

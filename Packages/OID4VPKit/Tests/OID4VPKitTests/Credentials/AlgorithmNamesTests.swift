import COSEKit
import CryptoCore
import JOSEKit
import Testing

@testable import OID4VPKit
@testable import OID4VPMessages

/// The names by which requests list the algorithms of credentials.
struct AlgorithmNamesTests {
    /// A number of the header matches itself, and the fully specified one of the key's curve (OpenID4VP 1.0, B.2.2).
    @Test(
        arguments: [
            (.es256, .p256, ["-7", "-9", "ES256"]), (.es256, .brainpoolP256r1, ["-7", "-265"]),
            (.es384, .p384, ["-35", "-51", "ES384"]), (.es512, .p521, ["-36", "-52", "ES512"]),
            (.es384, .brainpoolP320r1, ["-35", "-266"]), (.es384, .brainpoolP384r1, ["-35", "-267"]),
            (.es512, .brainpoolP512r1, ["-36", "-268"]), (.esp256, .p256, ["-9", "ES256"]),
            (.edDSA, .ed25519, ["-8", "-19", "EdDSA", "Ed25519"]), (.edDSA, .ed448, ["-8", "-53", "EdDSA", "Ed448"]),
            (.ed448, .ed448, ["-53", "EdDSA", "Ed448"]), (.esb320, .brainpoolP320r1, ["-266"]),
            (.es256, .p384, ["-7"]), (.es256, nil, ["-7"]), (COSEAlgorithm(rawValue: -1), .p256, ["-1"]),
        ] as [(COSEAlgorithm, EllipticCurve?, [ExactText])]
    )
    func ofMdocs(_ algorithm: COSEAlgorithm, _ curve: EllipticCurve?, _ names: [ExactText]) {
        #expect(MdocAlgorithmNames.ofSignature(algorithm.rawValue, on: curve) == names)
    }

    @Test func ofDeviceKeys() throws {
        let common = try PrivateKey.generate(.p256).publicKey
        #expect(MdocCredential.algorithms(of: common) == ["-7", "-9", "ES256"])
        let key = try PrivateKey.generate(.brainpoolP256r1).publicKey
        #expect(MdocCredential.algorithms(of: key) == ["-7", "-265"])
        let agreement = try PrivateKey.generate(.x25519).publicKey
        #expect(MdocCredential.algorithms(of: agreement).isEmpty)
    }

    /// Issuers write `EdDSA`, which requests of 1.0 do not list.
    @Test func ofTokens() {
        #expect(JWSAlgorithm.edDSA.names.contains("Ed25519"))
        #expect(JWSAlgorithm.ed25519.names == ["Ed25519", "EdDSA"])
        #expect(JWSAlgorithm.ed448.names == ["Ed448", "EdDSA"])
        #expect(JWSAlgorithm.es256.names == ["ES256"])
    }
}

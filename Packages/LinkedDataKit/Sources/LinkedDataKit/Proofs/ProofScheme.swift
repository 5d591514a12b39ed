import CryptoCore
import JOSEKit

/// The procedure of a suite: how a document becomes bytes, and in which form the signature is written.
struct ProofScheme: Sendable {
    /// The canonical form of document and options.
    enum Canonicalization: Hashable, Sendable {
        case rdf
        case json
    }

    /// The form of the signature.
    enum ValueForm: Sendable {
        /// `proofValue` in base58btc.
        case multibase
        /// `proofValue` in base64url, with a signature for each statement.
        case selectiveDisclosure
        /// `jws` with a detached payload.
        case jws(Set<JWSAlgorithm>)
        /// `jws`, or `proofValue` in base58btc.
        case jwsOrMultibase(Set<JWSAlgorithm>)
        /// `jws`, or `signatureValue` in base64.
        case jwsOrSignatureValue(Set<JWSAlgorithm>)
    }

    let canonicalization: Canonicalization
    let valueForm: ValueForm
    private let curves: [(curve: EllipticCurve, algorithm: SignatureAlgorithm)]

    /// The procedure of a suite; nil for one that is not implemented.
    init?(_ suite: LinkedDataProofSuite) {
        switch suite {
        case .eddsaRDFC2022, .ed25519Signature2020: self.init(.rdf, .multibase, Self.edDSA)
        case .eddsaJCS2022: self.init(.json, .multibase, Self.edDSA)
        case .ecdsaRDFC2019: self.init(.rdf, .multibase, Self.ecdsa)
        case .ecdsaJCS2019: self.init(.json, .multibase, Self.ecdsa)
        case .ecdsaSD2023: self.init(.rdf, .selectiveDisclosure, [(.p256, .ecdsaSHA256)])
        case .ed25519Signature2018: self.init(.rdf, .jws([.edDSA]), Self.edDSA)
        case .jsonWebSignature2020:
            self.init(.rdf, .jws([.edDSA, .es256, .es384, .es256K, .ps256, .rs256]), [])
        case .ecdsaSecp256k1Signature2019: self.init(.rdf, .jws([.es256K]), [])
        case .ecdsaSecp256r1Signature2019: self.init(.rdf, .jwsOrMultibase([.es256]), [(.p256, .ecdsaSHA256)])
        case .rsaSignature2018: self.init(.rdf, .jwsOrSignatureValue([.rs256, .ps256]), [])
        default: return nil
        }
    }

    private init(
        _ canonicalization: Canonicalization,
        _ valueForm: ValueForm,
        _ curves: [(curve: EllipticCurve, algorithm: SignatureAlgorithm)]
    ) {
        self.canonicalization = canonicalization
        self.valueForm = valueForm
        self.curves = curves
    }

    private static let edDSA: [(curve: EllipticCurve, algorithm: SignatureAlgorithm)] = [(.ed25519, .ed25519)]
    private static let ecdsa: [(curve: EllipticCurve, algorithm: SignatureAlgorithm)] = [
        (.p256, .ecdsaSHA256), (.p384, .ecdsaSHA384),
    ]

    /// The algorithms of the suite's JWS; nil for a suite without one.
    var jwsAlgorithms: Set<JWSAlgorithm>? {
        switch valueForm {
        case .multibase, .selectiveDisclosure: nil
        case .jws(let algorithms), .jwsOrMultibase(let algorithms), .jwsOrSignatureValue(let algorithms): algorithms
        }
    }

    /// Indicates that a holder derives proofs that disclose a part of the document.
    var isSelective: Bool { if case .selectiveDisclosure = valueForm { true } else { false } }

    /// The lengths of signatures, for suites whose value says nothing about its algorithm.
    var signatureSizes: Set<Int> { Set(curves.map { 2 * $0.curve.coordinateSize }) }

    /// The algorithm for a key of a suite with `proofValue`; nil for a key that does not go with the suite.
    func algorithm(for key: PublicKey) -> SignatureAlgorithm? {
        curves.first { $0.curve == key.curve }?.algorithm
    }

    /// The hash function for document and options: SHA-384 with P-384 in the ECDSA suites, else SHA-256.
    func hash(for key: PublicKey) -> HashAlgorithm {
        guard case .multibase = valueForm else { return .sha256 }
        return algorithm(for: key)?.hash ?? .sha256
    }
}

package import CryptoCore
package import JOSEKit

/// The names by which requests list the algorithm of mdocs on one curve.
package struct MdocAlgorithmNames: Sendable {
    /// The number of COSE that leaves the curve to the key (ISO/IEC 18013-5, 12.3.4).
    private let polymorphic: Int
    /// The number that names the curve, too (RFC 9864).
    private let fullySpecified: Int
    /// The names of JOSE, which requests of drafts have.
    private let jose: [ExactText]

    private static let byCurve: [EllipticCurve: MdocAlgorithmNames] = [
        .p256: MdocAlgorithmNames(polymorphic: -7, fullySpecified: -9, jose: ["ES256"]),
        .p384: MdocAlgorithmNames(polymorphic: -35, fullySpecified: -51, jose: ["ES384"]),
        .p521: MdocAlgorithmNames(polymorphic: -36, fullySpecified: -52, jose: ["ES512"]),
        .brainpoolP256r1: MdocAlgorithmNames(polymorphic: -7, fullySpecified: -265, jose: []),
        .brainpoolP320r1: MdocAlgorithmNames(polymorphic: -35, fullySpecified: -266, jose: []),
        .brainpoolP384r1: MdocAlgorithmNames(polymorphic: -35, fullySpecified: -267, jose: []),
        .brainpoolP512r1: MdocAlgorithmNames(polymorphic: -36, fullySpecified: -268, jose: []),
        .ed25519: MdocAlgorithmNames(polymorphic: -8, fullySpecified: -19, jose: ["EdDSA", "Ed25519"]),
        .ed448: MdocAlgorithmNames(polymorphic: -8, fullySpecified: -53, jose: ["EdDSA", "Ed448"]),
    ]

    /// The names of a signature whose header has a number: the number itself, the fully specified one of the key's curve, and the
    /// names of JOSE (OpenID4VP 1.0, appendix B.2.2).
    ///
    /// - Parameters:
    ///   - number: The number in the header.
    ///   - curve: The curve of the signer's key, or nil if it is not known: the number alone counts then.
    package static func ofSignature(_ number: Int, on curve: EllipticCurve?) -> [ExactText] {
        guard let names = curve.flatMap({ byCurve[$0] }) else { return [text(number)] }
        switch number {
        case names.polymorphic: return names.all
        case names.fullySpecified: return [text(number)] + names.jose
        default: return [text(number)]
        }
    }

    /// The names of the signatures that a key on a curve can make; none for a curve for agreements.
    package static func ofKey(on curve: EllipticCurve) -> [ExactText] { byCurve[curve]?.all ?? [] }

    private var all: [ExactText] { [Self.text(polymorphic), Self.text(fullySpecified)] + jose }

    private static func text(_ number: Int) -> ExactText { ExactText(String(number)) }
}

extension JWSAlgorithm {
    /// The names by which requests list the algorithm of a signature.
    ///
    /// `EdDSA` is on the curve of one of the fully specified names (RFC 9864), which are what requests of 1.0 have; a header does
    /// not say of which.
    package var names: [ExactText] {
        switch self {
        case .edDSA: ["EdDSA", "Ed25519", "Ed448"]
        case .ed25519: ["Ed25519", "EdDSA"]
        case .ed448: ["Ed448", "EdDSA"]
        default: [ExactText(rawValue)]
        }
    }
}

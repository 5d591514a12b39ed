import COSEKit
import CryptoCore

extension COSEAlgorithm {
    /// The names of one algorithm of mdocs.
    struct CurveNames {
        /// The number that leaves the curve to the key (ISO/IEC 18013-5, 12.3.4).
        let polymorphic: COSEAlgorithm
        /// The number that names the curve, too (RFC 9864).
        let fullySpecified: COSEAlgorithm
        /// The names of JOSE, which requests of drafts have.
        let jose: [ExactText]

        /// All names of a signature that may have either number.
        var names: [ExactText] { [polymorphic.text, fullySpecified.text] + jose }
    }

    /// The algorithms of mdocs, by the curve of the key.
    static let forMdocs: [EllipticCurve: CurveNames] = [
        .p256: CurveNames(polymorphic: .es256, fullySpecified: .esp256, jose: ["ES256"]),
        .p384: CurveNames(polymorphic: .es384, fullySpecified: .esp384, jose: ["ES384"]),
        .p521: CurveNames(polymorphic: .es512, fullySpecified: .esp512, jose: ["ES512"]),
        .brainpoolP256r1: CurveNames(polymorphic: .es256, fullySpecified: .esb256, jose: []),
        .brainpoolP320r1: CurveNames(polymorphic: .es384, fullySpecified: .esb320, jose: []),
        .brainpoolP384r1: CurveNames(polymorphic: .es384, fullySpecified: .esb384, jose: []),
        .brainpoolP512r1: CurveNames(polymorphic: .es512, fullySpecified: .esb512, jose: []),
        .ed25519: CurveNames(polymorphic: .edDSA, fullySpecified: .ed25519, jose: ["EdDSA", "Ed25519"]),
        .ed448: CurveNames(polymorphic: .edDSA, fullySpecified: .ed448, jose: ["EdDSA", "Ed448"]),
    ]

    /// The names by which requests list the algorithm of a signature whose header has this number: the number itself, the fully
    /// specified one of the key's curve, and the names of JOSE (OpenID4VP 1.0, appendix B.2.2).
    ///
    /// - Parameter curve: The curve of the signer's key, or nil if it is not known.
    func names(on curve: EllipticCurve?) -> [ExactText] {
        let known = curve.flatMap { Self.forMdocs[$0] }
        guard let known, self == known.polymorphic || self == known.fullySpecified else { return [text] }
        return (self == known.polymorphic ? known.names : [text] + known.jose)
    }

    private var text: ExactText { ExactText(String(rawValue)) }
}

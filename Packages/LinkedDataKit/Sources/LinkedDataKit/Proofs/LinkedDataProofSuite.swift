public import VerificationCore

/// A proof suite: the type of a proof and, for `DataIntegrityProof`, its cryptosuite.
///
/// An open set: a suite that this module does not know can be read, named and refused.
public struct LinkedDataProofSuite: Hashable, Sendable {
    /// The value of `type`.
    public let type: ExactText
    /// The value of `cryptosuite`, or nil.
    public let cryptosuite: ExactText?

    /// A suite by the members of its proofs, known or not.
    public init(type: ExactText, cryptosuite: ExactText? = nil) {
        self.type = type
        self.cryptosuite = cryptosuite
    }

    /// The type of all proofs with a cryptosuite.
    static let dataIntegrityType: ExactText = "DataIntegrityProof"

    private init(cryptosuite: ExactText) {
        self.init(type: Self.dataIntegrityType, cryptosuite: cryptosuite)
    }

    /// EdDSA over canonical RDF (Data Integrity EdDSA Cryptosuites 1.0, section 3.2).
    public static let eddsaRDFC2022 = LinkedDataProofSuite(cryptosuite: "eddsa-rdfc-2022")
    /// EdDSA over canonical JSON (Data Integrity EdDSA Cryptosuites 1.0, section 3.3).
    public static let eddsaJCS2022 = LinkedDataProofSuite(cryptosuite: "eddsa-jcs-2022")
    /// ECDSA with P-256 or P-384 over canonical RDF (Data Integrity ECDSA Cryptosuites 1.0, section 3.2).
    public static let ecdsaRDFC2019 = LinkedDataProofSuite(cryptosuite: "ecdsa-rdfc-2019")
    /// ECDSA with P-256 or P-384 over canonical JSON (Data Integrity ECDSA Cryptosuites 1.0, section 3.3).
    public static let ecdsaJCS2019 = LinkedDataProofSuite(cryptosuite: "ecdsa-jcs-2019")
    /// ECDSA with P-256 over each statement, of which a holder discloses some (Data Integrity ECDSA Cryptosuites 1.0,
    /// section 3.6).
    ///
    /// An issuer signs a base proof for the holder. Verifiers take the proofs that the holder derives from it, see
    /// ``LinkedDataProver/derive(from:revealing:proof:)``.
    public static let ecdsaSD2023 = LinkedDataProofSuite(cryptosuite: "ecdsa-sd-2023")
    /// EdDSA over canonical RDF with a multibase value (Data Integrity EdDSA Cryptosuites 1.0, appendix B).
    public static let ed25519Signature2020 = LinkedDataProofSuite(type: "Ed25519Signature2020")
    /// EdDSA over canonical RDF in a detached JWS.
    public static let ed25519Signature2018 = LinkedDataProofSuite(type: "Ed25519Signature2018")
    /// A detached JWS over canonical RDF, with EdDSA, ES256, ES384, ES256K, PS256 or RS256.
    public static let jsonWebSignature2020 = LinkedDataProofSuite(type: "JsonWebSignature2020")
    /// A detached JWS over canonical RDF, with ES256K.
    public static let ecdsaSecp256k1Signature2019 = LinkedDataProofSuite(type: "EcdsaSecp256k1Signature2019")
    /// A detached JWS over canonical RDF, with ES256.
    ///
    /// Proofs by the later report (ECDSA Cryptosuite v2019, W3C Credentials Community Group) have a `proofValue`: the
    /// signature over the two digests as a multibase value. Those are read and never made.
    public static let ecdsaSecp256r1Signature2019 = LinkedDataProofSuite(type: "EcdsaSecp256r1Signature2019")
    /// A detached JWS over canonical RDF, with RS256 or PS256.
    ///
    /// Older proofs have a `signatureValue`: RSASSA-PKCS1-v1_5 with SHA-256 over the two digests, in base64. Those are
    /// read and never made.
    public static let rsaSignature2018 = LinkedDataProofSuite(type: "RsaSignature2018")

    /// Every suite that this module implements.
    public static let implemented: Set<LinkedDataProofSuite> = [
        .eddsaRDFC2022, .eddsaJCS2022, .ecdsaRDFC2019, .ecdsaJCS2019, .ecdsaSD2023, .ed25519Signature2020,
        .ed25519Signature2018, .jsonWebSignature2020, .ecdsaSecp256k1Signature2019, .ecdsaSecp256r1Signature2019,
        .rsaSignature2018,
    ]
}

extension LinkedDataProofSuite: CustomStringConvertible {
    /// The cryptosuite, or the type of a suite without one, with invisible characters escaped.
    public var description: String { cryptosuite.map { "\($0)" } ?? "\(type)" }
}

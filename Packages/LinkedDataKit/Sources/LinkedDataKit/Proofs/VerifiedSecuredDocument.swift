public import CryptoCore
public import DIDKit
public import JSONKit

/// A document whose proofs were verified: exactly what was hashed.
///
/// Only ``LinkedDataVerifier`` makes values of this type.
public struct VerifiedSecuredDocument: Sendable {
    /// The document without its proofs, and without contexts that were added behind those of a proof.
    public let document: JSONObject
    /// The document in expanded form; nil for JSON without contexts or with an unknown one, whose proofs cover the JSON itself.
    ///
    /// No term of a document with an unknown context has a meaning by the document alone.
    public let expanded: ExpandedDocument?
    /// The proofs that verified, in the order of the document.
    public let proofs: [VerifiedLinkedDataProof]

    init(_ inputs: ProofInputs, proofs: [VerifiedLinkedDataProof]) {
        document = inputs.document(coveredByAll: proofs)
        expanded = inputs.expanded
        self.proofs = proofs
    }
}

/// A proof that verified.
public struct VerifiedLinkedDataProof: Sendable {
    /// The proof.
    public let proof: LinkedDataProof
    /// The key that it verified with, and its name.
    public let verificationMethod: VerificationMethod
    /// The public key that it verified with.
    public let publicKey: PublicKey
    /// The algorithm of the signature.
    public let algorithm: SignatureAlgorithm

    /// Indicates that the proof covers the JSON itself, and not only the graph that it stands for.
    var coversNames: Bool { ProofScheme(proof.suite)?.canonicalization == .json }

    /// The party that controls the key, and whose document lists it for the purpose of the proof.
    public var controller: DID { verificationMethod.controller }
}

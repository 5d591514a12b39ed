public import VerificationCore

extension Check {
    /// The document expands in safe mode: each of its terms has a meaning that a signature covers; not applicable to
    /// JSON without contexts or with an unknown one, whose proofs cover the JSON itself.
    public static let linkedData: Check = "linkedData"
    /// Enough of the document's proofs verify.
    public static let proofs: Check = "proofs"
    /// The suite of a proof is implemented and accepted.
    public static let proofSuite: Check = "proofSuite"
    /// The value of a proof has the form and length of its suite.
    public static let proofValue: Check = "proofValue"
    /// The purpose of a proof is the expected one.
    public static let proofPurpose: Check = "proofPurpose"
    /// The key of a proof is known, and its controller lists it for the purpose.
    public static let verificationMethod: Check = "verificationMethod"
    /// The key of a proof is controlled by the party that must have signed.
    public static let controller: Check = "controller"
    /// The proofs that a proof covers verify.
    public static let previousProof: Check = "previousProof"
    /// The claims of a token agree with the credential in it, and the graph of an expanded document with its JSON.
    public static let claims: Check = "claims"
    /// The contexts of a credential, which give its names their meaning, are accepted.
    public static let contexts: Check = "contexts"
    /// The known contexts have the digests that a credential states of them (`relatedResource`).
    public static let relatedResources: Check = "relatedResources"
    /// Every credential of a presentation verifies.
    public static let credentials: Check = "credentials"
}

extension Reason {
    /// A document has no proof, or not the one that the policy demands.
    public static let missingProof: Reason = "missingProof"
    /// A document has other contexts than the accepted ones.
    public static let unexpectedContext: Reason = "unexpectedContext"
    /// A digest is of an unknown function, or that of a resource whose digest of that function is unknown.
    public static let incomparableDigest: Reason = "incomparableDigest"
    /// A proof is for another purpose.
    public static let unexpectedPurpose: Reason = "unexpectedPurpose"
    /// A proof that another one covers does not verify, or is missing.
    public static let previousProofNotVerified: Reason = "previousProofNotVerified"
    /// The key of a signature does not belong to the party that must have signed.
    public static let controllerMismatch: Reason = "controllerMismatch"
}

public import VerificationCore

extension Verification<[VerifiedDocument]> {
    /// The verification of each document of the response, in its order; empty if the wallet reports an error.
    public var documents: [Verification<VerifiedDocument>] {
        parts.compactMap { $0.verification(as: VerifiedDocument.self) }
    }

    /// The documents that are verified, even though others are refused.
    public var verifiedDocuments: [VerifiedDocument] { documents.compactMap(\.verified) }
}

public import CryptoCore
public import VerificationCore

/// The verifications of the readers' signatures of a request.
public struct ReaderAuthenticationVerification: Sendable {
    /// One verification per document request, in the order of the request; nil without a signature.
    ///
    /// The leaf of a verified chain is the reader's certificate.
    public let docRequests: [Verification<ValidatedCertificateChain>?]
    /// One verification per signature over the whole request.
    public let all: [Verification<ValidatedCertificateChain>]
    /// The readers whose signatures are verified, each with the parts that it signed, in the order in which they occur.
    public let parties: [ReaderParty]
    /// The deviations that tolerances let pass in the request and in the wallet's transcript; those of a document request
    /// and of its signature stand in its own verification too.
    public let deviations: [Deviation]
}

/// The outcome of verifying the readers' signatures of a request.
public struct ReaderAuthenticationVerification: Sendable {
    /// One result per document request, in the order of the request.
    public let docRequests: [ReaderAuthenticationResult]
    /// One result per signature over the whole request.
    public let all: [ReaderAuthenticationResult]
    /// The readers whose signatures are verified, each with the parts that it signed, in the order in which they occur.
    public let parties: [ReaderParty]
}

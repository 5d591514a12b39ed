public import CryptoCore

/// A reader that signed a request or parts of it, verified.
public struct ReaderParty: Sendable {
    /// The reader's certificate chain with the trust anchor behind it.
    public let chain: ValidatedCertificateChain
    /// The entry by which the reader is trusted: that of the lowest authority above it that is known.
    public let authority: ReaderAuthority
    /// The document requests that the reader signed one by one, counted from 0, in ascending order.
    public internal(set) var docRequests: [Int]
    /// Indicates whether the reader signed the whole request.
    public internal(set) var signedAll: Bool

    /// The reader's certificate.
    public var certificate: Certificate { chain.leaf }

    /// Returns `true` if the reader signed a document request, or the whole request.
    public func signed(docRequest index: Int) -> Bool {
        signedAll || docRequests.contains(index)
    }
}

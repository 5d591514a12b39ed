public import CryptoCore

/// A reader that signed a request or parts of it, verified.
public struct ReaderParty: Sendable {
    /// The reader's certificate chain with the trust anchor behind it.
    public let chain: ValidatedCertificateChain
    /// The entry by which the reader is trusted: that of the lowest authority above it that is known.
    public let authority: ReaderAuthority
    /// The document requests that the reader signed one by one, counted from 0, in ascending order.
    public internal(set) var docRequests: [Int]
    /// Whether the reader signed the whole request.
    public internal(set) var signedAll: Bool

    /// The reader's certificate.
    public var certificate: Certificate { chain.leaf }

    /// Whether the reader stands behind a document request, by a signature over it or over the whole.
    public func signed(docRequest index: Int) -> Bool {
        signedAll || docRequests.contains(index)
    }
}

extension ReaderAuthenticationVerification {
    /// The readers that stand behind a document request; empty where nobody who is trusted signed it.
    ///
    /// A wallet shows them with that request: readers that signed other parts say nothing about this one.
    public func parties(behindDocRequest index: Int) -> [ReaderParty] {
        guard docRequests.indices.contains(index) else { return [] }
        return parties.filter { $0.signed(docRequest: index) }
    }

    /// The document requests that nobody who is trusted signed, counted from 0.
    public var unsignedDocRequests: [Int] {
        docRequests.indices.filter { parties(behindDocRequest: $0).isEmpty }
    }

    /// Gathers what each reader signed.
    static func parties(
        _ docRequests: [ReaderAuthenticationResult],
        _ all: [ReaderAuthenticationResult],
        _ authorities: ReaderAuthorities
    ) -> [ReaderParty] {
        var parties: [ReaderParty] = []
        var indices: [Certificate: Int] = [:]
        func index(of result: ReaderAuthenticationResult) -> Int? {
            guard let chain = result.reader, let authority = authorities.lowest(above: chain).first else { return nil }
            if let known = indices[chain.leaf] { return known }
            indices[chain.leaf] = parties.count
            parties.append(ReaderParty(chain: chain, authority: authority, docRequests: [], signedAll: false))
            return parties.count - 1
        }
        for (number, result) in docRequests.enumerated() {
            if let index = index(of: result) { parties[index].docRequests.append(number) }
        }
        for result in all {
            if let index = index(of: result) { parties[index].signedAll = true }
        }
        return parties
    }
}

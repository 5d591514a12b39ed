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

/// A reader that signed a request or parts of it, verified.
public struct ReaderParty: Sendable {
    /// The reader's certificate chain with the trust anchor behind it.
    public let chain: ValidatedCertificateChain
    /// The entry by which the reader is trusted: that of the lowest authority above it that is known.
    public let authority: ReaderAuthority
    /// The document requests that the reader signed one by one, counted from 0, in ascending order.
    public internal(set) var docRequests: [Int]
    /// Indicates that the reader signed the whole request.
    public internal(set) var signedAll: Bool

    /// The reader's certificate.
    public var certificate: Certificate { chain.leaf }

    /// Returns `true` if the reader signed a document request, or the whole request.
    public func signed(docRequest index: Int) -> Bool {
        signedAll || docRequests.contains(index)
    }
}

extension ReaderAuthenticationVerification {
    /// The readers with a verified signature over a document request; empty without a trusted signature.
    ///
    /// A wallet shows them with that request. A reader that signed another part does not vouch for this one.
    public func parties(behindDocRequest index: Int) -> [ReaderParty] {
        guard docRequests.indices.contains(index) else { return [] }
        return parties.filter { $0.signed(docRequest: index) }
    }

    /// The document requests without a trusted signature, counted from 0.
    public var unsignedDocRequests: [Int] {
        docRequests.indices.filter { parties(behindDocRequest: $0).isEmpty }
    }

    /// Gathers the requests that each reader signed.
    static func parties(
        _ docRequests: [Verification<ValidatedCertificateChain>?],
        _ all: [Verification<ValidatedCertificateChain>],
        _ authorities: ReaderAuthorities
    ) -> [ReaderParty] {
        var parties: [ReaderParty] = []
        var indices: [Certificate: Int] = [:]
        func index(of verification: Verification<ValidatedCertificateChain>?) -> Int? {
            guard let chain = verification?.verified, let authority = authorities.lowest(above: chain).first else {
                return nil
            }
            if let known = indices[chain.leaf] { return known }
            indices[chain.leaf] = parties.count
            parties.append(ReaderParty(chain: chain, authority: authority, docRequests: [], signedAll: false))
            return parties.count - 1
        }
        for (number, verification) in docRequests.enumerated() {
            if let index = index(of: verification) { parties[index].docRequests.append(number) }
        }
        for verification in all {
            if let index = index(of: verification) { parties[index].signedAll = true }
        }
        return parties
    }
}

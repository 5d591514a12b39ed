import CryptoCore
import VerificationCore

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

    /// Gathers what each reader signed.
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

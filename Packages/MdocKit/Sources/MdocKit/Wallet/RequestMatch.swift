#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The stored credentials that answer a request: shown to the holder before anything is returned.
///
/// ```swift
/// let match = RequestMatch(request, in: credentials, at: Date())
/// let decision = match.fullConsent()          // or what the holder chose
/// let response = try await match.response(to: decision, sessionTranscript: transcript, at: Date()) { credential in
///     .signer(deviceSigner(for: credential))
/// }
/// ```
public struct RequestMatch: Sendable {
    /// The document set that serves a purpose of a request.
    public struct UseCaseMatch: Sendable {
        /// The purpose.
        public let useCase: UseCase
        /// The first document set that can be returned whole beside those chosen for other use cases, or nil.
        ///
        /// Mandatory use cases choose first. All chosen sets together hold at most two statements `age_over_NN` of licences.
        public let documentSet: [Int]?
    }

    /// A credential of the wallet's store that cannot be read, and hence is not offered.
    public struct UnreadableCredential: Sendable {
        /// The store's name for the credential, or for one copy of it.
        public let id: StoredMdoc.ID
        /// The reason.
        public let error: MdocError

        package init(id: StoredMdoc.ID, error: MdocError) {
            self.id = id
            self.error = error
        }
    }

    /// The request.
    public let request: DeviceRequest
    /// One match per document request, in the order of the request.
    public let docRequests: [DocRequestMatch]
    /// One match per purpose, in the order of the request; none if the request states none.
    public let useCases: [UseCaseMatch]
    /// The credentials that could not be read when the match was made, of any document type where not even that is
    /// readable.
    public private(set) var unreadableCredentials: [UnreadableCredential] = []

    /// The maker of zero-knowledge proofs, for the requests that take one.
    let zkProver: (any ZkProver)?

    /// Compares a request with the credentials of a wallet.
    ///
    /// - Parameters:
    ///   - request: The request as received.
    ///   - credentials: The wallet's credentials, with all copies of each. Those outside their validity period are not
    ///     offered.
    ///   - time: The time.
    ///   - retention: The wallet's rule for elements that the reader intends to retain.
    ///   - zkProver: The wallet's maker of zero-knowledge proofs; nil to return documents alone.
    public init(
        _ request: DeviceRequest,
        in credentials: [StoredMdoc],
        at time: Date,
        retention: RetentionPolicy = .acceptingAll,
        zkProver: (any ZkProver)? = nil
    ) {
        let docRequests = request.docRequests.enumerated().map { index, docRequest in
            DocRequestMatch(docRequest, index: index, credentials, at: time, retention, zkProver)
        }
        self.request = request
        self.zkProver = zkProver
        self.docRequests = docRequests
        useCases = Self.matches(for: request.deviceRequestInfo?.useCases ?? [], docRequests)
    }

    /// The same match with the credentials that could not be read.
    package func reporting(_ unreadable: [UnreadableCredential]) -> RequestMatch {
        var match = self
        match.unreadableCredentials = unreadable
        return match
    }

    private static func matches(for useCases: [UseCase], _ docRequests: [DocRequestMatch]) -> [UseCaseMatch] {
        var chosen: [[Int]?] = Array(repeating: nil, count: useCases.count)
        var ages: Set<DataElementReference> = []
        for isMandatory in [true, false] {
            for (index, useCase) in useCases.enumerated() where useCase.mandatory == isMandatory {
                chosen[index] = useCase.documentSets.first { set in
                    guard set.allSatisfy({ docRequests.indices.contains($0) && docRequests[$0].canBeSatisfied })
                    else { return false }
                    let together = set.reduce(into: ages) { $0.formUnion(docRequests[$1].ages) }
                    guard together.count <= AgeAttestation.mostAnswers else { return false }
                    ages = together
                    return true
                }
            }
        }
        return zip(useCases, chosen).map(UseCaseMatch.init)
    }

    /// The document requests to answer, by index: all that can be where the request states no purpose; else the chosen
    /// sets of all purposes and what belongs to none, or nothing where no purpose or not every mandatory one can be served.
    public var answerable: [Int] {
        guard useCases.isEmpty || useCases.contains(where: { $0.documentSet != nil }) else { return [] }
        guard useCases.allSatisfy({ !$0.useCase.mandatory || $0.documentSet != nil }) else { return [] }
        let ofUseCases = Set(useCases.flatMap { $0.useCase.documentSets.flatMap { $0 } })
        let chosen = Set(useCases.flatMap { $0.documentSet ?? [] })
        return docRequests.filter { docRequest in
            if ofUseCases.contains(docRequest.index) { return chosen.contains(docRequest.index) }
            return !docRequest.candidates.isEmpty
        }
        .map(\.index)
    }

    /// The decision to return all present requested elements, from the first candidate of each document request.
    ///
    /// At most two statements `age_over_NN` of driving licences are returned in one response. Those of the use cases come
    /// first; what is beyond is left out of document requests that belong to no use case.
    public func fullConsent() -> ConsentDecision {
        var ages: Set<DataElementReference> = []
        for index in useCases.flatMap({ $0.documentSet ?? [] }) { ages.formUnion(docRequests[index].ages) }
        let entries = answerable.compactMap { index in
            docRequests[index].candidates.first.map { match in
                let elements = match.disclosed.filter { element in
                    guard AgeAttestation.isLimited(element, in: match.credential.docType) else { return true }
                    guard !ages.contains(element), ages.count < AgeAttestation.mostAnswers else {
                        return ages.contains(element)
                    }
                    ages.insert(element)
                    return true
                }
                return ConsentDecision.Entry(docRequest: index, credential: match.credential.id, elements: elements)
            }
        }
        return ConsentDecision(entries)
    }
}

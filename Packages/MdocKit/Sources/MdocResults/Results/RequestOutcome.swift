public import MdocKit
public import VerificationCore

/// A response compared with its request (ISO/IEC 18013-5, 13.3): per document request, per element and per purpose.
///
/// ```swift
/// let outcome = RequestOutcome(verification, of: response, to: request)
/// for docRequest in outcome.docRequests {
///     for answer in docRequest.answers { print(answer.items?.missing ?? []) }
/// }
/// ```
///
/// A response does not say which document answers which document request. Documents of one type are paired with the
/// requests for it so that the fewest elements are missing. First each document answers one request, and each request
/// has one document. Then further documents join the request that they fit best, and a request that is left takes a
/// document that holds some of its elements.
public struct RequestOutcome: Sendable {
    /// One outcome per document request, in the order of the request.
    public let docRequests: [DocRequestOutcome]
    /// One outcome per purpose, in the order of the request; empty if the request names none.
    public let useCases: [UseCaseOutcome]
    /// The places in the response of the documents that answer no document request: their type was not asked for, or
    /// cannot be read.
    public let unrequestedDocuments: [Int]

    /// Compares a response with the request that it answers.
    ///
    /// - Parameters:
    ///   - verification: The verification of the response.
    ///   - response: The response.
    ///   - request: The request.
    public init(
        _ verification: Verification<[VerifiedMdocDocument]>,
        of response: DeviceResponse,
        to request: DeviceRequest
    ) {
        self.init(PresentationResult.results(verification, of: response), to: request)
    }

    init(_ results: [PresentationResult], to request: DeviceRequest) {
        let requests = request.docRequests.map(\.itemsRequest)
        var answers: [[DocRequestOutcome.Answer]] = Array(repeating: [], count: requests.count)
        let indices = Dictionary(grouping: requests.indices) { requests[$0].docType }
        let documents = Dictionary(grouping: results, by: \.docType)
        for (docType, indices) in indices {
            var pairing = AnswerPairing(indices.map { ($0, requests[$0]) }, documents[docType] ?? [])
            for (index, answer) in pairing.answers() { answers[index].append(answer) }
        }
        let docRequests = requests.indices.map { index in
            DocRequestOutcome(
                index: index,
                docType: requests[index].docType,
                uniqueDocSetRequired: requests[index].requestInfo?.uniqueDocSetRequired ?? false,
                answers: answers[index].sorted { $0.documentIndex < $1.documentIndex }
            )
        }
        self.docRequests = docRequests
        useCases = Self.useCases(request.deviceRequestInfo?.useCases ?? [], docRequests)
        let answering = Set(docRequests.flatMap { $0.answers.map(\.documentIndex) })
        unrequestedDocuments = results.map(\.index).filter { !answering.contains($0) }
    }

    private static func useCases(_ useCases: [UseCase], _ docRequests: [DocRequestOutcome]) -> [UseCaseOutcome] {
        let needed = useCases.map { Set($0.documentSets.joined()) }
        return useCases.indices.map { index in
            let others = needed.indices.filter { $0 != index }.reduce(into: Set<Int>()) { $0.formUnion(needed[$1]) }
            return UseCaseOutcome(useCases[index], docRequests, others: others)
        }
    }

    /// Indicates that the whole request is satisfied.
    ///
    /// Every document request is satisfied; or, if the request names purposes, every mandatory one is served, and none
    /// by more documents than one set.
    public var isSatisfied: Bool {
        useCases.isEmpty
            ? docRequests.allSatisfy(\.isSatisfied)
            : useCases.allSatisfy { $0.isAcceptable && $0.superfluousDocRequests.isEmpty }
    }

    /// The returned elements of a document that the reader may keep beyond the transaction.
    public func retainableElements(ofDocument index: Int) -> Set<DataElementReference> {
        Set(items(ofDocument: index).flatMap(\.retainableElements))
    }

    /// The returned elements of a document that answer no request.
    public func extraElements(ofDocument index: Int) -> [DataElementReference] {
        let outcomes = items(ofDocument: index)
        let others = outcomes.dropFirst().map { Set($0.extra) }
        return outcomes.first?.extra.filter { element in others.allSatisfy { $0.contains(element) } } ?? []
    }

    /// The content of a document for each document request that it answers.
    func items(ofDocument index: Int) -> [ItemsOutcome] {
        docRequests.flatMap { $0.answers.filter { $0.documentIndex == index }.compactMap(\.items) }
    }
}

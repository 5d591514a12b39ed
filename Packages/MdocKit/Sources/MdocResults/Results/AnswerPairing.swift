import MdocKit
import VerificationCore

/// Finds which of the documents of one type answers which of the requests for that type.
struct AnswerPairing {
    /// The distance between a document and a request; less is better.
    private struct Misfit: Comparable {
        let isOtherIssuer: Bool
        let missing: Int
        let extra: Int
        let request: Int
        let document: Int

        private var rank: (Int, Int, Int, Int, Int) { (isOtherIssuer ? 1 : 0, missing, extra, request, document) }

        static func < (left: Misfit, right: Misfit) -> Bool { left.rank < right.rank }
        static func == (left: Misfit, right: Misfit) -> Bool { left.rank == right.rank }
    }

    private let requests: [(index: Int, items: ItemsRequest)]
    private let refused: [(index: Int, refusal: Refusal)]
    private let verified: [Int]
    /// The content of each verified document for each request, by request and document.
    private let outcomes: [[ItemsOutcome]]
    private let misfits: [Misfit]

    private var pairs: [(request: Int, answer: DocRequestOutcome.Answer)] = []
    private var answered: Set<Int> = []
    private var answering: Set<Int> = []

    init(_ requests: [(index: Int, items: ItemsRequest)], _ documents: [PresentationResult]) {
        self.requests = requests
        refused = documents.compactMap { document in document.verification.refusal.map { (document.index, $0) } }
        let verified = documents.compactMap { document in
            document.verification.verified.map { (index: document.index, document: $0, elements: ReturnedElements($0)) }
        }
        self.verified = verified.map(\.index)
        let outcomes = requests.map { request in
            verified.map { ItemsOutcome(request.items, $0.elements, $0.document) }
        }
        self.outcomes = outcomes
        misfits = outcomes.indices.flatMap { request in
            outcomes[request].indices.map { document in
                let outcome = outcomes[request][document]
                return Misfit(
                    isOtherIssuer: !outcome.isIssuerAccepted,
                    missing: outcome.missing.count,
                    extra: outcome.extra.count,
                    request: request,
                    document: document
                )
            }
        }
        .sorted()
    }

    /// The answers, each with the index of its document request.
    mutating func answers() -> [(request: Int, answer: DocRequestOutcome.Answer)] {
        for misfit in misfits where !answered.contains(misfit.request) && !answering.contains(misfit.document) {
            pair(misfit)
        }
        for misfit in misfits where !answering.contains(misfit.document) { pair(misfit) }
        pairRefused()
        for misfit in misfits where !answered.contains(misfit.request) {
            let outcome = outcomes[misfit.request][misfit.document]
            if outcome.isIssuerAccepted, outcome.isAnsweredInPart { pair(misfit) }
        }
        return pairs
    }

    private mutating func pair(_ misfit: Misfit) {
        answered.insert(misfit.request)
        answering.insert(misfit.document)
        let answer = DocRequestOutcome.Answer(
            documentIndex: verified[misfit.document],
            content: .verified(outcomes[misfit.request][misfit.document])
        )
        pairs.append((requests[misfit.request].index, answer))
    }

    /// Nothing is known of these but their type: they go where there is no answer yet, or to the first request.
    private mutating func pairRefused() {
        for (index, refusal) in refused {
            guard let request = requests.indices.first(where: { !answered.contains($0) }) ?? requests.indices.first
            else { return }
            answered.insert(request)
            pairs.append(
                (
                    requests[request].index, DocRequestOutcome.Answer(documentIndex: index, content: .refused(refusal))
                )
            )
        }
    }
}

/// The verification of a document, with what the document states about itself, verified or not.
struct PresentationResult: Sendable {
    /// The document's place in the response, counted from 0.
    let index: Int
    /// The type as stated; nil if that much could not be read.
    let docType: DocType?
    /// The validity as stated; nil if the document could not be read.
    let validityInfo: ValidityInfo?
    /// The verification.
    let verification: Verification<VerifiedMdocDocument>

    /// The results of a response.
    static func results(
        _ verification: Verification<[VerifiedMdocDocument]>,
        of response: DeviceResponse
    ) -> [PresentationResult] {
        zip(PresentedDocument.documents(of: response), verification.documents).map { document, verification in
            PresentationResult(
                index: document.index,
                docType: document.docType,
                validityInfo: document.validityInfo,
                verification: verification
            )
        }
    }
}

/// Compares a decision with the request that it answers, and refuses elements that the standard forbids to return.
struct ConsentCheck {
    /// A document to return with the match that it comes from.
    typealias Document = (entry: ConsentDecision.Entry, match: MdocMatch)

    let request: RequestMatch
    let documents: [Document]

    /// Finds the credentials of a decision.
    init(_ decision: ConsentDecision, _ request: RequestMatch) throws(MdocError) {
        var documents: [Document] = []
        for entry in decision.entries {
            guard request.docRequests.indices.contains(entry.docRequest),
                let match = request.docRequests[entry.docRequest].candidates
                    .first(where: { $0.credential.id == entry.credential })
            else {
                throw MdocError(
                    .invalidValue,
                    "the credential \(entry.credential) does not answer document request \(entry.docRequest)"
                )
            }
            documents.append((entry, match))
        }
        self.request = request
        self.documents = documents
    }

    /// Makes every check.
    func run() throws(MdocError) {
        for document in documents {
            try checkElements(document)
            try checkPortrait(document)
        }
        try checkAges()
        try checkNumbers()
        try checkUseCases()
    }

    private func checkElements(_ document: Document) throws(MdocError) {
        let declined = Set(document.match.declinedForRetention)
        let leaving = document.entry.elements.subtracting(document.match.disclosed)
            .union(document.entry.deviceElements.references)
        if let kept = leaving.intersection(declined).min() {
            throw MdocError(.requestUnsatisfied, "\(kept) would be retained, which the wallet's policy declines")
        }
        let foreign = document.entry.elements.subtracting(document.match.disclosed).min()
        guard let foreign else { return }
        throw MdocError(.invalidValue, "\(foreign) was not asked for, or is not on the credential")
    }

    /// Requires the portrait if any other element of a driving licence is returned and the portrait was requested.
    private func checkPortrait(_ document: Document) throws(MdocError) {
        let portrait = DataElementReference(.mDL, "portrait")
        let elements = document.entry.elements
        guard document.match.credential.docType == .mDL, document.match.disclosed.contains(portrait),
            !elements.isEmpty, !elements.contains(portrait)
        else { return }
        throw MdocError(.requestUnsatisfied, "the portrait was asked for: with any other element it must be returned")
    }

    private func checkAges() throws(MdocError) {
        let ages = Set(
            documents.flatMap { document in
                document.entry.elements.filter { AgeAttestation.isLimited($0, in: document.match.credential.docType) }
            }
        )
        guard ages.count > AgeAttestation.mostAnswers else { return }
        throw MdocError(.requestUnsatisfied, "\(ages.count) statements age_over_NN of a licence are more than two")
    }

    /// No credential answers the same document request twice, and a unique answer is one.
    private func checkNumbers() throws(MdocError) {
        for docRequest in request.docRequests {
            let credentials = documents.filter { $0.entry.docRequest == docRequest.index }.map(\.entry.credential)
            guard Set(credentials).count == credentials.count else {
                throw MdocError(.invalidValue, "a credential answers document request \(docRequest.index) twice")
            }
            guard credentials.count < 2 || !docRequest.isUnique else {
                throw MdocError(.requestUnsatisfied, "document request \(docRequest.index) takes one answer only")
            }
        }
    }

    /// At least one use case is served and all mandatory ones, or nothing is returned; and each by one document set (10.2.5).
    private func checkUseCases() throws(MdocError) {
        guard !documents.isEmpty else { return }
        let satisfied = Set(documents.filter(Self.isSatisfied).map(\.entry.docRequest))
        var proposed: Set<Int> = []
        var largest: Set<Int> = []
        var named: Set<Int> = []
        var isAnyServed = request.useCases.isEmpty
        for (index, match) in request.useCases.enumerated() {
            let sets = match.useCase.documentSets
            named.formUnion(sets.flatMap { $0 })
            let served = sets.filter { satisfied.isSuperset(of: $0) }
            guard let most = served.max(by: { $0.count < $1.count }) else {
                guard match.useCase.mandatory else { continue }
                throw MdocError(.requestUnsatisfied, "the mandatory use case \(index) is not served: return nothing")
            }
            isAnyServed = true
            // Sets overlap: a holder follows the proposal, or else means the largest set.
            largest.formUnion(most)
            proposed.formUnion(match.documentSet.flatMap { served.contains($0) ? $0 : nil } ?? most)
        }
        guard isAnyServed else {
            throw MdocError(.requestUnsatisfied, "no use case is served: return nothing")
        }
        let answered = Set(documents.map(\.entry.docRequest)).intersection(named)
        guard !answered.isSubset(of: proposed), let excess = answered.subtracting(largest).min() else { return }
        throw MdocError(.requestUnsatisfied, "the answer to document request \(excess) serves no use case")
    }

    /// Returns `true` if every requested element, or an alternative of it, is returned.
    private static func isSatisfied(_ document: Document) -> Bool {
        document.match.elements.allSatisfy { element in
            if document.entry.deviceElements[element.element.nameSpace, element.element.identifier] != nil {
                return true
            }
            return !element.returned.isEmpty && document.entry.elements.isSuperset(of: element.returned)
        }
    }
}

/// The answer of a store of credentials to all queries of a request, for DCQL and Presentation Exchange alike.
///
/// A wallet shows it to the user, who chooses; ``plan(choosing:)`` checks the choice. ``preferredPlan()`` chooses without a
/// user.
public struct QueryResult: Sendable {
    /// The outcomes, in the order of the queries.
    public let queries: [QueryOutcome]
    /// The choices among queries; empty if every query must be answered.
    public let choices: [QueryChoice]
    /// The deviations of the verifier's query that tolerances let pass, each once.
    public let deviations: [Deviation]
    /// For each transaction of the request, the queries of which the presentation for one authorizes it.
    var authorizing: [[QueryID]] = []

    /// The result of queries that must all be answered.
    init(_ queries: [QueryOutcome]) {
        self.queries = queries
        choices = []
        deviations = []
    }

    init(_ queries: [QueryOutcome], deviations: [Deviation] = [], choices: (Set<QueryID>) -> [QueryChoice]) {
        self.queries = queries
        self.deviations = deviations
        self.choices = choices(Set(queries.filter { !$0.matches.isEmpty }.map(\.id)))
    }

    /// Indicates that the credentials are enough for an answer.
    ///
    /// Without that nothing may be sent at all, and the error is `access_denied`, as after a refusal by the user.
    public var isSatisfied: Bool {
        choices.isEmpty
            ? queries.allSatisfy { !$0.matches.isEmpty }
            : choices.allSatisfy { $0.isSatisfiable || !$0.isRequired }
    }

    /// The outcome of a query, or nil.
    public subscript(id: QueryID) -> QueryOutcome? { queries.first { $0.id == id } }

    private var matched: Set<QueryID> { Set(queries.filter { !$0.matches.isEmpty }.map(\.id)) }

    /// The plan that takes the first alternatives and the first credentials, and answers nothing optional beside them.
    ///
    /// Where nothing is required, it answers the first choice that can be answered, or nothing. If a transaction of the request
    /// would then be without a presentation that authorizes it, later alternatives that have one come first.
    ///
    /// - Throws: ``OID4VPError/Code/unsatisfied``; ``OID4VPError/Code/invalidSelection`` if the first alternatives of
    ///   one choice are too many for another.
    public func preferredPlan() throws(OID4VPError) -> PresentationPlan {
        let matched = matched
        var favored: Set<QueryID> = []
        var wanted = preferredQueries(matched, favoring: favored)
        for transaction in authorizing where wanted.isDisjoint(with: transaction) {
            let authorized = authorizing.filter { !wanted.isDisjoint(with: $0) } + [transaction]
            for query in transaction where matched.contains(query) {
                let others = preferredQueries(matched, favoring: favored.union([query]))
                guard authorized.allSatisfy({ !others.isDisjoint(with: $0) }), (try? check(others)) != nil else {
                    continue
                }
                favored.insert(query)
                wanted = others
                break
            }
        }
        var selection: [QueryID: [CredentialName]] = [:]
        for query in queries where wanted.contains(query.id) {
            selection[query.id] = query.matches.first.map { [$0.credential] }
        }
        return try plan(choosing: selection)
    }

    /// The queries of the first alternatives that can be answered, those with favored queries before others.
    private func preferredQueries(_ matched: Set<QueryID>, favoring favored: Set<QueryID>) -> Set<QueryID> {
        guard !choices.isEmpty else { return Set(queries.map(\.id)) }
        var wanted = choices.filter(\.isRequired).reduce(into: Set<QueryID>()) {
            $0.formUnion($1.preferredQueries(matched, favoring: favored))
        }
        for choice in choices where !choice.isRequired && choice.isSatisfiable {
            let missing = favored.subtracting(wanted)
            guard !choice.queries.isDisjoint(with: missing) else { continue }
            wanted.formUnion(choice.preferredQueries(matched, favoring: missing))
        }
        guard wanted.isEmpty else { return wanted }
        let offered = choices.filter(\.isSatisfiable).map { $0.preferredQueries(matched, atLeast: 1) }
        return offered.first { !$0.isEmpty } ?? []
    }

    /// The plan for a choice of credentials.
    ///
    /// - Parameter selection: For each query to answer, the credentials that answer it.
    /// - Throws: ``OID4VPError/Code/unsatisfied`` if the store is not enough for any answer;
    ///   ``OID4VPError/Code/invalidSelection`` for a credential that does not answer its query, for several if one is
    ///   asked for, for an unknown query, for a choice that is not answered, and for queries that answer none in full.
    public func plan(choosing selection: [QueryID: [CredentialName]]) throws(OID4VPError) -> PresentationPlan {
        guard isSatisfied else {
            throw OID4VPError(.unsatisfied, "the wallet does not hold what the request asks for")
        }
        var entries: [PresentationPlan.Entry] = []
        for query in queries {
            guard let credentials = selection[query.id], !credentials.isEmpty else { continue }
            entries += try query.entries(for: credentials)
        }
        let answered = Set(entries.map(\.query))
        guard answered.count == selection.filter({ !$0.value.isEmpty }).count else {
            throw OID4VPError(.invalidSelection, "the selection names a query that the request does not have")
        }
        try check(answered)
        return PresentationPlan(entries: entries)
    }

    private func check(_ answered: Set<QueryID>) throws(OID4VPError) {
        guard !choices.isEmpty else {
            guard answered.count == queries.count else {
                throw OID4VPError(.invalidSelection, "every query of the request must be answered")
            }
            return
        }
        var justified: Set<QueryID> = []
        for choice in choices {
            let isSatisfied = choice.isSatisfied(by: answered)
            guard isSatisfied || !choice.isRequired else {
                throw OID4VPError(.invalidSelection, "a required set of queries is not answered as it demands")
            }
            if isSatisfied { justified.formUnion(choice.answeredInFull(by: answered)) }
        }
        guard answered.isSubset(of: justified) else {
            throw OID4VPError(.invalidSelection, "a query is answered that belongs to no set that is answered in full")
        }
    }
}

extension QueryOutcome {
    fileprivate func entries(for credentials: [CredentialName]) throws(OID4VPError) -> [PresentationPlan.Entry] {
        guard allowsMultiple || credentials.count == 1 else {
            throw OID4VPError(.invalidSelection, "the query takes one credential", path: [id.text])
        }
        guard Set(credentials).count == credentials.count else {
            throw OID4VPError(.invalidSelection, "a credential is chosen twice", path: [id.text])
        }
        return try credentials.map { credential throws(OID4VPError) in
            guard let match = match(of: credential) else {
                throw OID4VPError(.invalidSelection, "a chosen credential does not answer the query", path: [id.text])
            }
            return PresentationPlan.Entry(query: id, match: match)
        }
    }
}

/// The presentations to make: which credential answers which query, and with which claims.
///
/// Only ``QueryResult`` makes one, so that no claim is in it that was not asked for.
public struct PresentationPlan: Sendable {
    /// One presentation.
    public struct Entry: Hashable, Sendable {
        /// The query that it answers.
        public let query: QueryID
        /// The credential, and the claims to disclose.
        public let match: QueryMatch
    }

    /// The presentations, in the order of the queries.
    public let entries: [Entry]

    init(entries: [Entry]) {
        self.entries = entries
    }
}

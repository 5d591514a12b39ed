/// A set of alternatives of which some are to be answered: a credential set of DCQL, or a submission requirement of
/// Presentation Exchange.
public struct QueryChoice: Sendable {
    /// One of the alternatives.
    public enum Alternative: Sendable {
        /// The answer to a query.
        case query(QueryID)
        /// The answer to a choice inside this one.
        case choice(QueryChoice)
    }

    /// The name for the user, as the verifier states it.
    public let name: String?
    /// The purpose, as the verifier states it.
    public let purpose: String?
    /// Indicates that nothing may be sent unless the choice is answered.
    public let isRequired: Bool
    /// The number of alternatives to answer.
    public let count: ClosedRange<Int>
    /// The alternatives, the verifier's preferred ones first.
    public let alternatives: [Alternative]
    /// The queries that have no match, of those in the choice and inside it.
    public let missing: [QueryID]
    /// The number of alternatives that the wallet can answer.
    let satisfiableAlternatives: Int
    /// The queries in the choice and inside it.
    let queries: Set<QueryID>
    /// Indicates that answering more alternatives than ``count`` says is refused.
    let isExact: Bool

    init(
        name: String? = nil,
        purpose: String? = nil,
        isRequired: Bool = true,
        count: ClosedRange<Int>,
        alternatives: [Alternative],
        isExact: Bool = false,
        matched: Set<QueryID>
    ) {
        self.name = name
        self.purpose = purpose
        self.isRequired = isRequired
        self.count = count
        self.alternatives = alternatives
        self.isExact = isExact
        satisfiableAlternatives = alternatives.filter { $0.isSatisfiable(matched) }.count
        queries = alternatives.reduce(into: []) { $0.formUnion($1.queries) }
        missing = queries.subtracting(matched).sorted()
    }

    /// Indicates that the wallet can answer the choice.
    public var isSatisfiable: Bool { satisfiableAlternatives >= count.lowerBound }
}

extension QueryChoice.Alternative {
    fileprivate func isSatisfiable(_ matched: Set<QueryID>) -> Bool {
        switch self {
        case .query(let id): matched.contains(id)
        case .choice(let choice): choice.isSatisfiable
        }
    }

    var queries: Set<QueryID> {
        switch self {
        case .query(let id): [id]
        case .choice(let choice): choice.queries
        }
    }
}

// Choices are nested no deeper than `PresentationDefinitionLimits.requirementDepth`, so that these may call themselves.
extension QueryChoice {
    /// Returns `true` if answers to some queries answer enough alternatives, and not too many.
    func isSatisfied(by answered: Set<QueryID>) -> Bool {
        let number = alternatives.filter { $0.isAnswered(by: answered) }.count
        return number >= count.lowerBound && (!isExact || number <= count.upperBound)
    }

    /// Returns `true` if answers to some queries answer every required choice; where there are no choices, every query.
    static func areSatisfied(
        _ choices: [QueryChoice],
        among queries: [QueryID],
        by answered: Set<QueryID>
    ) -> Bool {
        choices.isEmpty
            ? answered.isSuperset(of: queries)
            : choices.allSatisfy { $0.isSatisfied(by: answered) || !$0.isRequired }
    }

    /// The queries of those alternatives that are answered in full.
    func answeredInFull(by answered: Set<QueryID>) -> Set<QueryID> {
        alternatives.reduce(into: []) { queries, alternative in
            switch alternative {
            case .query(let id): if answered.contains(id) { queries.insert(id) }
            case .choice(let choice):
                guard choice.isSatisfied(by: answered) else { return }
                queries.formUnion(choice.answeredInFull(by: answered))
            }
        }
    }

    /// The queries of the first alternatives that can be answered, as few as are enough; an alternative with a favored query comes
    /// before others, also where none must be answered.
    func preferredQueries(
        _ matched: Set<QueryID>,
        favoring favored: Set<QueryID> = [],
        atLeast least: Int = 0
    ) -> Set<QueryID> {
        let satisfiable = alternatives.filter { $0.isSatisfiable(matched) }
        let first = satisfiable.filter { !$0.queries.isDisjoint(with: favored) }
        let others = satisfiable.filter { $0.queries.isDisjoint(with: favored) }
        let number = max(count.lowerBound, least, first.isEmpty ? 0 : 1)
        return (first + others).prefix(number).reduce(into: []) {
            switch $1 {
            case .query(let id): $0.insert(id)
            case .choice(let choice): $0.formUnion(choice.preferredQueries(matched, favoring: favored))
            }
        }
    }
}

extension QueryChoice.Alternative {
    fileprivate func isAnswered(by answered: Set<QueryID>) -> Bool {
        switch self {
        case .query(let id): answered.contains(id)
        case .choice(let choice): choice.isSatisfied(by: answered)
        }
    }
}

import JSONKit
import SDJWTKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PresentationDefinition {
    /// Evaluates the definition over the credentials of a wallet (Presentation Exchange 2, section 8).
    ///
    /// A credential on which paths and filters pass a limit does not answer. An error in its place could tell the verifier
    /// the value of a claim before the user consents (OpenID4VP 1.0, section 15). One outside its
    /// ``QueryableCredential/validity`` does not answer either.
    ///
    /// - Parameters:
    ///   - store: The credentials.
    ///   - time: The time of the presentation.
    ///   - formats: The formats that the verifier's metadata name; those of the definition that are not among them are
    ///     ignored. Empty for any, also where the metadata have an empty object.
    ///   - algorithms: The algorithms that the verifier takes beside those of the definition, by format; a format that is
    ///     missing may have any.
    ///   - tolerances: The tolerated deviations of the definition: ``RequestTolerance/elementwiseFilters`` or none.
    public func evaluate(
        over store: [any QueryableCredential],
        at time: Date,
        formats: [CredentialFormat] = [],
        algorithms: [CredentialFormat: FormatAlgorithms] = [:],
        tolerances: Set<RequestTolerance> = []
    ) -> QueryResult {
        evaluate(store, time, formats, algorithms, tolerances)
    }

    /// Evaluates the definition over credentials, whenever they are valid.
    ///
    /// This is for verifiers, whose checks of a credential include its times. Wallets leave out credentials outside their validity
    /// with ``evaluate(over:at:formats:algorithms:tolerances:)``, which has the same parameters beside the time.
    public func evaluate(
        over store: [any QueryableCredential],
        formats: [CredentialFormat] = [],
        algorithms: [CredentialFormat: FormatAlgorithms] = [:],
        tolerances: Set<RequestTolerance> = []
    ) -> QueryResult {
        evaluate(store, nil, formats, algorithms, tolerances)
    }

    private func evaluate(
        _ store: [any QueryableCredential],
        _ time: Date?,
        _ formats: [CredentialFormat],
        _ algorithms: [CredentialFormat: FormatAlgorithms],
        _ tolerances: Set<RequestTolerance>
    ) -> QueryResult {
        let taken = Set(formats.map(\.credential))
        let screened = descriptors.map { descriptor in
            let formats = self.formats(of: descriptor)
            return store.map { credential -> QueryMismatch.Reason? in
                guard taken.isEmpty || taken.contains(credential.format.credential) else { return .format }
                return descriptor.mismatch(of: credential, formats, algorithms)
            }
        }
        let budget = EvaluationBudget(share(of: screened.reduce(0) { $0 + $1.count { $0 == nil } }))
        var outcomes: [QueryOutcome] = []
        var elementwise: Set<Deviation> = []
        for (descriptor, reasons) in zip(descriptors, screened) {
            var matches: [QueryMatch] = []
            var mismatches: [QueryMismatch] = []
            for (credential, reason) in zip(store, reasons) {
                let id = credential.credentialName
                if let reason {
                    mismatches.append(QueryMismatch(id, reason))
                    continue
                }
                var evaluation = FieldEvaluation(credential, tolerances)
                evaluation.evaluate(descriptor.fields, within: budget)
                if let reason = evaluation.reason {
                    mismatches.append(QueryMismatch(id, reason, claims: evaluation.failed))
                } else if let reason = credential.mismatch(at: time) {
                    mismatches.append(QueryMismatch(id, reason))
                } else {
                    matches.append(QueryMatch(id, claims: evaluation.claims, askedPaths: evaluation.asked))
                    elementwise.formUnion(evaluation.elementwise.map { $0.elementwiseDeviation(descriptor.id) })
                }
            }
            outcomes.append(
                QueryOutcome(id: descriptor.id, matches: matches, mismatches: mismatches, allowsMultiple: false)
            )
        }
        let deviations = elementwise.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        return QueryResult(outcomes, deviations: deviations) { matched in
            requirements.map { choice($0, matched) }
        }
    }

    /// The steps for one descriptor on one credential, whatever the claims of others are.
    private func share(of pairs: Int) -> Int {
        max(limits.steps / max(pairs, 1), min(limits.steps, PresentationDefinitionLimits.leastShare))
    }

    /// Returns `true` if answers to some descriptors are all that must be in a response.
    package func isSatisfied(by answered: Set<QueryID>) -> Bool {
        QueryChoice.areSatisfied(requirements.map { choice($0, answered) }, among: descriptors.map(\.id), by: answered)
    }

    // Requirements are nested no deeper than `PresentationDefinitionLimits.maximumRequirementDepth`.
    private func choice(_ requirement: SubmissionRequirement, _ matched: Set<QueryID>) -> QueryChoice {
        let alternatives: [QueryChoice.Alternative] =
            switch requirement.source {
            case .group(let group): descriptors.filter { $0.groups.contains(group) }.map { .query($0.id) }
            case .nested(let nested): nested.map { .choice(choice($0, matched)) }
            }
        return QueryChoice(
            name: requirement.name,
            purpose: requirement.purpose,
            isRequired: true,
            count: requirement.count ?? alternatives.count...alternatives.count,
            alternatives: alternatives,
            isExact: true,
            matched: matched
        )
    }
}

extension InputDescriptor {
    /// The reason that a credential does not match whatever its claims are, or nil.
    fileprivate func mismatch(
        of credential: any QueryableCredential,
        _ formats: [FormatRequirement],
        _ algorithms: [CredentialFormat: FormatAlgorithms]
    ) -> QueryMismatch.Reason? {
        // A definition may name the presentation around the credential, too.
        let accepted = formats.filter { $0.format.credential == credential.format.credential }
        guard formats.isEmpty || !accepted.isEmpty else { return .format }
        for entries in [accepted.filter(\.format.isEnvelope), accepted.filter { !$0.format.isEnvelope }] {
            guard entries.isEmpty || entries.contains(where: { $0.accepts(credential) }) else { return .algorithm }
        }
        guard algorithms.accept(credential) else { return .algorithm }
        // The id of a descriptor for an mdoc is its document type (ISO/IEC 18013-7, annex B).
        if credential.format == .mdoc, !credential.types.contains(ExactText(id.text)) { return .type }
        if limitDisclosure == .required, !credential.disclosesSelectively { return .limitedDisclosure }
        return nil
    }
}

extension FormatRequirement {
    fileprivate func accepts(_ credential: any QueryableCredential) -> Bool {
        if let algorithms, !credential.issuerAlgorithms.contains(where: algorithms.contains) { return false }
        guard let holderAlgorithms, let own = credential.holderAlgorithms else { return true }
        return own.contains(where: holderAlgorithms.contains)
    }
}

/// Evaluates the fields of a descriptor on one credential.
private struct FieldEvaluation {
    private let credential: any QueryableCredential
    private let roots: [Root]
    private(set) var claims: [ClaimPath] = []
    /// The paths of the claims as the fields write them.
    private(set) var asked: [ClaimPath] = []
    private(set) var failed: [ClaimPath] = []
    private(set) var reason: QueryMismatch.Reason?
    /// The paths to arrays of which a filter accepts elements.
    private(set) var elementwise: [JSONPathQuery] = []
    private let testsElements: Bool
    private var known: Set<ClaimPath> = []
    private var knownAsked: Set<ClaimPath> = []

    /// An object that paths start at.
    private struct Root {
        let value: JSONValue
        /// Indicates that the credential may be a member of the object: `vc` of a JWT.
        let isEnvelope: Bool

        func claimPath(_ path: ClaimPath) -> ClaimPath {
            guard isEnvelope, path.components.first == .name("vc") else { return path }
            return ClaimPath(Array(path.components.dropFirst()))
        }
    }

    init(_ credential: any QueryableCredential, _ tolerances: Set<RequestTolerance>) {
        self.credential = credential
        testsElements = tolerances.contains(.elementwiseFilters)
        let envelope = credential.envelope.map { Root(value: .object($0), isEnvelope: true) }
        roots = [envelope, Root(value: .object(credential.claims), isEnvelope: false)].compactMap { $0 }
    }

    /// Evaluates all fields; those that pass a limit make the credential no answer.
    mutating func evaluate(_ fields: [DescriptorField], within budget: EvaluationBudget) {
        var budget = budget
        do throws(OID4VPError) {
            for field in fields { try evaluate(field, &budget) }
        } catch {
            reason = .limitExceeded
            failed = []
        }
    }

    /// Takes the first path that selects a value which the filter accepts; of several values those that it accepts.
    private mutating func evaluate(_ field: DescriptorField, _ budget: inout EvaluationBudget) throws(OID4VPError) {
        var found: ClaimPath?
        for path in field.paths {
            for root in roots {
                let nodes = try path.nodes(in: root.value, &budget)
                var accepted = try field.accepted(nodes, &budget)
                if accepted.isEmpty, testsElements, field.filter?.isForText == true {
                    accepted = try field.accepted(nodes.flatMap(\.textElements), &budget)
                    if !accepted.isEmpty { elementwise.append(path) }
                }
                if !accepted.isEmpty {
                    for node in accepted {
                        let asked = path.pattern ?? node.path.withoutIndices
                        add(root.claimPath(node.path), asked: root.claimPath(asked))
                    }
                    return
                }
                found = found ?? nodes.first.map { root.claimPath($0.path) }
            }
            if let claim = path.claimPath, try acceptsIssued(claim, field, &budget) { return add(claim, asked: claim) }
        }
        guard !field.isOptional else { return }
        if reason == nil { reason = found == nil ? .missingClaims : .otherValues }
        if let found { failed.append(found) }
    }

    /// Returns `true` if the field accepts a value that a path with indices selects among the elements as they were issued: a
    /// verifier does not see those that are withheld.
    private func acceptsIssued(
        _ path: ClaimPath,
        _ field: DescriptorField,
        _ budget: inout EvaluationBudget
    ) throws(OID4VPError) -> Bool {
        guard path.components.contains(where: { if case .index = $0 { true } else { false } }) else { return false }
        let nodes = credential.values(at: path).map { JSONPathQuery.Node(path: path, value: $0) }
        return try !field.accepted(nodes, &budget).isEmpty
    }

    private mutating func add(_ path: ClaimPath, asked: ClaimPath) {
        if known.insert(path).inserted { claims.append(path) }
        if knownAsked.insert(asked).inserted { self.asked.append(asked) }
    }
}

extension ClaimPath {
    /// The path with every index replaced by the step to all elements.
    fileprivate var withoutIndices: ClaimPath {
        ClaimPath(components.map { if case .index = $0 { .all } else { $0 } })
    }
}

extension JSONPathQuery {
    fileprivate func elementwiseDeviation(_ descriptor: QueryID) -> Deviation {
        let tolerance = RequestTolerance.elementwiseFilters
        return Deviation(tolerance.description, at: [descriptor.text, description], tolerance.finding)
    }
}

extension JSONPathQuery.Node {
    /// The texts in an array.
    fileprivate var textElements: [JSONPathQuery.Node] {
        (value.arrayValue ?? []).enumerated().compactMap { index, element in
            element.stringValue.map { _ in
                JSONPathQuery.Node(path: ClaimPath(path.components + [.index(index)]), value: element)
            }
        }
    }
}

extension DescriptorField {
    fileprivate func accepted(
        _ nodes: [JSONPathQuery.Node],
        _ budget: inout EvaluationBudget
    ) throws(OID4VPError) -> [JSONPathQuery.Node] {
        guard let filter else { return nodes }
        var accepted: [JSONPathQuery.Node] = []
        for node in nodes where try filter.accepts(node.value, &budget) { accepted.append(node) }
        return accepted
    }
}

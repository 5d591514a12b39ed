import JOSEKit
package import JSONKit
package import SDJWTKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The surroundings of a query's evaluation.
public struct DCQLEvaluationOptions: Sendable {
    /// Decides whether an authority of a kind other than `aki` vouches for a credential.
    public typealias AuthorityRule = @Sendable (TrustedAuthority, any QueryableCredential) -> Bool

    /// Indicates that `vc+sd-jwt` and `dc+sd-jwt` name one format.
    public var equatesSDJWTNames: Bool
    /// The rule for trusted authorities of kinds other than `aki`; by default none of them is accepted.
    public var isTrusted: AuthorityRule

    /// The algorithms that the verifier takes, by format; a format that is missing, as all are by default, may have any.
    public var algorithms: [CredentialFormat: FormatAlgorithms]

    /// Sets the options.
    public init(
        equatesSDJWTNames: Bool = true,
        algorithms: [CredentialFormat: FormatAlgorithms] = [:],
        isTrusted: @escaping AuthorityRule = { _, _ in false }
    ) {
        self.equatesSDJWTNames = equatesSDJWTNames
        self.algorithms = algorithms
        self.isTrusted = isTrusted
    }
}

extension DCQLQuery {
    /// Evaluates the query over the credentials of a wallet (section 6.4).
    ///
    /// A credential that does not give all requested claims is not among the matches, nor is one outside its
    /// ``QueryableCredential/validity``. Claims with other values than those asked for count as missing: of the elements of an
    /// array only those with such a value are disclosed.
    ///
    /// - Parameters:
    ///   - store: The credentials.
    ///   - time: The time of the presentation.
    ///   - options: The surroundings of the query.
    public func evaluate(
        over store: [any QueryableCredential],
        at time: Date,
        options: DCQLEvaluationOptions = DCQLEvaluationOptions()
    ) -> QueryResult {
        evaluate(store, time, options)
    }

    /// Evaluates the query over credentials, whenever they are valid.
    ///
    /// This is for verifiers, whose checks of a credential include its times. Wallets leave out credentials outside their validity
    /// with ``evaluate(over:at:options:)``.
    public func evaluate(
        over store: [any QueryableCredential],
        options: DCQLEvaluationOptions = DCQLEvaluationOptions()
    ) -> QueryResult {
        evaluate(store, nil, options)
    }

    private func evaluate(
        _ store: [any QueryableCredential],
        _ time: Date?,
        _ options: DCQLEvaluationOptions
    ) -> QueryResult {
        let outcomes = credentials.map { query in
            var matches: [QueryMatch] = []
            var mismatches: [QueryMismatch] = []
            for credential in store {
                switch query.evaluate(credential, options) {
                case .success(let match):
                    if let reason = credential.mismatch(at: time) {
                        mismatches.append(QueryMismatch(match.credential, reason))
                    } else {
                        matches.append(match)
                    }
                case .failure(let mismatch): mismatches.append(mismatch.mismatch)
                }
            }
            return QueryOutcome(
                id: query.id,
                matches: matches,
                mismatches: mismatches,
                allowsMultiple: query.allowsMultiple
            )
        }
        guard !credentialSets.isEmpty else { return QueryResult(outcomes) }
        return QueryResult(outcomes) { matched in credentialSets.map { $0.choice(matched) } }
    }

    /// Returns `true` if answers to some queries are all that must be in a response.
    package func isSatisfied(by answered: Set<QueryID>) -> Bool {
        QueryChoice.areSatisfied(credentialSets.map { $0.choice(answered) }, among: credentials.map(\.id), by: answered)
    }
}

extension CredentialSetQuery {
    fileprivate func choice(_ matched: Set<QueryID>) -> QueryChoice {
        let alternatives = options.map { option -> QueryChoice.Alternative in
            if option.count == 1 { return .query(option[0]) }
            let ids = option.map { QueryChoice.Alternative.query($0) }
            return .choice(QueryChoice(count: ids.count...ids.count, alternatives: ids, matched: matched))
        }
        return QueryChoice(
            purpose: purpose,
            isRequired: isRequired,
            count: 1...1,
            alternatives: alternatives,
            matched: matched
        )
    }
}

/// A mismatch on its way out of an evaluation.
private struct Mismatched: Error {
    let mismatch: QueryMismatch
}

extension CredentialQuery {
    private typealias Outcome = Result<QueryMatch, Mismatched>

    fileprivate func evaluate(
        _ credential: any QueryableCredential,
        _ options: DCQLEvaluationOptions
    ) -> Result<QueryMatch, Mismatched> {
        func mismatch(_ reason: QueryMismatch.Reason, _ claims: [ClaimPath] = []) -> Outcome {
            .failure(Mismatched(mismatch: QueryMismatch(credential.credentialName, reason, claims: claims)))
        }
        let isFormat =
            options.equatesSDJWTNames
            ? credential.format.current == format.current : credential.format == format
        guard isFormat else { return mismatch(.format) }
        guard options.algorithms.accept(credential) else { return mismatch(.algorithm) }
        guard type.includes(credential.types) else { return mismatch(.type) }
        guard trustedAuthorities.isEmpty || trustedAuthorities.contains(where: { $0.vouches(for: credential, options) })
        else { return mismatch(.trustedAuthority) }
        guard credential.isHolderBound || !requiresHolderBinding else { return mismatch(.holderBinding) }
        return evaluateClaims(of: credential, mismatch)
    }

    private func evaluateClaims(
        of credential: any QueryableCredential,
        _ mismatch: (QueryMismatch.Reason, [ClaimPath]) -> Outcome
    ) -> Outcome {
        var missing: [ClaimPath] = []
        var differing: [ClaimPath] = []
        var present: Set<Int> = []
        for (place, claim) in claims.enumerated() {
            let values = credential.values(at: claim.path)
            if values.isEmpty {
                missing.append(claim.path)
            } else if claim.accepts(values) {
                if !claimSets.isEmpty { present.insert(place) }
            } else {
                differing.append(claim.path)
            }
        }
        guard !claimSets.isEmpty else {
            guard missing.isEmpty else { return mismatch(.missingClaims, missing) }
            guard differing.isEmpty else { return mismatch(.otherValues, differing) }
            return .success(match(credential, claims))
        }
        var placesByID: [ExactText: Int] = [:]
        for (place, claim) in claims.enumerated() { if let id = claim.id { placesByID[id] = place } }
        for (place, set) in claimSets.enumerated() {
            let places = set.compactMap { placesByID[$0] }
            guard places.count == set.count, places.allSatisfy(present.contains) else { continue }
            return .success(match(credential, places.map { claims[$0] }, claimSet: place))
        }
        return mismatch(.claimSets, missing + differing)
    }

    private func match(
        _ credential: any QueryableCredential,
        _ claims: [ClaimQuery],
        claimSet: Int? = nil
    ) -> QueryMatch {
        QueryMatch(
            credential.credentialName,
            claims: claims.map(\.path),
            disclosedPaths: claims.flatMap { $0.acceptedPaths(in: credential) },
            claimSet: claimSet
        )
    }
}

extension ClaimQuery {
    /// Returns `true` if one of the selected values is one that is asked for.
    fileprivate func accepts(_ selected: [JSONValue]) -> Bool {
        values.isEmpty || selected.contains(where: accepts)
    }

    private func accepts(_ value: JSONValue) -> Bool { values.contains { $0.hasSameValue(as: value) } }

    /// The paths to the values to disclose: where the claim asks for some of the elements of an array, those to each.
    fileprivate func acceptedPaths(in credential: any QueryableCredential) -> [ClaimPath] {
        guard !values.isEmpty, path.components.contains(.all) else { return [path] }
        let places = path.places(in: .object(credential.claims)).filter { accepts($0.value) }
        // A verifier accepts a path with indices by the elements as issued, of which it sees only some.
        return places.isEmpty ? [path] : places.map(\.path)
    }
}

extension CredentialTypeQuery {
    fileprivate func includes(_ types: [ExactText]) -> Bool {
        switch self {
        case .any: true
        case .vct(let values): types.contains(where: values.contains)
        case .docType(let value): types.contains(value)
        case .expandedTypes(let alternatives):
            alternatives.contains { alternative in alternative.allSatisfy(types.contains) }
        }
    }
}

extension TrustedAuthority {
    fileprivate func vouches(for credential: any QueryableCredential, _ options: DCQLEvaluationOptions) -> Bool {
        guard type == Self.authorityKeyIdentifier else { return options.isTrusted(self, credential) }
        let identifiers = Set(credential.authorityKeyIdentifiers.map { ExactText(Base64URL.encode($0)) })
        return values.contains(where: identifiers.contains)
    }
}

extension ClaimPath {
    /// The values that the path selects, each with the indices of the elements on the way.
    package func places(in root: JSONValue) -> [(path: ClaimPath, value: JSONValue)] {
        var places = [(path: ClaimPath([]), value: root)]
        for component in components {
            places = places.flatMap { path, value in
                value.children(at: component).map { (ClaimPath(path.components + [$0.step]), $0.value) }
            }
        }
        return places
    }

    /// Indicates that the path is a namespace and an element identifier of an mdoc.
    var isDataElement: Bool {
        components.count == 2
            && components.allSatisfy { if case .name = $0 { true } else { false } }
    }
}

extension JSONValue {
    /// The values that one step of a path leads to, with names and indices alone.
    fileprivate func children(at step: ClaimPath.Component) -> [(step: ClaimPath.Component, value: JSONValue)] {
        switch step {
        case .name(let name): self[name].map { [(step, $0)] } ?? []
        case .index(let index): self[index].map { [(step, $0)] } ?? []
        case .all: (arrayValue ?? []).enumerated().map { (.index($0.offset), $0.element) }
        }
    }
}

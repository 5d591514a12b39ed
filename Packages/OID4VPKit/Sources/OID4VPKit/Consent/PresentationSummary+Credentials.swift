import JSONKit
import OID4VPMessages
import SDJWTKit

extension PresentationSummary.Credential {
    /// The part of a credential that leaves by the entry of a plan.
    ///
    /// - Parameter matches: The matches of the credential that one presentation answers.
    init(
        _ entry: PresentationPlan.Entry,
        _ credential: PresentableCredential,
        sharedBy matches: [QueryMatch],
        _ query: PresentationRequest.Query
    ) throws(OID4VPError) {
        self.query = entry.query
        self.credential = entry.match.credential
        let queryable = credential.queryable
        format = queryable.format
        types = queryable.types
        let shared: [QueryMatch] = if case .w3c = credential { matches } else { [entry.match] }
        let disclosed = format.divide(try credential.disclosedClaims(of: entry.match, sharedBy: shared))
        technical = disclosed.technical
        let requested = shared.flatMap { $0.disclosedPaths + $0.claims }
        let retained = try query.retainedPaths(of: entry.query, in: queryable)
        elements = disclosed.own.leaves.map { path, value in
            PresentationSummary.Element(
                path: path,
                value: value,
                isRequested: requested.contains { $0.selects(path, counting: !queryable.disclosesSelectively) },
                isRetained: retained.contains { $0.selects(path, counting: !queryable.disclosesSelectively) }
            )
        }
        purposes = query.purposes(of: entry.query)
    }
}

extension PresentationRequest.Query {
    /// The names of the queries, in their order.
    var names: [QueryID] {
        switch self {
        case .dcql(let query): query.credentials.map(\.id)
        case .definition(let definition): definition.descriptors.map(\.id)
        case .definitionReference, .scope: []
        }
    }

    /// The purposes that the verifier states for a query: those of the whole, of its sets, and of its fields.
    fileprivate func purposes(of name: QueryID) -> [String] {
        switch self {
        case .dcql(let query):
            query.credentialSets.filter { $0.options.contains { $0.contains(name) } }.compactMap(\.purpose)
        case .definition(let definition):
            [definition.purpose].compactMap { $0 }
                + definition.descriptors.filter { $0.id == name }.flatMap { descriptor in
                    ([descriptor.purpose] + descriptor.fields.map(\.purpose)).compactMap { $0 }
                }
        case .definitionReference, .scope: []
        }
    }

    /// The paths of the claims that the verifier intends to retain.
    fileprivate func retainedPaths(
        of name: QueryID,
        in credential: any QueryableCredential
    ) throws(OID4VPError) -> [ClaimPath] {
        switch self {
        case .dcql(let query):
            return (query[name]?.claims ?? []).filter { $0.intentToRetain == true }.map(\.path)
        case .definition(let definition):
            let descriptors = definition.descriptors.filter { $0.id == name }
            let paths = descriptors.flatMap(\.fields).filter { $0.intentToRetain == true }.flatMap(\.paths)
            let claims = JSONValue.object(credential.claims)
            return try paths.map { path throws(OID4VPError) in try path.nodes(in: claims).map(\.path) }.flatMap { $0 }
        case .definitionReference, .scope: return []
        }
    }
}

extension ClaimPath {
    /// Returns `true` if the path leads to a place, or to a value around it.
    ///
    /// - Parameter isCounting: Indicates that indices count; `false` where elements of arrays may be left out.
    fileprivate func selects(_ place: ClaimPath, counting isCounting: Bool) -> Bool {
        guard components.count <= place.components.count else { return false }
        return zip(components, place.components).allSatisfy { step, other in
            switch (step, other) {
            case (.all, .index): true
            case (.index, .index) where !isCounting: true
            default: step == other
            }
        }
    }
}

extension JSONObject {
    /// The values that have no values inside them, each with its path, in the order of the object.
    fileprivate var leaves: [(path: ClaimPath, value: JSONValue)] {
        var leaves: [(path: ClaimPath, value: JSONValue)] = []
        var pending = map { (path: ClaimPath([.name($0.name)]), value: $0.value) }
        pending.reverse()
        while let (path, value) = pending.popLast() {
            var inner: [(path: ClaimPath, value: JSONValue)] = []
            switch value {
            case .object(let members):
                inner = members.map { (ClaimPath(path.components + [.name($0.name)]), $0.value) }
            case .array(let elements):
                inner = elements.enumerated().map { (ClaimPath(path.components + [.index($0.offset)]), $0.element) }
            default: break
            }
            if inner.isEmpty { leaves.append((path, value)) }
            pending += inner.reversed()
        }
        return leaves
    }
}

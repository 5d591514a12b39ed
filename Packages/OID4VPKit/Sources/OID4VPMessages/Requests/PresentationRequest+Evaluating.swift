#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PresentationRequest {
    /// Evaluates the query over a store, by the verifier's metadata: credentials that are signed, or whose holders sign, with
    /// algorithms that it does not take are not among the matches, nor, for a definition, those of formats that it does not name.
    ///
    /// Nor are credentials outside their ``QueryableCredential/validity``, which a verifier would refuse after it has seen their
    /// claims.
    ///
    /// - Parameters:
    ///   - store: The credentials.
    ///   - time: The time of the presentation.
    ///   - options: The surroundings of a DCQL query; its algorithms are replaced by those of the request.
    /// - Throws: ``OID4VPError/Code/invalidSelection`` where the query is a name or an address, which is to be resolved
    ///   first.
    public func evaluate(
        over store: [any QueryableCredential],
        at time: Date,
        options: DCQLEvaluationOptions = DCQLEvaluationOptions()
    ) throws(OID4VPError) -> QueryResult {
        var result = try queryResult(over: store, at: time, options)
        result.authorizing = transactionData.map(\.credentials)
        return result
    }

    private func queryResult(
        over store: [any QueryableCredential],
        at time: Date,
        _ options: DCQLEvaluationOptions
    ) throws(OID4VPError) -> QueryResult {
        switch query {
        case .dcql(let query):
            var options = options
            options.algorithms = metadata?.algorithms ?? [:]
            return query.evaluate(over: store, at: time, options: options)
        case .definition(let definition):
            return definition.evaluate(
                over: store,
                at: time,
                formats: metadata?.formats?.map { CredentialFormat($0.name) } ?? [],
                algorithms: metadata?.algorithms ?? [:],
                tolerances: tolerances
            )
        case .definitionReference, .scope:
            throw OID4VPError(.invalidSelection, "the query of the request has not been fetched or resolved")
        }
    }
}

import JSONKit

/// The version of OpenID4VP that a request is of.
public enum OpenID4VPVersion: String, Hashable, Sendable {
    /// Draft 21: `client_id_scheme` and Presentation Exchange.
    case draft21
    /// Drafts 22 to 25 with Presentation Exchange.
    case draft23
    /// 1.0, and drafts 22 to 29 with DCQL under tolerances.
    case v1

    /// Detects the version of the parameters that count: those of the request object, if there is one.
    ///
    /// A `scope` that is empty or `openid` names no query, and is ignored beside one (section 5.5).
    ///
    /// - Throws: ``OID4VPError/Code/contradictoryParameters`` for queries in two languages or in two forms, and for DCQL
    ///   in draft 21; ``OID4VPError/Code/missingParameter`` for a request without a query.
    public init(of parameters: AuthorizationParameters) throws(OID4VPError) {
        var queries = ["presentation_definition", "presentation_definition_uri", "dcql_query", "scope"]
            .filter(parameters.contains)
        if queries.count == 2, ["", "openid"].contains(parameters.members["scope"]?.stringValue) {
            queries.removeAll { $0 == "scope" }
        }
        guard queries.count <= 1 else {
            throw OID4VPError(.contradictoryParameters, "there are several queries: \(queries.joined(separator: ", "))")
        }
        guard let query = queries.first else {
            throw OID4VPError(.missingParameter, "there is no query", path: ["dcql_query"])
        }
        guard !parameters.contains("client_id_scheme") else {
            guard query != "dcql_query" else {
                throw OID4VPError(.contradictoryParameters, "draft 21 has no DCQL", path: ["client_id_scheme"])
            }
            self = .draft21
            return
        }
        self = query.hasPrefix("presentation_definition") ? .draft23 : .v1
    }

    /// The version that the parameters of a request without one valid query are most likely of.
    package init(likelyOf parameters: AuthorizationParameters) {
        let hasDefinition = ["presentation_definition", "presentation_definition_uri"].contains(
            where: parameters.contains
        )
        self = parameters.contains("client_id_scheme") ? .draft21 : hasDefinition ? .draft23 : .v1
    }
}

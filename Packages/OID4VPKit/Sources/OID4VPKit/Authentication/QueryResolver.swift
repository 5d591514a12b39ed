public import CredentialTransport
import JSONKit
public import OID4VPMessages

/// Finds the query that a request has by name (`scope`) or by reference (`presentation_definition_uri`).
///
/// ```swift
/// let resolver = QueryResolver(transport: transport) { scope, _ in queries[scope].map { .dcql($0) } }
/// let asked = try await request.presentationRequest(resolvingWith: resolver)
/// ```
public struct QueryResolver: Sendable {
    /// Returns the query that verifier and wallet agreed on for a scope value, or nil for an unknown one.
    public typealias Scopes =
        @Sendable (_ scope: String, _ request: AuthenticatedRequest) async -> PresentationRequest.Query?

    private let transport: any HTTPTransport
    private let scopes: Scopes

    /// Makes a resolver.
    ///
    /// - Parameters:
    ///   - transport: Fetches definitions; it guards against private addresses and follows no redirects.
    ///   - scopes: Knows the queries behind scope values; none by default.
    public init(transport: any HTTPTransport, scopes: @escaping Scopes = { _, _ in nil }) {
        self.transport = transport
        self.scopes = scopes
    }

    /// The query itself.
    ///
    /// - Throws: `OID4VPError` with code `invalidScope` for a scope that is malformed, unknown, or of several values;
    ///   `definitionNotRetrieved`; `invalidDefinitionDocument` for a fetched definition that is too large, of another
    ///   type, malformed or invalid.
    func resolved(
        _ query: PresentationRequest.Query,
        of request: AuthenticatedRequest
    ) async throws(OID4VPError) -> PresentationRequest.Query {
        switch query {
        case .dcql, .definition: return query
        case .definitionReference(let url): return .definition(try await definition(at: url, request.options))
        case .scope(let text):
            let isToken = text.utf8.allSatisfy { (0x21..<0x7f).contains($0) && $0 != 0x22 && $0 != 0x5c }
            guard isToken else {
                throw OID4VPError(.invalidScope, "it must be one scope value", path: ["scope"])
            }
            switch await scopes(text, request) {
            case .dcql(let query)? where request.version == .v1: return .dcql(query)
            case .definition(let definition)?: return .definition(definition)
            default: throw OID4VPError(.invalidScope, "the scope value is unknown", path: ["scope"])
            }
        }
    }

    private func definition(
        at url: HTTPURL,
        _ options: RequestReadingOptions
    ) async throws(OID4VPError) -> PresentationDefinition {
        let path = ["presentation_definition_uri"]
        let limits = HTTPLimits(maximumBodySize: options.limits.definitionSize)
        let body: [UInt8]
        do throws(TransportError) {
            body = try await transport.response(to: .get(url, accepting: [.json], limits: limits)).body
        } catch {
            let unusable: [TransportError.Code] = [
                .contentTypeNotAccepted, .contentEncodingNotAccepted, .bodyTooLarge, .incompleteBody,
            ]
            throw OID4VPError(
                unusable.contains(error.code) ? .invalidDefinitionDocument : .definitionNotRetrieved,
                error.message,
                path: path,
                cause: error
            )
        }
        do {
            let value = try JSONValue(parsing: body, limits: options.limits.json)
            return try PresentationDefinition(
                json: value,
                limits: options.definitionLimits,
                skippingAlternatives: true
            )
        } catch {
            throw OID4VPError(.invalidDefinitionDocument, "the definition is not valid", path: path, cause: error)
        }
    }
}

extension AuthenticatedRequest {
    /// Reads the content of the request, and finds the query that the request has by name or by reference.
    ///
    /// Nothing is fetched for a request that is refused for something else.
    ///
    /// - Parameters:
    ///   - support: The capabilities of the wallet.
    ///   - resolver: Finds the query.
    /// - Throws: `OID4VPError`; its `authorizationCode` is that of the response to the verifier.
    public func presentationRequest(
        support: PresentationRequest.Support = PresentationRequest.Support(),
        resolvingWith resolver: QueryResolver
    ) async throws(OID4VPError) -> PresentationRequest {
        var deviations: [Deviation] = []
        let named = try PresentationRequest.query(parameters, options, &deviations)
        if case .dcql = named { return try presentationRequest(support: support) }
        if case .definition = named { return try presentationRequest(support: support) }
        // Transactions refer to the query, which is not there yet.
        var members = parameters.members
        members["transaction_data"] = nil
        _ = try PresentationRequest(
            AuthorizationParameters(members, limits: options.limits),
            version: version,
            target: target,
            metadataSource: metadataSource,
            support: support,
            options: options
        )
        let query = try await resolver.resolved(named, of: self)
        return try presentationRequest(support: support, query: query)
    }
}

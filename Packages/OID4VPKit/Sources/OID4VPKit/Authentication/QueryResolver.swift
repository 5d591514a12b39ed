public import CredentialTransport
import JOSEKit
import JSONKit
public import OID4VPMessages

/// Finds the query that a request has by name (`scope`) or by reference (`presentation_definition_uri`), and the keys for the
/// response that metadata name by address (`jwks_uri`).
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
    ///   - transport: Fetches definitions and keys; it guards against private addresses and follows no redirects.
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

    /// The keys of a verifier for its response.
    ///
    /// They are fetched for each request: keys for responses are short-lived.
    ///
    /// - Throws: `OID4VPError` with code `keysNotRetrieved`, `invalidMetadata` or `limitExceeded`.
    func keys(at url: HTTPURL, _ options: RequestReadingOptions) async throws(OID4VPError) -> JWKSet {
        let limits = HTTPLimits(maximumBodySize: options.limits.documentSize)
        return try await transport.keys(at: url, limits: limits, path: ["client_metadata", "jwks_uri"]).value
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
                "the definition cannot be fetched",
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
    /// Reads the content of the request, finds the query that the request has by name or by reference, and the keys that the
    /// verifier's metadata name by address.
    ///
    /// Nothing is fetched for a request that is refused for something else.
    ///
    /// - Parameters:
    ///   - support: The capabilities of the wallet.
    ///   - resolver: Finds query and keys.
    /// - Throws: `OID4VPError`; its `authorizationCode` is that of the response to the verifier.
    public func presentationRequest(
        support: PresentationRequest.Support = PresentationRequest.Support(),
        resolvingWith resolver: QueryResolver
    ) async throws(OID4VPError) -> PresentationRequest {
        if let fault { throw fault }
        var deviations: [Deviation] = []
        let named = try PresentationRequest.query(parameters, options, &deviations)
        let address = try addressOfKeys()
        var query: PresentationRequest.Query?
        switch named {
        case .dcql, .definition:
            guard address != nil else { return try presentationRequest(support: support) }
            _ = try content(of: parameters, target: target.inTheClear, support)
        case .definitionReference, .scope:
            // Transactions refer to the query, which is not there yet.
            var members = parameters.members
            members["transaction_data"] = nil
            let parameters = AuthorizationParameters(members, limits: options.limits)
            _ = try content(of: parameters, target: address == nil ? target : target.inTheClear, support)
            query = try await resolver.resolved(named, of: self)
        }
        var keys: JWKSet?
        if let address { keys = try await resolver.keys(at: address, options) }
        return try presentationRequest(support: support, query: query, keys: keys)
    }

    /// The address of the keys that a response is to be encrypted to; nil where the metadata have the keys themselves, and where
    /// none are needed.
    ///
    /// Of requests, draft 21 alone has the member (section 5 of that draft). A registered client may have it in any version.
    private func addressOfKeys() throws(OID4VPError) -> HTTPURL? {
        switch metadataSource {
        case .request where version != .draft21: return nil
        case .federation: return nil
        case .request, .wallet: break
        }
        guard target.mode.isJWT, let members = metadataMembers, !members.contains("jwks"),
            let address = members["jwks_uri"],
            version == .v1 || members.contains("authorization_encrypted_response_alg")
        else { return nil }
        return try HTTPURL(secure: address.stringValue ?? "", .invalidMetadata, at: "jwks_uri")
    }
}

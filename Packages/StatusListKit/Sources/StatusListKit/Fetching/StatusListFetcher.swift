import CredentialTransport

/// Fetches tokens and aggregations over HTTP (Token Status List, section 8.1).
struct StatusListFetcher: Sendable {
    let transport: (any HTTPTransport)?
    let policy: StatusListPolicy
    let options: StatusListClientOptions

    /// The token at a URI.
    ///
    /// - Parameter time: The second of 1970 for which a token is asked for, or nil for the current one.
    func token(at uri: String, time: Int64?) async throws(StatusListError) -> FetchedDocument<StatusListToken> {
        let forms = StatusListToken.Form.allCases.filter(policy.accepts)
        let response = try await response(at: uri, time, accepting: AcceptedContent(forms.map(\.mediaType)))
        guard let form = forms.first(where: { $0.mediaType == response.contentType }) else {
            throw StatusListError(.notFetched, "the answer has another content type", path: [uri])
        }
        return FetchedDocument(
            try StatusListToken(response.body, form: form, limits: policy.limits),
            from: response
        )
    }

    func aggregation(at uri: String) async throws(StatusListError) -> StatusListAggregation {
        let response = try await response(at: uri, nil, accepting: [.json])
        return try StatusListAggregation(json: response.body, limits: policy.limits)
    }

    private func response(
        at uri: String,
        _ time: Int64?,
        accepting accepted: AcceptedContent
    ) async throws(StatusListError) -> HTTPTransportResponse {
        guard let transport else { throw .notAvailable(uri) }
        do {
            var url = try HTTPURL(uri)
            if let time { url = url.appendingQueryItem("time", String(time)) }
            let request = HTTPTransportRequest.get(
                url,
                accepting: accepted,
                statuses: .successful,
                limits: HTTPLimits(maximumBodySize: policy.limits.tokenSize, timeout: options.timeout)
            )
            return try await transport.response(to: request, followingRedirects: options.redirects)
        } catch {
            let isHistory = time != nil && (error.status == 404 || error.status == 501)
            let code = isHistory ? StatusListError.Code.historyNotSupported : .notFetched
            throw StatusListError(code, error.message, path: [uri], cause: error)
        }
    }
}

extension StatusListToken.Form {
    /// The media type, as the transport has it.
    fileprivate var mediaType: MediaType {
        switch self {
        case .jwt: .statusListJWT
        case .cwt: .statusListCWT
        }
    }
}

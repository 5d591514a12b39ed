import CredentialTransport
@_spi(Layers) import JOSEKit
import VerificationCore

/// Fetches tokens and aggregations over HTTP (Token Status List, section 8.1).
struct StatusListFetcher: Sendable {
    let transport: (any HTTPTransport)?
    let policy: StatusListPolicy
    let options: StatusListClientOptions

    /// The token at a URI.
    ///
    /// - Parameters:
    ///   - time: The second of 1970 for which a token is asked for, or nil for the current one.
    ///   - accepted: The forms that are taken, of those of the policy.
    func token(
        at uri: String,
        time: Int64?,
        in accepted: Set<StatusListToken.Form>
    ) async throws(StatusListError) -> FetchedDocument<StatusListToken> {
        let forms = StatusListToken.Form.allCases.filter(accepted.contains)
        let isTolerant = policy.tolerances.contains(.otherContentType)
        let types = forms.map(\.mediaType) + (isTolerant ? Self.otherTypes : [])
        let response = try await response(at: uri, time, accepting: AcceptedContent(types))
        let body = try response.body(upTo: policy.limits.tokenSize, at: uri)
        let named = forms.first { $0.mediaType == response.contentType }
        guard let form = named ?? forms.first(where: { isTolerant && $0.isForm(of: body) }) else {
            throw StatusListError(.notFetched, "the answer has another content type", path: [uri])
        }
        var token = try StatusListToken(body, form: form, limits: policy.limits)
        if named == nil {
            let name = StatusListTolerance.otherContentType.description
            token.deviations = [Deviation(name, at: [uri], response.contentType?.description ?? "")]
        }
        return FetchedDocument(token, from: response)
    }

    /// The types that servers give to tokens without knowing them.
    private static let otherTypes = [
        "application/jwt", "application/cwt", "text/plain", "application/octet-stream",
    ].compactMap { try? MediaType($0) }

    func aggregation(at uri: String) async throws(StatusListError) -> StatusListAggregation {
        let response = try await response(at: uri, nil, accepting: [.json])
        let body = try response.body(upTo: policy.limits.tokenSize, at: uri)
        return try StatusListAggregation(json: body, limits: policy.limits)
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
            var request = HTTPTransportRequest.get(
                url,
                accepting: accepted,
                statuses: .successful,
                limits: HTTPLimits(maximumBodySize: policy.limits.tokenSize, timeout: options.timeout)
            )
            // Servers of lists should compress them (section 8.1).
            request.acceptsGzip = true
            return try await transport.response(to: request, followingRedirects: options.redirects)
        } catch {
            let isHistory = time != nil && (error.status == 404 || error.status == 501)
            let code = isHistory ? StatusListError.Code.historyNotSupported : .notFetched
            throw StatusListError(code, error.message, path: [uri], cause: error)
        }
    }
}

extension HTTPTransportResponse {
    /// The body, decompressed if it is compressed.
    ///
    /// - Throws: ``StatusListError/Code/notFetched`` for a body that decompresses to more than the limit, and for one that
    ///   cannot be decompressed.
    func body(upTo limit: Int, at uri: String) throws(StatusListError) -> [UInt8] {
        guard isGzipped else { return body }
        do throws(JOSEError) {
            return try Deflate.decompress(body, format: .gzip, maximumSize: limit)
        } catch {
            let code = error.code == .limitExceeded ? TransportError.Code.bodyTooLarge : .contentEncodingNotAccepted
            let message = "the body cannot be decompressed: \(error.message)"
            let cause = TransportError(code, message, path: [uri], cause: error)
            throw StatusListError(.notFetched, message, path: [uri], cause: cause)
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

    /// Returns `true` if bytes begin like a token of the form: a JWT with a letter, a CWT with a tag.
    fileprivate func isForm(of token: [UInt8]) -> Bool {
        token.first.map { ($0 < 0x80) == (self == .jwt) } ?? false
    }
}

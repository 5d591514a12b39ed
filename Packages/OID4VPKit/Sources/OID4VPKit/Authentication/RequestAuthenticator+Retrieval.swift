import CredentialTransport
@_spi(Layers) import JOSEKit
import JSONKit
import MdocKit
import OID4VPMessages

extension RequestAuthenticator {
    /// The request object, or nil for a request that may come without one.
    func object(
        of incoming: Incoming,
        _ client: KnownClient?,
        _ checklist: inout Checklist
    ) async -> ReceivedObject? {
        var deviations: [Deviation] = []
        let object = await checklist.check(.requestObject) { () async throws(CheckFault) -> ReceivedObject in
            let text: [UInt8]
            switch incoming.form {
            case .unsupported(let name):
                // One of another standard, for which there is another type.
                let isMdoc = MdocDigitalCredentialsRequest.isProtocolIdentifier(name)
                let message =
                    isMdoc ? "is not one of OpenID4VP: use MdocPlatformRequest" : "is not supported"
                throw .failed("unsupportedProtocol", "the protocol \"\(name)\" \(message)")
            case .parameters(let parameters):
                try requireUnsignedPermitted(client)
                try requireSize(of: parameters)
                throw .notApplicable("the request is not signed")
            case .object(let object):
                try requireSignaturePermitted(client)
                text = Array(object.utf8)
            case .signature(let jws, let index): return try read(jws, index)
            case .signatures: throw .failed(.malformed, "a signature has to be chosen first")
            case .reference(let reference):
                try requireSignaturePermitted(client)
                text = try await fetch(reference, incoming, client, &deviations)
            }
            return try await read(text)
        }
        for deviation in deviations { checklist.add(deviation) }
        return object
    }

    private func requireUnsignedPermitted(_ client: KnownClient?) throws(CheckFault) {
        guard let client else { return }
        let isPermitted = client.identifier.rule == .redirectURI || client.registration?.allowsUnsignedRequests == true
        guard isPermitted else { throw .failed(.signatureRule, "a request of this client must be signed") }
    }

    /// Refuses parameters that are larger than any document in them may be; those of a URL are shorter anyway.
    private func requireSize(of parameters: AuthorizationParameters) throws(CheckFault) {
        let limit = max(options.limits.documentSize, options.limits.definitionSize)
        guard JSONValue.object(parameters.members).encoded().count <= limit else {
            throw .failed(.limitExceeded, "the request has more than \(limit) bytes")
        }
    }

    private func requireSignaturePermitted(_ client: KnownClient?) throws(CheckFault) {
        guard client?.identifier.rule != .redirectURI else {
            throw .failed(.signatureRule, "a request with the prefix redirect_uri cannot be signed")
        }
    }

    // MARK: Fetching

    private func fetch(
        _ reference: RequestReference,
        _ incoming: Incoming,
        _ client: KnownClient?,
        _ deviations: inout [Deviation]
    ) async throws(CheckFault) -> [UInt8] {
        let response: HTTPTransportResponse
        let expected: MediaType
        do throws(TransportError) {
            expected = try MediaType("application/oauth-authz-req+jwt")
            response = try await transport.response(to: try request(reference, incoming, client, expected))
        } catch {
            throw error.faultOfRequest
        }
        if response.contentType != expected {
            deviations.append(Deviation(RequestTolerance.otherContentType.description, at: ["request_uri"]))
        }
        return try trimmed(response.body, &deviations)
    }

    private func request(
        _ reference: RequestReference,
        _ incoming: Incoming,
        _ client: KnownClient?,
        _ expected: MediaType
    ) throws(TransportError) -> HTTPTransportRequest {
        var types = [expected]
        if options.tolerances.contains(.otherContentType) {
            types += [try MediaType("application/jwt"), .json, try MediaType("text/plain")]
        }
        let limits = HTTPLimits(maximumBodySize: options.limits.documentSize)
        guard reference.method == .post else {
            return .get(reference.url, accepting: AcceptedContent(types), limits: limits)
        }
        var form = FormParameters()
        if var metadata = policy.walletMetadata {
            metadata.clientRules = metadata.clientRules ?? policy.clientRules
            // Nothing but the scheme tells the version before the request is there.
            let versions: Set<OpenID4VPVersion> = incoming.scheme == nil ? [.draft23, .v1] : [.draft21]
            // A client whose rule is not known yet may be one whose requests are signed by any algorithm.
            let known = client.map { metadata.forClient($0.identifier.rule) } ?? metadata
            form.append("wallet_metadata", JSONValue.object(known.json(for: versions)).text())
        }
        form.append("wallet_nonce", incoming.walletNonce)
        return .post(
            reference.url,
            body: Array(form.text.utf8),
            type: .form,
            accepting: AcceptedContent(types),
            limits: limits
        )
    }

    /// The token without the white space around it.
    private func trimmed(_ body: [UInt8], _ deviations: inout [Deviation]) throws(CheckFault) -> [UInt8] {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
        let token = body.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        guard token.count < body.count else { return body }
        try CheckFault.converting { () throws(OID4VPError) in
            try options.tolerate(.surroundingWhiteSpace, at: ["request_uri"], &deviations, .malformed)
        }
        return Array(token)
    }

    // MARK: Reading

    /// Reads a signed token, decrypted before if it is encrypted.
    private func read(_ text: [UInt8]) async throws(CheckFault) -> ReceivedObject {
        let limits = JOSELimits(size: options.limits.documentSize, depth: options.limits.depth)
        let object: ReceivedObject
        do throws(JOSEError) {
            var token = text
            var encryption: DecryptedJWE?
            if ByteScan.places(of: UInt8(ascii: "."), in: text.span, atMost: 5).count == 4 {
                guard let decryption = policy.decryption else {
                    throw JOSEError(.unsupportedAlgorithm, "encrypted request objects are not supported")
                }
                let decrypted = try await JWE(compact: text, limits: limits)
                    .decrypt(with: decryption.key, policy: decryption.policy)
                encryption = decrypted
                token = decrypted.plaintext
            }
            let jwt = try JWT(compact: token, limits: limits)
            object = ReceivedObject(
                jws: jwt.jws,
                header: try jwt.unverifiedHeader(),
                claims: try JWTClaims(decoding: jwt.jws.unverifiedPayload ?? [], limits: limits),
                encryption: encryption
            )
        } catch {
            throw error.fault
        }
        try object.encryption?.requireAgreement(with: object.claims)
        return object
    }
}

extension TransportError {
    /// The fault of a request object that does not come.
    fileprivate var faultOfRequest: CheckFault {
        let path = ["request_uri"]
        return switch (code, status) {
        case (.contentTypeNotAccepted, _): .failed(.unexpectedType, message, path: path)
        case (.unexpectedStatus, 404?), (.unexpectedStatus, 410?): .failed(.requestGone, message, path: path)
        default: .unavailable(.requestNotRetrieved, message, path: path)
        }
    }
}

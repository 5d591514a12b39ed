import CredentialTransport
import CryptoCore
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages

extension OpenID4VP {
    // MARK: Building

    /// Builds the response, which the app sends by itself.
    ///
    /// - Parameter vpTokenSigningResults: The signatures by format.
    /// - Returns: `vp_token` and, for a presentation definition, `presentation_submission`; or `response` with a JWE of them.
    /// - Throws: ``OpenID4VPException``; under ``OpenID4VPSettings/legacyErrorMap`` nothing, since the error is returned.
    public func constructVPResponse(
        vpTokenSigningResults: [FormatType: any VPTokenSigningResult]
    ) throws -> [String: Any] {
        do {
            let (session, construction) = try prepared()
            return try parameters(try token(vpTokenSigningResults, construction), session)
        } catch {
            let exception = exception(error)
            guard settings.legacyErrorMap else { throw exception }
            return constructErrorInfo(exception: exception)
        }
    }

    /// Builds the response of signatures in the order of `constructUnsignedVPTokenV2`.
    ///
    /// - Throws: ``OpenID4VPException``.
    public func constructVPResponseV2(
        vpTokenSigningResults: [VPTokenSigningResultV2]
    ) throws -> [String: Any] {
        do {
            let (session, construction) = try prepared()
            return try parameters(try token(vpTokenSigningResults, construction), session)
        } catch {
            throw exception(error)
        }
    }

    private func parameters(_ token: VPToken, _ session: Session) throws -> [String: Any] {
        let content = session.content
        var parameters = token.parameters
        // A response that leaves out a required answer is refused, and a descriptor that is answered twice.
        var deviations = try session.responder.check(token, answering: content)
        switch content.query {
        case .dcql(let query):
            _ = try VPToken(ResponseParameters(parameters), answering: query, deviations: &deviations)
        case .definition(let definition):
            _ = try VPToken(ResponseParameters(parameters), answering: definition, deviations: &deviations)
        case .definitionReference, .scope: break
        }
        if content.target.mode.isJWT {
            guard let encryption = content.encryption else {
                throw UnsupportedOperationException(
                    message: "Signed responses are sent by sendVPResponseToVerifier alone",
                    className: Self.className
                )
            }
            if let state = content.state { parameters["state"] = .string(state) }
            let (wallet, verifier) = session.responder.partyInfo(for: encryption)
            let text = try encryption.encrypt(
                parameters,
                partyUInfo: wallet,
                partyVInfo: verifier,
                using: settings.random
            )
            return ["response": text]
        }
        var map: [String: Any] = [:]
        for (name, value) in parameters {
            let isMap = name == "presentation_submission" && settings.presentationSubmission == .map
            map[name] = isMap ? value.objectValue?.plain ?? [:] : value.stringValue ?? value.text()
        }
        return map
    }

    // MARK: Sending

    /// Builds the response and posts it to the verifier.
    ///
    /// A call with the same signatures sends the same response again, which verifiers may take for the one that they have: call
    /// again after a failure of the network.
    ///
    /// - Parameter vpTokenSigningResults: The signatures by format.
    /// - Returns: The verifier's answer.
    /// - Throws: ``OpenID4VPException``, of which the verifier is told; ``NetworkRequestException`` if the response
    ///   could not be posted or was refused.
    public func sendVPResponseToVerifier(
        vpTokenSigningResults: [FormatType: any VPTokenSigningResult]
    ) async throws -> VerifierResponse {
        let session: Session
        let response: AuthorizationResponse
        do {
            let construction: Construction
            (session, construction) = try prepared()
            do {
                let token = try token(vpTokenSigningResults, construction)
                if let built = session.built.response(with: token) {
                    response = built
                } else {
                    response = try await session.responder.response(
                        with: token,
                        to: session.content,
                        at: settings.clock(),
                        using: settings.random
                    )
                    session.built.keep(response, with: token)
                }
                guard case .post = response.delivery else {
                    throw UnsupportedOperationException(
                        message: "The app sends responses of the mode \(session.content.target.mode.text)",
                        className: Self.className
                    )
                }
            } catch {
                let exception = exception(error)
                await report(exception, with: session.responder)
                throw exception
            }
        } catch {
            throw exception(error)
        }
        return try await send(response)
    }

    /// Builds the response and posts it to the verifier.
    ///
    /// - Returns: The body of the verifier's answer.
    @available(*, deprecated, renamed: "sendVPResponseToVerifier(vpTokenSigningResults:)")
    public func shareVerifiablePresentation(
        vpTokenSigningResults: [FormatType: any VPTokenSigningResult]
    ) async throws -> String {
        try await sendVPResponseToVerifier(vpTokenSigningResults: vpTokenSigningResults).body()
    }

    func send(_ response: AuthorizationResponse) async throws -> VerifierResponse {
        let sender = ResponseSender(
            transport: settings.transport,
            appSchemes: settings.appSchemes,
            tolerances: .deployed
        )
        do throws(OID4VPError) {
            return VerifierResponse(try await sender.send(response))
        } catch {
            log("not sent: \(error.code)")
            let cause = error.cause as? TransportError
            if cause?.code == .timedOut { throw NetworkRequestException.interruptedIOException }
            throw NetworkRequestException.networkRequestFailed(message: cause?.message ?? error.message)
        }
    }
}

extension VerifierResponse {
    init(_ answer: VerifierAnswer) {
        let isObject = (try? JSONValue(parsing: answer.body))?.objectValue != nil
        self.init(
            statusCode: answer.status,
            redirectUri: answer.redirectURI,
            members: isObject ? answer.additionalMembers : nil,
            headers: Dictionary(answer.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" },
            rawBody: answer.body
        )
    }
}

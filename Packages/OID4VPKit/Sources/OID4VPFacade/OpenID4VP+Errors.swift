import CredentialTransport
import JSONKit
import OID4VPKit
import OID4VPMessages
import Synchronization

extension OpenID4VP {
    /// The content of an error response: `error`, `error_description`, and `state` where the authenticated request has one.
    ///
    /// The description depends on the code alone, unless ``OpenID4VPSettings/detailedErrors`` is on.
    public func constructErrorInfo(exception error: any Error) -> [String: Any] {
        let exception = exception(error)
        var info: [String: Any] = [
            "error": exception.errorCode, "error_description": description(for: exception),
        ]
        if let state = authorizationRequest?.state, !state.isEmpty { info["state"] = state }
        return info
    }

    /// Tells the verifier of an error.
    ///
    /// - Parameter error: The error; one that is not of this library is sent as an unknown one.
    /// - Returns: The verifier's answer.
    /// - Throws: ``ErrorDispatchFailure`` if there is no address, or the error could not be sent.
    public func sendErrorInfoToVerifier(error: any Error) async throws -> VerifierResponse {
        let exception = exception(error)
        let (session, address) = state.withLock { ($0.session, $0.responseUri) }
        do {
            let response: VerifierResponse
            switch (session, address) {
            case (let session?, _): response = try await post(exception, with: session.responder)
            case (nil, let address?): response = try await post(exception, at: address, state: nil)
            case (nil, nil):
                throw ErrorDispatchFailure(
                    message: "Response URI is not set. Cannot send error to verifier.",
                    className: Self.className
                )
            }
            exception.setVerifierResponse(response)
            return response
        } catch let failure as ErrorDispatchFailure {
            throw failure
        } catch {
            let reason: String
            switch error {
            case NetworkRequestException.networkRequestFailed(let message): reason = message
            case NetworkRequestException.interruptedIOException: reason = "The time for the answer passed"
            default: reason = "\(error)"
            }
            throw ErrorDispatchFailure(message: reason, className: Self.className, cause: error)
        }
    }

    /// Tells the verifier of an error.
    ///
    /// - Throws: ``ErrorDispatchFailure``.
    public func sendErrorInfoToVerifier(_ error: any Error) async throws -> VerifierResponse {
        try await sendErrorInfoToVerifier(error: error)
    }

    /// Tells the verifier of an error; a failed post is ignored.
    ///
    /// - Parameter error: The error; ``AuthorizationConsent/consentRejectedError(message:)`` for a user who declined.
    @available(*, deprecated, renamed: "sendErrorInfoToVerifier(error:)")
    public func sendErrorToVerifier(error: any Error) async {
        _ = try? await sendErrorInfoToVerifier(error: error)
    }

    /// Tells the verifier of an error; a failed post is ignored.
    @available(*, deprecated, renamed: "sendErrorInfoToVerifier(error:)")
    public func sendErrorToVerifier(_ error: any Error) async {
        _ = try? await sendErrorInfoToVerifier(error: error)
    }

    // MARK: Reporting

    /// Posts an error that is about to be thrown to the authenticated verifier; a failed post is ignored.
    func report(_ exception: OpenID4VPException, with responder: AuthorizationResponder) async {
        guard responder.request.target.mode.address == .responseURI else { return }
        guard let response = try? await post(exception, with: responder) else { return }
        exception.setVerifierResponse(response)
    }

    /// Posts an error to an address; a failed post is ignored.
    func report(_ exception: OpenID4VPException, at address: String, state: String?) async {
        guard let response = try? await post(exception, at: address, state: state) else { return }
        exception.setVerifierResponse(response)
    }

    private func post(
        _ exception: OpenID4VPException,
        with responder: AuthorizationResponder
    ) async throws -> VerifierResponse {
        let response = try await responder.errorResponse(
            AuthorizationErrorCode(exception.errorCode),
            description: description(for: exception),
            at: settings.clock(),
            using: settings.random
        )
        guard case .post = response.delivery else {
            throw ErrorDispatchFailure(
                message: "The app sends responses of the mode \(responder.request.target.mode.text)",
                className: Self.className
            )
        }
        return try await send(response)
    }

    private func post(
        _ exception: OpenID4VPException,
        at address: String,
        state: String?
    ) async throws -> VerifierResponse {
        let url = try HTTPURL(address)
        guard url.scheme == .https else {
            throw InvalidInputPattern(fieldPath: ["response_uri"], className: Self.className)
        }
        var form = FormParameters()
        form.append("error", exception.errorCode)
        form.append("error_description", description(for: exception))
        if let state { form.append("state", state) }
        do throws(TransportError) {
            let answer = try await settings.transport.response(
                to: .post(
                    url,
                    body: Array(form.text.utf8),
                    type: .form,
                    accepting: .any,
                    statuses: .successful,
                    limits: ResponseSender.defaultLimits
                )
            )
            return VerifierResponse(
                statusCode: answer.status,
                redirectUri: nil,
                members: (try? JSONValue(parsing: answer.body))?.objectValue,
                headers: Dictionary(answer.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" },
                rawBody: answer.body
            )
        } catch {
            if error.code == .timedOut { throw NetworkRequestException.interruptedIOException }
            throw NetworkRequestException.networkRequestFailed(message: error.message)
        }
    }

    /// The description for the verifier.
    private func description(for exception: OpenID4VPException) -> String {
        settings.detailedErrors
            ? exception.message : AuthorizationErrorCode(exception.errorCode).fixedDescription
    }
}

public import CryptoCore
public import MdocKit

extension MdocVerifier {
    /// Reads and verifies a response and sets out the result as relying parties know it.
    ///
    /// Nothing is thrown: a response that cannot be read, or by which the wallet reports an error, is a `ResponseError`,
    /// and one with status 20 a `SessionAborted`.
    ///
    /// - Parameters:
    ///   - response: The encoded DeviceResponse.
    ///   - request: The request that it answers.
    ///   - sessionTranscript: The transcript of this session, from the reader's own knowledge of it.
    ///   - readerKeys: The reader's keys that a device may have agreed a MAC key with.
    ///   - challenge: The challenge of the session, to be handed back.
    ///   - skipStatusCheck: Pass `true` to take credentials without asking whether they are revoked.
    ///   - options: The options for reading the response and the values of its claims.
    ///   - branding: Finds how to show a credential.
    public func result(
        of response: [UInt8],
        to request: DeviceRequest,
        sessionTranscript: SessionTranscript,
        readerKeys: [any KeyAgreement] = [],
        challenge: String? = nil,
        skipStatusCheck: Bool = false,
        options: MdocReadingOptions = .strict,
        branding: Branding.Lookup = { _ in nil }
    ) async -> OnlinePresentationSessionResult {
        await result(
            to: request,
            sessionTranscript: sessionTranscript,
            readerKeys: readerKeys,
            challenge: challenge,
            skipStatusCheck: skipStatusCheck,
            options: options,
            branding: branding
        ) { try DeviceResponse(decoding: response, options: options) }
    }

    /// Waits for the response of an online session, verifies it, and sets out the result as relying parties know it.
    ///
    /// Nothing is thrown: each error of the session has its name, see ``PresentationSessionError``.
    ///
    /// ```swift
    /// let result = await verifier.result(to: request, sessionTranscript: transcript, challenge: challenge) {
    ///     try await website.response()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - sessionTranscript: The transcript of this session, from the reader's own knowledge of it.
    ///   - readerKeys: The reader's keys that a device may have agreed a MAC key with.
    ///   - challenge: The challenge of the session, to be handed back.
    ///   - skipStatusCheck: Pass `true` to take credentials without asking whether they are revoked.
    ///   - options: The options for reading the values of claims.
    ///   - branding: Finds how to show a credential.
    ///   - isolation: The actor of the caller, on which `response` runs.
    ///   - response: Sends the request and returns the response. It may throw a `SessionTermination` where the session
    ///     ended without one, or any other error, which ``PresentationSessionError`` names.
    public func result(
        to request: DeviceRequest,
        sessionTranscript: SessionTranscript,
        readerKeys: [any KeyAgreement] = [],
        challenge: String? = nil,
        skipStatusCheck: Bool = false,
        options: MdocReadingOptions = .strict,
        branding: Branding.Lookup = { _ in nil },
        isolation: isolated (any Actor)? = #isolation,
        response: () async throws -> DeviceResponse
    ) async -> OnlinePresentationSessionResult {
        do {
            let result = try await result(
                of: response(),
                to: request,
                sessionTranscript: sessionTranscript,
                readerKeys: readerKeys,
                skipStatusCheck: skipStatusCheck,
                options: options,
                branding: branding
            )
            return OnlinePresentationSessionResult(challenge: challenge, mobileCredentialResponse: result)
        } catch {
            return OnlinePresentationSessionResult(challenge: challenge, error: PresentationSessionError(error))
        }
    }

    /// Verifies a response and sets out the result as relying parties know it.
    ///
    /// - Throws: `PresentationSessionError` if the response says that processing failed, or holds no document that can be
    ///   verified here.
    func result(
        of response: DeviceResponse,
        to request: DeviceRequest,
        sessionTranscript: SessionTranscript,
        readerKeys: [any KeyAgreement],
        skipStatusCheck: Bool,
        options: MdocReadingOptions,
        branding: Branding.Lookup
    ) async throws(PresentationSessionError) -> MobileCredentialResponse {
        if let failure = PresentationSessionError(response.status) { throw failure }
        try response.requireVerifiableDocuments()
        let verifier = skipStatusCheck ? withStatusPolicy(.waived) : self
        let verification = await verifier.verify(
            response,
            sessionTranscript: sessionTranscript,
            readerKeys: readerKeys,
            request: request
        )
        return MobileCredentialResponse(
            verification,
            of: response,
            request: request,
            options: options,
            branding: branding
        )
    }
}

extension DeviceResponse {
    /// Refuses a response that holds nothing but zero-knowledge proofs and documents for another recipient.
    fileprivate func requireVerifiableDocuments() throws(PresentationSessionError) {
        let others = zkDocuments.count + unreadableZkDocuments.count + encryptedDocuments.count
        guard others > 0, documents.isEmpty, unreadableDocuments.isEmpty else { return }
        throw PresentationSessionError(
            .verificationError,
            detail: "all \(others) documents are zero-knowledge proofs, or encrypted to another recipient"
        )
    }
}

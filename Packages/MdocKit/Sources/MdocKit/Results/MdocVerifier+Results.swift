public import CryptoCore

extension MdocVerifier {
    /// Reads and verifies a response and sets out the result as relying parties know it.
    ///
    /// Nothing is thrown: a response that cannot be read, or by which the wallet reports an error, is a `ResponseError`.
    ///
    /// - Parameters:
    ///   - response: The encoded DeviceResponse.
    ///   - request: The request that it answers.
    ///   - sessionTranscript: The transcript of this session, from the reader's own knowledge of it.
    ///   - readerKeys: The reader's keys that a device may have agreed a MAC key with.
    ///   - challenge: The challenge of the session, to be handed back.
    ///   - skipStatusCheck: Whether to take credentials without asking whether they are revoked.
    ///   - options: The options for reading the response.
    ///   - branding: Finds how to show a credential.
    public func result(
        of response: [UInt8],
        to request: DeviceRequest,
        sessionTranscript: SessionTranscript,
        readerKeys: [any KeyAgreement] = [],
        challenge: String? = nil,
        skipStatusCheck: Bool = false,
        options: MdocReadingOptions = .default,
        branding: Branding.Lookup = { _ in nil }
    ) async -> OnlinePresentationSessionResult {
        do throws(MdocError) {
            let verification = try await verify(
                DeviceResponse(decoding: response, options: options),
                sessionTranscript: sessionTranscript,
                readerKeys: readerKeys,
                request: request,
                skipStatusCheck: skipStatusCheck
            )
            return OnlinePresentationSessionResult(
                challenge: challenge,
                mobileCredentialResponse: MobileCredentialResponse(verification, request: request, branding: branding)
            )
        } catch {
            return OnlinePresentationSessionResult(challenge: challenge, error: PresentationSessionError(error))
        }
    }
}

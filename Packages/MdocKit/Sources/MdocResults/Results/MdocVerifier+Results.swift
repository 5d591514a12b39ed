public import CryptoCore
public import MdocKit

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
    ///   - skipStatusCheck: Pass `true` to take credentials without asking whether they are revoked.
    ///   - options: The options for reading the response.
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
        do throws(MdocError) {
            let result = try await result(
                of: DeviceResponse(decoding: response, options: options),
                to: request,
                sessionTranscript: sessionTranscript,
                readerKeys: readerKeys,
                skipStatusCheck: skipStatusCheck,
                branding: branding
            )
            return OnlinePresentationSessionResult(challenge: challenge, mobileCredentialResponse: result)
        } catch {
            return OnlinePresentationSessionResult(challenge: challenge, error: PresentationSessionError(error))
        }
    }

    /// Verifies a response and sets out the result as relying parties know it.
    ///
    /// - Throws: `MdocError` with code `responseStatus` if the response says that processing failed.
    func result(
        of response: DeviceResponse,
        to request: DeviceRequest,
        sessionTranscript: SessionTranscript,
        readerKeys: [any KeyAgreement],
        skipStatusCheck: Bool,
        branding: Branding.Lookup
    ) async throws(MdocError) -> MobileCredentialResponse {
        guard response.status == .ok else {
            throw MdocError(.responseStatus, "the wallet reports status \(response.status)")
        }
        let verifier = skipStatusCheck ? withStatusPolicy(.waived) : self
        let verification = await verifier.verify(
            response,
            sessionTranscript: sessionTranscript,
            readerKeys: readerKeys,
            request: request
        )
        return MobileCredentialResponse(verification, of: response, request: request, branding: branding)
    }
}

import MdocKit
import MdocResults
import Testing

/// The texts for people.
@Suite struct ResultTextTests {
    @Test(
        arguments: [
            (.deviceKeyInvalid, "Device key is malformed or signed data that it is not authorized to sign"),
            (.invalidSignerCertificate, "Certificate of the credential's issuer is not valid"),
            (.issuerNotTrusted, "Issuer of the credential is not trusted"),
            (.mobileCredentialExpired, "Credential has expired"),
            (.mobileCredentialNotYetValid, "Credential is not yet valid"),
            (.mobileCredentialInvalid, "Credential is not valid"),
            (.statusRevoked, "Credential has been revoked"),
            (.statusSuspended, "Credential has been suspended"),
            (.statusUnknown, "Status of the credential is not known"),
            (.trustedIssuerCertificateExpired, "Certificate of the trusted issuer has expired"),
            (.trustedIssuerCertificateNotYetValid, "Certificate of the trusted issuer is not yet valid"),
            (.unsupportedCurve, "Credential uses a key or algorithm that is not supported"),
            (.readerAuthenticationInvalid, "Signature of the reader is not valid"),
            (.invalidReaderCertificate, "Certificate of the reader is not valid"),
            (.readerNotTrusted, "Reader is not trusted"),
            (FailureReason(rawValue: "SomethingNew"), "Credential could not be verified"),
        ] as [(FailureReason, String)]
    )
    func everyReason(_ reason: FailureReason, _ sentence: String) {
        #expect(reason.sentence == sentence)
        #expect(MobileCredentialPresentation.VerificationResult.Reason(reason).message == sentence)
    }

    @Test(
        arguments: [
            (.sessionAborted, "SessionAborted", "User aborted the session"),
            (.timeoutError, "TimeoutError", "The wallet did not respond in time"),
            (.responseError, "ResponseError", "The wallet's response cannot be processed"),
            (.verificationError, "VerificationError", "The wallet's response could not be verified"),
            (.walletUnavailable, "WalletUnavailable", "The wallet is unavailable"),
            (.unknown, "Unknown", "The session failed"),
        ] as [(PresentationSessionError.Kind, String, String)]
    )
    func everyKindOfSessionError(_ kind: PresentationSessionError.Kind, _ name: String, _ sentence: String) {
        #expect(kind.description == name)
        #expect(PresentationSessionError(kind).message == sentence)
    }

    @Test func errorsThatWereThrown() {
        struct Other: Error {}
        let read = PresentationSessionError(MdocError(.malformedCBOR, "no CBOR"))
        #expect(read == .init(.responseError, message: "The wallet's response cannot be processed: no CBOR"))
        #expect(PresentationSessionError(CancellationError()).type == .sessionAborted)
        #expect(PresentationSessionError(Other()) == .init(.unknown))
        #expect(PresentationSessionError(PresentationSessionError(.walletUnavailable)) == .init(.walletUnavailable))
        #expect(ClaimError.notReturned.description == "notReturned")
        #expect(ClaimError.invalidValue.description == "invalidValue")
        #expect(CredentialError.Code.notReturned.description == "notReturned")
    }
}

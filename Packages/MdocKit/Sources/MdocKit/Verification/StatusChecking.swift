package import CredentialTransport
public import CryptoCore
@_spi(Layers) import JOSEKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds out whether credentials are revoked.
///
/// ``MdocStatusChecker`` does so by the two mechanisms of ISO/IEC 18013-5; another one can ask an issuer's own service.
public protocol MdocStatusChecking: Sendable {
    /// Returns the known status of a credential.
    ///
    /// An implementation returns `valid` only if a party entitled to speak about the credential said so, and `unknown` in
    /// every other case without an answer; it does not throw.
    ///
    /// - Parameters:
    ///   - reference: The credential's references to its status; the issuer's signature over them is verified.
    ///   - signer: The validated certificate chain of the credential's issuer.
    ///   - time: The time of the verification.
    func status(
        named reference: MobileSecurityObject.Status,
        of signer: ValidatedCertificateChain,
        at time: Date
    ) async -> StatusFinding

    /// Returns the known status of a credential, by a statement that is preferably no older than an age.
    ///
    /// An implementation that keeps statements asks for a new one in place of an older one. The verifier compares the age of the
    /// statement itself: see ``MdocVerificationPolicy/maximumStatusAge``. By default the age is left to the verifier.
    ///
    /// - Parameters:
    ///   - reference: The credential's references to its status; the issuer's signature over them is verified.
    ///   - signer: The validated certificate chain of the credential's issuer.
    ///   - maximumAge: The age in seconds; nil for any.
    ///   - time: The time of the verification.
    func status(
        named reference: MobileSecurityObject.Status,
        of signer: ValidatedCertificateChain,
        refreshingAfter maximumAge: TimeInterval?,
        at time: Date
    ) async -> StatusFinding
}

extension MdocStatusChecking {
    /// Returns the known status of a credential; the age is left to the verifier.
    public func status(
        named reference: MobileSecurityObject.Status,
        of signer: ValidatedCertificateChain,
        refreshingAfter maximumAge: TimeInterval?,
        at time: Date
    ) async -> StatusFinding {
        await status(named: reference, of: signer, at: time)
    }
}

/// Finds out whether the certificates of credentials' signers are revoked.
///
/// ``SignerRevocationChecker`` does so by certificate revocation lists.
public protocol SignerRevocationChecking: Sendable {
    /// Returns the known revocation status of the certificates of a chain, without the trust anchor.
    ///
    /// An implementation returns `valid` only if the authorities of the chain said so; it does not throw.
    ///
    /// - Parameters:
    ///   - signer: The validated certificate chain of the credential's issuer.
    ///   - time: The time of the verification.
    func status(of signer: ValidatedCertificateChain, at time: Date) async -> CredentialStatus
}

extension HTTPTransport {
    /// The body at a URI, decompressed if it is compressed, after as many redirects as are allowed; every target is checked
    /// as the first URL was.
    ///
    /// - Throws: `TransportError`; that of the redirect if they lead in a circle, or too far.
    package func body(
        at uri: String,
        accepting accepted: AcceptedContent,
        limits: HTTPLimits,
        redirects: Int
    ) async throws(TransportError) -> [UInt8] {
        var request = HTTPTransportRequest.get(
            try HTTPURL(uri),
            accepting: accepted,
            statuses: .successful,
            limits: limits
        )
        // Servers of lists should compress them (C.1.7.3).
        request.acceptsGzip = true
        let response = try await response(to: request, followingRedirects: redirects)
        guard response.isGzipped else { return response.body }
        do throws(JOSEError) {
            return try Deflate.decompress(response.body, format: .gzip, maximumSize: limits.maximumBodySize)
        } catch {
            throw TransportError(
                error.code == .limitExceeded ? .bodyTooLarge : .contentEncodingNotAccepted,
                "the body cannot be decompressed: \(error.message)",
                path: [uri],
                cause: error
            )
        }
    }
}

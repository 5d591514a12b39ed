public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies what wallets present: every check of ISO/IEC 18013-5, 12.8 and 13.4.2, in order, with its outcome.
///
/// ```swift
/// let verifier = MdocVerifier(trustAnchors: [TrustAnchor(iaca)])
/// let verification = try await verifier.verify(
///     DeviceResponse(decoding: bytes),
///     sessionTranscript: transcript,
///     readerKeys: [ephemeralReaderKey]
/// )
/// for document in verification.documents {
///     switch document.verdict {
///     case .verified(let document): print(document.elements)
///     case .refused(let failure): print(failure)
///     }
/// }
/// ```
///
/// A verifier keeps nothing of what it verified but the certificate chains found valid. It can be kept and used from
/// many tasks; the chain cache pays only where it is.
public struct MdocVerifier: Sendable {
    /// The demands beyond the standard's checks.
    public var policy: MdocVerificationPolicy { issuers.policy }

    let issuers: IssuerTrust
    let statusChecker: (any CredentialStatusChecking)?
    let signerRevocationChecker: (any SignerRevocationChecking)?
    private let clock: @Sendable () -> Date

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - trustAnchors: The trusted issuing authorities.
    ///   - policy: The demands beyond the standard's checks.
    ///   - statusChecker: Checks whether credentials are revoked, such as an ``MdocStatusChecker``. Without one, a
    ///     credential that can be revoked is refused with ``FailureReason/statusUnknown``, unless the check is skipped.
    ///   - signerRevocationChecker: Checks whether issuers' certificates are revoked, such as a
    ///     ``SignerRevocationChecker``; nil for no check.
    ///   - chainCache: The cache of valid certificate chains; nil to validate each anew.
    ///   - clock: Returns the time; read once per verification.
    public init(
        trustAnchors: [TrustAnchor],
        policy: MdocVerificationPolicy = MdocVerificationPolicy(),
        statusChecker: (any CredentialStatusChecking)? = nil,
        signerRevocationChecker: (any SignerRevocationChecking)? = nil,
        chainCache: CertificateChainCache? = CertificateChainCache(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        issuers = IssuerTrust(trustAnchors, policy, chainCache)
        self.statusChecker = statusChecker
        self.signerRevocationChecker = signerRevocationChecker
        self.clock = clock
    }

    /// Verifies a response.
    ///
    /// Each document has its own verdict; the failure of one does not touch the others.
    ///
    /// - Parameters:
    ///   - response: The response as read.
    ///   - sessionTranscript: The transcript of this session, from the reader's own knowledge of it.
    ///   - readerKeys: The reader's keys that a device may have agreed a MAC key with: its ephemeral key, its MAC keys,
    ///     or its response encryption keys. Those on the device key's curve are tried.
    ///   - request: The request; a document of another type is refused. Nil to accept any.
    ///   - skipStatusCheck: Whether to take credentials without asking whether they are revoked.
    /// - Throws: ``MdocError`` with code `responseStatus` where the response says that processing failed.
    public func verify(
        _ response: DeviceResponse,
        sessionTranscript: SessionTranscript,
        readerKeys: [any KeyAgreement] = [],
        request: DeviceRequest? = nil,
        skipStatusCheck: Bool = false
    ) async throws(MdocError) -> DeviceResponseVerification {
        guard response.status == .ok else {
            throw MdocError(.responseStatus, "the wallet reports status \(response.status)")
        }
        let now = clock()
        let session = ReaderSession(
            transcript: sessionTranscript,
            keys: readerKeys,
            docTypes: request.map { Set($0.docRequests.map(\.itemsRequest.docType)) },
            skipsStatusCheck: skipStatusCheck
        )
        var verifications: [DocumentVerification] = []
        verifications.reserveCapacity(response.documents.count + response.unreadableDocuments.count)
        for document in response.documents {
            verifications.append(await verify(document, in: session, at: now))
        }
        if !response.unreadableDocuments.isEmpty {
            verifications += response.unreadableDocuments.map(DocumentVerification.init(unreadable:))
            verifications.sort { $0.index < $1.index }
        }
        return DeviceResponseVerification(
            documents: verifications,
            time: now,
            deviations: response.deviations + verifications.flatMap(\.deviationsOfChecks)
        )
    }

    /// Verifies a credential by itself, without a session: every check but those of the device's authentication.
    ///
    /// - Parameters:
    ///   - issuerSigned: The credential as read.
    ///   - deviceKey: The key that it must be bound to; nil for any.
    ///   - skipStatusCheck: `true` to accept the credential without checking its revocation status.
    public func verify(
        _ issuerSigned: IssuerSigned,
        deviceKey: PublicKey? = nil,
        skipStatusCheck: Bool
    ) async -> IssuerSignedVerification {
        let now = clock()
        var checks = IssuerChecks(issuerSigned, in: nil, requested: nil, issuers: issuers, now: now)
        let revocation = await signerRevocationVerdict(
            on: checks.signer.chain,
            isRefused: !checks.signer.isValid,
            at: now
        )
        checks.run(expecting: deviceKey, signerRevocation: revocation)
        checks.record(.issuingCountry, checks.issuingCountry())
        let status = await statusVerdict(
            issuerSigned.mobileSecurityObject.status,
            of: checks.signer.chain,
            isRefused: checks.outcomes.firstFailure != nil,
            isSkipped: skipStatusCheck,
            at: now
        )
        checks.record(.status, status)
        return IssuerSignedVerification(checks)
    }

    /// Verifies what an issuer hands over, before a wallet stores it: every check but those of a session, and those of
    /// revocation, which ``revocationChecks(of:)`` makes.
    ///
    /// - Parameters:
    ///   - issuerSigned: The credential as read.
    ///   - deviceKey: The key that the wallet asked for; nil to take any.
    public func verify(_ issuerSigned: IssuerSigned, deviceKey: PublicKey? = nil) -> IssuerSignedVerification {
        var checks = IssuerChecks(issuerSigned, in: nil, requested: nil, issuers: issuers, now: clock())
        checks.run(expecting: deviceKey)
        checks.record(.issuingCountry, checks.issuingCountry())
        return IssuerSignedVerification(checks)
    }

    /// Checks whether a credential that was verified by itself, or its signer, is revoked.
    ///
    /// - Returns: The outcomes of ``MdocCheck/signerRevocation`` and ``MdocCheck/status``.
    public func revocationChecks(of credential: VerifiedIssuerSigned) async -> [CheckOutcome] {
        let now = clock()
        let signer = await signerRevocationVerdict(on: credential.signer, isRefused: false, at: now)
        let status = await statusVerdict(
            credential.issuerSigned.mobileSecurityObject.status,
            of: credential.signer,
            isRefused: false,
            isSkipped: false,
            at: now
        )
        return [
            CheckOutcome(check: .signerRevocation, verdict: signer), CheckOutcome(check: .status, verdict: status),
        ]
    }
}

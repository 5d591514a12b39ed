public import CryptoCore
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies presentations: every check of ISO/IEC 18013-5, 12.8 and 13.4.2, in order, with its outcome.
///
/// ```swift
/// let verifier = MdocVerifier(trustAnchors: [TrustAnchor(iaca)])
/// let verification = await verifier.verify(
///     try DeviceResponse(decoding: bytes),
///     sessionTranscript: transcript,
///     readerKeys: [ephemeralReaderKey]
/// )
/// switch verification.verdict {
/// case .verified(let documents): print(documents.map(\.elements))
/// case .refused(let refusal): print(refusal)
/// }
/// ```
///
/// A verifier keeps nothing but the valid certificate chains between two calls. It can be kept and used from many
/// tasks; the chain cache pays only where it is.
public struct MdocVerifier: Sendable {
    /// The demands beyond the standard's checks.
    public private(set) var policy: MdocVerificationPolicy

    private let trust: IssuerTrustSource
    let statusChecker: (any MdocStatusChecking)?
    let signerRevocationChecker: (any SignerRevocationChecking)?
    let additionalChecks: [AdditionalCheck<VerifiedMdocDocument>]
    let clock: @Sendable () -> Date

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - trustAnchors: The trusted issuing authorities.
    ///   - policy: The demands beyond the standard's checks.
    ///   - statusChecker: Checks whether credentials are revoked, such as an ``MdocStatusChecker``. Without one, the status
    ///     of a credential that can be revoked is unknown, and the credential is refused unless the policy waives the
    ///     check.
    ///   - signerRevocationChecker: Checks whether issuers' certificates are revoked, such as a
    ///     ``SignerRevocationChecker``; nil for no check.
    ///   - additionalChecks: The user's own checks of documents, made after all others.
    ///   - chainCache: The cache of valid certificate chains; nil to validate each anew.
    ///   - clock: Returns the time; read once per verification.
    public init(
        trustAnchors: [TrustAnchor],
        policy: MdocVerificationPolicy = MdocVerificationPolicy(),
        statusChecker: (any MdocStatusChecking)? = nil,
        signerRevocationChecker: (any SignerRevocationChecking)? = nil,
        additionalChecks: [AdditionalCheck<VerifiedMdocDocument>] = [],
        chainCache: CertificateChainCache? = CertificateChainCache(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.policy = policy
        trust = .fixed(IssuerTrust(trustAnchors, policy, chainCache))
        self.statusChecker = statusChecker
        self.signerRevocationChecker = signerRevocationChecker
        self.additionalChecks = additionalChecks
        self.clock = clock
    }

    /// Creates a verifier whose issuers may change while it is used.
    ///
    /// Each document is verified with the issuers that the source has when its verification begins.
    ///
    /// - Parameters:
    ///   - trustedIssuers: The trusted issuing authorities, such as `TrustedIssuers` of MdocTrust.
    ///   - policy: The demands beyond the standard's checks.
    ///   - statusChecker: Checks whether credentials are revoked; see
    ///     ``init(trustAnchors:policy:statusChecker:signerRevocationChecker:additionalChecks:chainCache:clock:)``.
    ///   - signerRevocationChecker: Checks whether issuers' certificates are revoked; nil for no check.
    ///   - additionalChecks: The user's own checks of documents, made after all others.
    ///   - chainCache: The cache of valid certificate chains, each for the issuers that it was validated with; nil to
    ///     validate each anew.
    ///   - clock: Returns the time; read once per verification.
    public init(
        trustedIssuers: some TrustedIssuerSource,
        policy: MdocVerificationPolicy = MdocVerificationPolicy(),
        statusChecker: (any MdocStatusChecking)? = nil,
        signerRevocationChecker: (any SignerRevocationChecking)? = nil,
        additionalChecks: [AdditionalCheck<VerifiedMdocDocument>] = [],
        chainCache: CertificateChainCache? = CertificateChainCache(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.policy = policy
        trust = .live(LiveIssuerTrust(trustedIssuers, policy, chainCache))
        self.statusChecker = statusChecker
        self.signerRevocationChecker = signerRevocationChecker
        self.additionalChecks = additionalChecks
        self.clock = clock
    }

    /// The trusted issuers at a time.
    func issuers(at time: Date) -> IssuerTrust { trust.trust(at: time) }

    /// The same verifier with another demand on the status of credentials.
    public func withStatusPolicy(_ status: StatusPolicy) -> MdocVerifier {
        var verifier = self
        verifier.policy.status = status
        return verifier
    }

    /// Verifies a response.
    ///
    /// The documents are parts of the verification, `documents[0]` and so on, each with its own verdict. The response is
    /// verified if all of them are; its `verifiedDocuments` are those that are verified
    /// although another is refused.
    ///
    /// - Parameters:
    ///   - response: The response as read.
    ///   - sessionTranscript: The transcript of this session, from the reader's own knowledge of it.
    ///   - readerKeys: The reader's keys that a device may have agreed a MAC key with: its ephemeral key, its MAC keys,
    ///     or its response encryption keys. Those on the device key's curve are tried.
    ///   - request: The request; a document of another type is refused. Nil to accept any.
    public func verify(
        _ response: DeviceResponse,
        sessionTranscript: SessionTranscript,
        readerKeys: [any KeyAgreement] = [],
        request: DeviceRequest? = nil
    ) async -> Verification<[VerifiedMdocDocument]> {
        let session = ReaderSession(
            transcript: sessionTranscript,
            keys: readerKeys,
            docTypes: request.map { Set($0.docRequests.map(\.itemsRequest.docType)) }
        )
        return await verifyCountingWork(response, in: session).verification
    }

    /// Verifies a credential by itself, without a session: every check but those of the device's authentication.
    ///
    /// - Parameters:
    ///   - issuerSigned: The credential as read.
    ///   - deviceKey: The key that it must be bound to; nil for any.
    ///   - additionalChecks: The user's own checks, made after all others.
    public func verify(
        _ issuerSigned: IssuerSigned,
        deviceKey: PublicKey? = nil,
        additionalChecks: [AdditionalCheck<VerifiedIssuerSigned>] = []
    ) async -> Verification<VerifiedIssuerSigned> {
        let now = clock()
        var checks = IssuerChecks(issuerSigned, in: nil, requested: nil, issuers: issuers(at: now), now: now)
        let revocation = await signerRevocation(of: checks.signer.chain, isRefused: !checks.signer.isValid, at: now)
        checks.run(expecting: deviceKey, signerRevocation: revocation)
        checks.record(.issuingCountry, checks.issuingCountry())
        await checkStatus(&checks)
        let credential = checks.credential
        return await checks.conclude(credential, additionalChecks)
    }

    /// Verifies an issued credential before a wallet stores it: every check except those of a session and of
    /// revocation.
    ///
    /// - Parameters:
    ///   - issuerSigned: The credential as read.
    ///   - deviceKey: The key that the wallet asked for; nil to take any.
    public func verifyForStorage(
        _ issuerSigned: IssuerSigned,
        deviceKey: PublicKey? = nil
    ) -> Verification<VerifiedIssuerSigned> {
        verifyForStorageCountingWork(issuerSigned, deviceKey: deviceKey).verification
    }

    /// Checks whether a credential that was verified for storage, or its signer, is revoked.
    ///
    /// - Returns: The outcomes of `signerRevocation` and `status`.
    public func verifyRevocation(of credential: VerifiedIssuerSigned) async -> Verification<VerifiedIssuerSigned> {
        let now = clock()
        var checklist = Checklist([.signerRevocation, .status], at: now)
        for deviation in credential.issuerSigned.deviations { checklist.add(Deviation(deviation)) }
        for deviation in credential.signer.deviations(at: Deviation.issuerChain) { checklist.add(deviation) }
        let revocation = await signerRevocation(of: credential.signer, isRefused: false, at: now)
        checklist.record(.signerRevocation, revocation)
        let status = credential.issuerSigned.mobileSecurityObject.status
        await checklist.checkStatus(policy.status, named: status) { status in
            await self.status(named: status, of: credential.signer, credential.issuerSigned.docType, at: now)
        }
        return checklist.verification(of: credential)
    }
}

extension MdocVerifier {
    /// Verifies a response, with the work that each readable document took.
    nonisolated(nonsending) package func verifyCountingWork(
        _ response: DeviceResponse,
        in session: ReaderSession
    ) async -> (verification: Verification<[VerifiedMdocDocument]>, work: [VerificationWork]) {
        let now = clock()
        var checklist = Checklist(Self.responseChecks, at: now)
        for deviation in response.deviations { checklist.add(Deviation(deviation)) }
        for deviation in session.transcript.deviations.within("sessionTranscript") {
            checklist.add(Deviation(deviation))
        }
        guard response.status == .ok else {
            let message = "the wallet reports status \(response.status)"
            checklist.record(.responseStatus, .failed(.processingFailed, message))
            return (checklist.verification(of: nil), [])
        }
        checklist.record(.responseStatus, .passed)
        var verified: [VerifiedMdocDocument] = []
        var work: [VerificationWork] = []
        let documents = PresentedDocument.documents(of: response)
        for document in documents {
            let verification: Verification<VerifiedMdocDocument>
            switch document {
            case .readable(let document):
                let result = await verify(document, in: session, at: now)
                verification = result.verification
                work.append(result.work)
                for deviation in verification.deviations.dropFirst(document.deviations.count) {
                    checklist.add(deviation)
                }
            case .unreadable(let document): verification = Self.refusal(of: document, at: now)
            }
            checklist.add(verification, named: "documents[\(document.index)]")
            if let document = verification.verified { verified.append(document) }
        }
        checklist.record(
            .documents,
            documents.isEmpty ? .failed(.noDocuments, "the response has no documents to verify") : .passed
        )
        return (checklist.verification(of: verified), work)
    }

    /// Verifies a credential for storage, with the work that it took.
    package func verifyForStorageCountingWork(
        _ issuerSigned: IssuerSigned,
        deviceKey: PublicKey? = nil
    ) -> (verification: Verification<VerifiedIssuerSigned>, work: VerificationWork) {
        let now = clock()
        var checks = IssuerChecks(issuerSigned, in: nil, requested: nil, issuers: issuers(at: now), now: now)
        let isValid = checks.signer.isValid
        checks.run(expecting: deviceKey, signerRevocation: isValid ? .waived("storage") : .notReached)
        checks.record(.issuingCountry, checks.issuingCountry())
        checks.record(.status, .waived("storage"))
        let work = checks.work
        return (checks.conclude(), work)
    }

    /// The refusal of a document that could not be read.
    private static func refusal(of document: UnreadableDocument, at now: Date) -> Verification<VerifiedMdocDocument> {
        var checklist = Checklist(documentChecks, at: now)
        checklist.record(.structure, .failed(.malformed, document.error.description))
        return checklist.verification(of: nil)
    }
}

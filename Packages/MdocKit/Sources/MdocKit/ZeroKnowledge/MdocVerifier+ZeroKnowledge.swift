public import CBORKit
public import CryptoCore
public import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader's verifier of zero-knowledge proofs, such as a library for the circuits of one system (ISO/IEC 18013-5 second edition,
/// 10.3.4).
public protocol ZkProofVerifier: Sendable {
    /// Verifies that the proof holds for the data of a document: that the issuer signed the elements, that the credential is valid on
    /// the day of the proof, and that its device key authenticated this session.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - system: The system of the reader's request that the document names.
    ///   - issuer: The issuer's certificates, whose trust is verified already.
    ///   - sessionTranscript: The transcript of the session.
    /// - Throws: Any error if the proof does not hold.
    func verify(
        _ document: ZkDocument,
        by system: ZkRequest.SystemSpec,
        issuer: ValidatedCertificateChain,
        sessionTranscript: SessionTranscript
    ) async throws
}

/// A document that a zero-knowledge proof vouches for and that passed every check; only ``MdocVerifier`` makes one.
public struct VerifiedZkDocument: Sendable {
    private let document: ZkDocument
    /// The issuer's certificate chain with the trust anchor behind it.
    public let signer: ValidatedCertificateChain
    /// The entry of the verifier's configuration by which the issuer is trusted.
    public let trustAnchor: TrustAnchor

    init(_ document: ZkDocument, _ signer: ValidatedCertificateChain, _ trustAnchor: TrustAnchor) {
        self.document = document
        self.signer = signer
        self.trustAnchor = trustAnchor
    }

    /// The type of the document.
    public var docType: DocType { document.docType }

    /// The day of the proof.
    public var timestamp: CBORDate { document.timestamp }

    /// The proven elements, those of the issuer first, then those of the device.
    public var elements: DataElements<VerifiedElement> {
        var elements = DataElements<VerifiedElement>()
        let parts: [(VerifiedElement.Source, DataElements<CBORView>)] = [
            (.issuer, document.issuerSigned), (.device, document.deviceSigned),
        ]
        for (source, part) in parts {
            for group in part.groups {
                for (identifier, view) in group.elements where elements[group.nameSpace, identifier] == nil {
                    elements[group.nameSpace, identifier] = VerifiedElement(source: source, view: view)
                }
            }
        }
        return elements
    }
}

extension MdocVerifier {
    /// The checks of a zero-knowledge proof, in their order.
    ///
    /// `structure` is about the system, which must be one of the request, `validity` about the day of the proof, and `status` about the
    /// credential, whose status a proof does not name.
    public static let zkDocumentChecks: [Check] = [
        .structure, .signerCertificate, .issuerTrust, .certificateValidity, .issuerLocality, .signerRevocation,
        .trustedForDocType, .credentialType, .validity, .zeroKnowledgeProof, .status,
    ]

    /// Verifies a document that a zero-knowledge proof vouches for.
    ///
    /// The issuer must be named, and trusted as for any document. The day of the proof must be today, or the day before or after in
    /// another time zone.
    ///
    /// - Parameters:
    ///   - document: One of ``DeviceResponse/zkDocuments``.
    ///   - docRequest: The document request that it answers.
    ///   - sessionTranscript: The transcript of this session, from the reader's own knowledge of it.
    ///   - proofVerifier: The verifier of the proof itself, asked only if every other check has passed.
    public func verify(
        _ document: ZkDocument,
        answering docRequest: DocRequest,
        sessionTranscript: SessionTranscript,
        proofVerifier: some ZkProofVerifier
    ) async -> Verification<VerifiedZkDocument> {
        let now = clock()
        let issuers = issuers(at: now)
        let signer = SignerAssessment(document.msoX5chain, issuers, at: now)
        let trustAnchor = signer.anchor.flatMap { issuers.anchor(for: document.docType, $0) }
        let request = docRequest.itemsRequest
        let system = request.requestInfo?.zkRequest?.systemSpecs.first {
            $0.zkSystemID.hasSameBytes(as: document.zkSystemID)
        }
        var checklist = Checklist(Self.zkDocumentChecks, at: now)
        for deviation in sessionTranscript.deviations.within("sessionTranscript") {
            checklist.add(Deviation(deviation))
        }
        for deviation in signer.deviations { checklist.add(Deviation(deviation, at: ["msoX5chain"])) }
        checklist.record(
            .structure,
            system == nil ? .failed(.malformed, "the request has no system \(document.zkSystemID)") : .passed
        )
        checklist.record(.signerCertificate, signer.certificateOutcome(for: document.docType))
        checklist.record(.issuerTrust, signer.outcome(of: .issuerTrust))
        checklist.record(.certificateValidity, signer.outcome(of: .certificateValidity))
        checklist.record(.issuerLocality, signer.locality(policy.certificateTolerances))
        let revocation = await signerRevocation(of: signer.chain, isRefused: !signer.isValid, at: now)
        checklist.record(.signerRevocation, revocation)
        checklist.record(.trustedForDocType, signer.trusted(by: trustAnchor, for: document.docType))
        checklist.record(
            .credentialType,
            document.docType == request.docType
                ? .passed : .failed(.unexpectedType, "\(request.docType) was asked for, not \(document.docType)")
        )
        checklist.record(.validity, Self.day(of: document, at: now))
        if !checklist.isRefused, let system, let chain = signer.chain {
            checklist.record(
                .zeroKnowledgeProof,
                await Self.proof(of: document, by: system, chain, sessionTranscript, proofVerifier)
            )
        } else {
            checklist.record(.zeroKnowledgeProof, .notReached)
        }
        let status: MobileSecurityObject.Status? = nil
        checklist.checkStatus(policy.status, named: status) { _ in .unknown("a proof names no status") }
        let verified = signer.chain.flatMap { chain in
            trustAnchor.map { VerifiedZkDocument(document, chain, $0) }
        }
        return checklist.verification(of: verified)
    }

    /// The day of a proof has no time zone: a day off is not a fault.
    private static func day(of document: ZkDocument, at now: Date) -> CheckResult.Outcome {
        let today = (now.timeIntervalSince1970 / 86_400).rounded(.down)
        let difference = Double(document.timestamp.daysSinceEpoch) - today
        if difference > 1 { return .failed(.issuedInFuture, "the proof is of \(document.timestamp)") }
        if difference < -1 { return .failed(.tooOld, "the proof is of \(document.timestamp)") }
        return .passed
    }

    private static func proof(
        of document: ZkDocument,
        by system: ZkRequest.SystemSpec,
        _ issuer: ValidatedCertificateChain,
        _ sessionTranscript: SessionTranscript,
        _ proofVerifier: some ZkProofVerifier
    ) async -> CheckResult.Outcome {
        do {
            try await proofVerifier.verify(document, by: system, issuer: issuer, sessionTranscript: sessionTranscript)
            return .passed
        } catch {
            return .failed(.invalidZeroKnowledgeProof, "the proof does not hold: \(error)")
        }
    }
}

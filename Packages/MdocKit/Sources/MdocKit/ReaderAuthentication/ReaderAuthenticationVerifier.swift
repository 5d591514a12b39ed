import COSEKit
public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Authenticates the readers of a request for a wallet: verifies every reader's signature (ISO/IEC 18013-5, 12.5).
public struct ReaderAuthenticationVerifier: Sendable {
    /// Says whether a constraint holds for a reader: false too for a constraint that it does not understand whole.
    public typealias ConstraintEvaluator = @Sendable (RICAL.TrustConstraint, ValidatedCertificateChain) -> Bool

    private let chains: CertificatePathValidator
    private let authorities: ReaderAuthorities
    private let holds: ConstraintEvaluator
    private let clock: @Sendable () -> Date

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - trustAnchors: The authorities for readers that are trusted.
    ///   - chainCache: The cache of valid certificate chains; nil to validate each anew.
    ///   - clock: Tells the time; read once per verification.
    public init(
        trustAnchors: [Certificate],
        chainCache: CertificateChainCache? = nil,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            authorities: trustAnchors.map { ReaderAuthority($0) },
            chainCache: chainCache,
            clock: clock
        )
    }

    /// Makes a verifier that knows authorities with their names and constraints.
    ///
    /// - Parameters:
    ///   - authorities: The authorities for readers, such as ``VerifiedRICAL/readerAuthorities``.
    ///   - chainCache: The cache of valid certificate chains; nil to validate each anew.
    ///   - holds: Says whether a trust constraint holds for a reader. Nil understands none: a reader below an authority
    ///     with constraints is then not trusted, unless one of them is empty.
    ///   - clock: Tells the time; read once per verification.
    public init(
        authorities: [ReaderAuthority],
        chainCache: CertificateChainCache? = nil,
        constraintHolds holds: ConstraintEvaluator? = nil,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.authorities = ReaderAuthorities(authorities)
        chains = CertificatePathValidator(anchors: self.authorities.anchors, policy: .mdocReader, cache: chainCache)
        self.holds = holds ?? { constraint, _ in constraint.isEmpty }
        self.clock = clock
    }

    /// Verifies every signature of a request: that of each document request, and those over the whole.
    ///
    /// - Parameters:
    ///   - request: The request as received.
    ///   - sessionTranscript: The transcript of this session, from the wallet's own knowledge of it.
    public func verify(
        _ request: DeviceRequest,
        sessionTranscript: SessionTranscript
    ) -> ReaderAuthenticationVerification {
        let now = clock()
        let itemsRequests = request.docRequests.map(\.itemsRequest)
        let all = ReaderAuthentication(
            sessionTranscript: sessionTranscript,
            allOf: itemsRequests,
            deviceRequestInfo: request.deviceRequestInfo
        )
        let single = request.docRequests.map { docRequest -> ReaderAuthenticationResult in
            guard let readerAuth = docRequest.readerAuth else { return .absent }
            let authentication = ReaderAuthentication(
                sessionTranscript: sessionTranscript,
                itemsRequest: docRequest.itemsRequest
            )
            return verify(readerAuth, authentication, now)
        }
        let whole = request.readerAuthAll.map { verify($0, all, now) }
        return ReaderAuthenticationVerification(
            docRequests: single,
            all: whole,
            parties: ReaderAuthenticationVerification.parties(single, whole, authorities)
        )
    }

    private func verify(
        _ readerAuth: COSESign1,
        _ authentication: ReaderAuthentication,
        _ now: Date
    ) -> ReaderAuthenticationResult {
        let chain: [ArraySlice<UInt8>]
        do throws(COSEError) {
            chain = try Self.chain(of: readerAuth)
        } catch {
            let message = "readerAuth has an x5chain that cannot be read: \(error.message)"
            let checks = [
                CheckOutcome(check: .readerSignature, verdict: .failed(.invalidReaderCertificate, message)),
                CheckOutcome(check: .trustedReader, verdict: .notMade("the x5chain cannot be read")),
            ]
            let failure = VerificationFailure(
                reason: .invalidReaderCertificate,
                message: message,
                check: .readerSignature
            )
            return .refused(failure, checks: checks)
        }
        let path = chains.validate(encodedChain: chain, at: now)
        let checks = [
            CheckOutcome(check: .readerSignature, verdict: signature(readerAuth, authentication, chain)),
            CheckOutcome(check: .trustedReader, verdict: trust(path)),
        ]
        if let failure = checks.firstFailure { return .refused(failure, checks: checks) }
        guard let chain = path.verified else { return .absent }
        return .verified(chain)
    }

    /// The certificates of a reader.
    ///
    /// - Throws: ``COSEError`` for a malformed chain, or for more or larger certificates than ``MdocLimits`` allows.
    private static func chain(of readerAuth: COSESign1) throws(COSEError) -> [ArraySlice<UInt8>] {
        let limits = MdocLimits()
        let chain = try readerAuth.headers.x5chain(maximumCount: limits.certificates, allowingArrayOfOne: true)
        guard chain.allSatisfy({ $0.count <= limits.certificateSize }) else {
            throw COSEError(.limitExceeded, "a certificate of more than \(limits.certificateSize) bytes")
        }
        return chain
    }

    private func signature(
        _ readerAuth: COSESign1,
        _ authentication: ReaderAuthentication,
        _ chain: [ArraySlice<UInt8>]
    ) -> CheckOutcome.Verdict {
        guard let leaf = chain.first else {
            return .failed(.invalidReaderCertificate, "readerAuth has no x5chain that can be used")
        }
        let key: PublicKey
        do throws(CryptoError) {
            key = try Certificate(der: leaf).publicKey()
        } catch {
            return .failed(.invalidReaderCertificate, error.message)
        }
        do throws(COSEError) {
            let verified = try readerAuth.verify(
                with: key,
                policy: MdocAlgorithms.signatures,
                detachedPayload: authentication.taggedBytes
            )
            guard let curve = key.curve, MdocAlgorithms.allows(verified.algorithm, on: curve) else {
                return .failed(.unsupportedCurve, "\(verified.algorithm) does not go with the reader's \(key)")
            }
            return .passed
        } catch {
            return .failed(.readerAuthenticationInvalid, error.message)
        }
    }

    private func trust(_ path: Verification<ValidatedCertificateChain>) -> CheckOutcome.Verdict {
        switch path.verdict {
        case .verified(let chain): return constraints(on: chain)
        case .refused(let refusal):
            let reason: FailureReason = refusal.check == .trustAnchor ? .readerNotTrusted : .invalidReaderCertificate
            return .failed(reason, refusal.message)
        }
    }

    /// One of the constraints of the lowest known authority must hold, where it has any.
    ///
    /// Of several entries for that authority, each has to let the reader pass.
    private func constraints(on chain: ValidatedCertificateChain) -> CheckOutcome.Verdict {
        for authority in authorities.lowest(above: chain) where !authority.trustConstraints.isEmpty {
            guard authority.trustConstraints.contains(where: { holds($0, chain) }) else {
                let name = authority.name ?? "\(authority.certificate.subject)"
                return .failed(.readerNotTrusted, "no trust constraint of \(name) holds for the reader")
            }
        }
        return .passed
    }
}

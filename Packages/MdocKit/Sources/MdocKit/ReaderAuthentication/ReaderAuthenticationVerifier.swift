import COSEKit
public import CryptoCore
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Authenticates the readers of a request for a wallet: verifies every reader's signature (ISO/IEC 18013-5, 12.5).
///
/// Revoked certificates are not recognized, which takes revocation lists (12.8.3, F.3.2.6). A wallet that has them or a
/// network asks ``SignerRevocationChecker/status(of:at:)`` about the ``ReaderParty/chain`` of each party, see
/// <doc:Trust-and-status>.
public struct ReaderAuthenticationVerifier: Sendable {
    /// Says whether a constraint holds for a reader: false too for a constraint that it does not understand whole.
    public typealias ConstraintEvaluator = @Sendable (ReaderTrustConstraint, ValidatedCertificateChain) -> Bool

    /// The checks of a signature, in their order.
    public static let checks: [Check] = [.readerSignature, .readerTrust]

    /// The largest number of chains that are tried for one reader, where authorities share a name.
    private static let maximumCompletions = 16

    private let chains: CertificatePathValidator
    /// Finds the authorities below the anchors.
    private let intermediates: CertificatePathValidator
    private let tolerances: Set<CertificateTolerance>
    private let authorities: ReaderAuthorities
    private let holds: ConstraintEvaluator
    private let clock: @Sendable () -> Date

    /// Makes a verifier.
    ///
    /// A reader's chain may end at any of the anchors, whether another one is above it or not.
    ///
    /// - Parameters:
    ///   - trustAnchors: The authorities for readers that are trusted.
    ///   - tolerances: The deviations of readers' certificates that are accepted, and reported; none by default.
    ///   - chainCache: The cache of valid certificate chains; nil to validate each anew.
    ///   - clock: Tells the time; read once per verification.
    public init(
        trustAnchors: [Certificate],
        tolerances: Set<CertificateTolerance> = [],
        chainCache: CertificateChainCache? = nil,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        let authorities = trustAnchors.map { ReaderAuthority($0) }
        self.init(ReaderAuthorities(authorities, highestAnchorsOnly: false), tolerances, chainCache, nil, clock)
    }

    /// Makes a verifier that knows authorities with their names and constraints.
    ///
    /// The highest anchor ends a reader's chain (F.3.2.6): an anchor serves as an intermediate if the authorities lead from
    /// it to another anchor. Where that one has expired, the readers below both are refused. A certificate that names
    /// itself as its issuer has none above it.
    ///
    /// - Parameters:
    ///   - authorities: The authorities for readers, such as `VerifiedRICAL.readerAuthorities`.
    ///   - tolerances: The deviations of readers' certificates that are accepted, and reported; none by default.
    ///   - chainCache: The cache of valid certificate chains; nil to validate each anew.
    ///   - holds: Says whether a trust constraint holds for a reader. Nil understands none: a reader below an authority
    ///     with constraints is then not trusted, unless one of them is empty.
    ///   - clock: Tells the time; read once per verification.
    public init(
        authorities: [ReaderAuthority],
        tolerances: Set<CertificateTolerance> = [],
        chainCache: CertificateChainCache? = nil,
        constraintHolds holds: ConstraintEvaluator? = nil,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(ReaderAuthorities(authorities, highestAnchorsOnly: true), tolerances, chainCache, holds, clock)
    }

    private init(
        _ authorities: ReaderAuthorities,
        _ tolerances: Set<CertificateTolerance>,
        _ chainCache: CertificateChainCache?,
        _ holds: ConstraintEvaluator?,
        _ clock: @escaping @Sendable () -> Date
    ) {
        self.authorities = authorities
        self.tolerances = tolerances
        var policy = CertificatePathPolicy.mdocReader
        policy.tolerate(tolerances)
        chains = CertificatePathValidator(anchors: authorities.anchors, policy: policy, cache: chainCache)
        intermediates = CertificatePathValidator(anchors: authorities.intermediates, policy: policy)
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
        let single = request.docRequests.map { docRequest -> Verification<ValidatedCertificateChain>? in
            guard let readerAuth = docRequest.readerAuth else { return nil }
            let authentication = ReaderAuthentication(
                sessionTranscript: sessionTranscript,
                itemsRequest: docRequest.itemsRequest
            )
            return verify(readerAuth, authentication, docRequest.deviations, now)
        }
        let whole = request.readerAuthAll.map { verify($0, all, request.deviations, now) }
        let deviations = request.deviations + sessionTranscript.deviations.within("sessionTranscript")
        return ReaderAuthenticationVerification(
            docRequests: single,
            all: whole,
            parties: ReaderAuthenticationVerification.parties(single, whole, authorities),
            deviations: deviations.map { Deviation($0) }
        )
    }

    private func verify(
        _ readerAuth: COSESign1,
        _ authentication: ReaderAuthentication,
        _ deviations: [MdocDeviation],
        _ now: Date
    ) -> Verification<ValidatedCertificateChain> {
        var checklist = Checklist(Self.checks, at: now)
        for deviation in deviations { checklist.add(Deviation(deviation)) }
        var path: Verification<ValidatedCertificateChain>?
        checklist.check(.readerSignature) { () throws(CheckFault) in
            let chain = try Self.chain(of: readerAuth)
            path = validated(chain, at: now)
            try checkSignature(readerAuth, authentication, chain)
        }
        if let path {
            for deviation in path.deviations { checklist.add(deviation) }
            checklist.check(.readerTrust) { () throws(CheckFault) in try checkTrust(path) }
        }
        return checklist.verification(of: path?.verified)
    }

    /// The certificates of a reader.
    ///
    /// Refuses a malformed chain, and more or larger certificates than ``MdocLimits`` allows.
    private static func chain(of readerAuth: COSESign1) throws(CheckFault) -> [ArraySlice<UInt8>] {
        let limits = MdocLimits()
        do throws(COSEError) {
            let chain = try readerAuth.headers.x5chain(maximumCount: limits.certificates, allowingArrayOfOne: true)
            guard chain.allSatisfy({ $0.count <= limits.certificateSize }) else {
                throw COSEError(.limitExceeded, "a certificate of more than \(limits.certificateSize) bytes")
            }
            return chain
        } catch {
            let message = "readerAuth has an x5chain that cannot be read: \(error.message)"
            throw .failed(.invalidReaderCertificate, message)
        }
    }

    /// The chain of a reader up to an anchor: the first valid one, or else the first.
    private func validated(
        _ chain: [ArraySlice<UInt8>],
        at now: Date
    ) -> Verification<ValidatedCertificateChain> {
        let completions = completions(of: chain)
        for completion in completions.dropLast() {
            let path = chains.validate(encodedChain: completion, at: now)
            if path.verified != nil { return path }
        }
        return chains.validate(encodedChain: completions.last ?? chain, at: now)
    }

    /// The certificates of a reader, and above them those of known authorities that are missing up to an anchor (F.2.3).
    ///
    /// There are several where authorities share a name, or where one has several certificates for its key; at least one.
    private func completions(of chain: [ArraySlice<UInt8>]) -> [[ArraySlice<UInt8>]] {
        guard !authorities.intermediates.isEmpty else { return [chain] }
        var complete: [[ArraySlice<UInt8>]] = []
        var open = [chain]
        while let next = open.popLast() {
            let issuers = missingIssuers(above: next)
            if issuers.isEmpty || complete.count + open.count + issuers.count > Self.maximumCompletions {
                complete.append(next)
            } else {
                open += issuers.reversed().map { next + [$0.derBytes[...]] }
            }
        }
        return complete
    }

    /// The known authorities below an anchor that signed the last certificate of a chain, if no anchor is there for it.
    private func missingIssuers(above chain: [ArraySlice<UInt8>]) -> [Certificate] {
        guard chain.count < chains.policy.maximumChainLength, let last = chain.last,
            let certificate = try? Certificate(der: last), chains.anchors(above: certificate).isEmpty
        else { return [] }
        return intermediates.anchors(above: certificate).filter { certificate.isSigned(byKeyOf: $0) }
    }

    private func checkSignature(
        _ readerAuth: COSESign1,
        _ authentication: ReaderAuthentication,
        _ chain: [ArraySlice<UInt8>]
    ) throws(CheckFault) {
        guard let leaf = chain.first else {
            throw .failed(.invalidReaderCertificate, "readerAuth has no x5chain that can be used")
        }
        do throws(COSEError) {
            try readerAuth.headers.requireX5T(of: leaf)
        } catch {
            throw .failed(.invalidReaderCertificate, "readerAuth: \(error.message)")
        }
        let key: PublicKey
        do throws(CryptoError) {
            key = try Certificate(der: leaf).publicKey()
        } catch {
            throw .failed(.invalidReaderCertificate, error.message)
        }
        let algorithm: COSEAlgorithm
        do throws(COSEError) {
            algorithm =
                try readerAuth.verify(
                    with: key,
                    policy: MdocAlgorithms.signatures,
                    detachedPayload: authentication.taggedBytes
                ).algorithm
        } catch {
            throw .failed(.invalidReaderSignature, error.message)
        }
        guard let curve = key.curve, MdocAlgorithms.allows(algorithm, on: curve) else {
            throw .failed(.algorithmNotAllowed, "\(algorithm) does not go with the reader's \(key)")
        }
    }

    private func checkTrust(_ path: Verification<ValidatedCertificateChain>) throws(CheckFault) {
        switch path.verdict {
        case .verified(let chain):
            if let deviation = chain.deviation(outsideOf: tolerances, besides: CertificatePathPolicy.harmlessDeviations)
            {
                throw .failed(.invalidReaderCertificate, deviation.message)
            }
            try checkConstraints(on: chain)
        case .refused(let refusal):
            let reason: Reason = refusal.check == .trustAnchor ? .readerNotTrusted : .invalidReaderCertificate
            throw .failed(reason, refusal.message)
        }
    }

    /// One of the constraints of the lowest known authority must hold, where it has any, and none may be refused.
    ///
    /// Of several entries for that authority, each has to let the reader pass.
    private func checkConstraints(on chain: ValidatedCertificateChain) throws(CheckFault) {
        if let refused = authorities.refusal(above: chain) {
            let message = "what a list says of \(refused.displayName) cannot be read, so no reader below it is trusted"
            throw .failed(.readerNotTrusted, message)
        }
        for authority in authorities.lowest(above: chain) where !authority.trustConstraints.isEmpty {
            guard authority.trustConstraints.contains(where: { holds($0, chain) }) else {
                let message = "no trust constraint of \(authority.displayName) holds for the reader"
                throw .failed(.readerNotTrusted, message)
            }
        }
    }
}

import COSEKit
public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Tells a wallet who asks: verifies every reader's signature of a request (ISO/IEC 18013-5, 12.5).
public struct ReaderAuthenticationVerifier: Sendable {
    private let chains: CertificatePathValidator
    private let clock: @Sendable () -> Date

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - trustAnchors: The authorities for readers that are trusted.
    ///   - chainCache: Where certificate chains found valid are kept; nil to validate each anew.
    ///   - clock: Tells the time; read once per verification.
    public init(
        trustAnchors: [Certificate],
        chainCache: CertificateChainCache? = nil,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        chains = CertificatePathValidator(anchors: trustAnchors, policy: .mdocReader, cache: chainCache)
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
        return ReaderAuthenticationVerification(
            docRequests: request.docRequests.map { docRequest in
                guard let readerAuth = docRequest.readerAuth else { return .absent }
                let authentication = ReaderAuthentication(
                    sessionTranscript: sessionTranscript,
                    itemsRequest: docRequest.itemsRequest
                )
                return verify(readerAuth, authentication, now)
            },
            all: request.readerAuthAll.map { verify($0, all, now) }
        )
    }

    private func verify(
        _ readerAuth: COSESign1,
        _ authentication: ReaderAuthentication,
        _ now: Date
    ) -> ReaderAuthenticationResult {
        let chain = (try? readerAuth.headers.x5chain(allowingArrayOfOne: true)) ?? []
        let path = chains.validate(encodedChain: chain, at: now)
        let checks = [
            CheckOutcome(check: .readerSignature, verdict: signature(readerAuth, authentication, chain)),
            CheckOutcome(check: .trustedReader, verdict: trust(path)),
        ]
        if let failure = checks.firstFailure { return .refused(failure, checks: checks) }
        guard let chain = path.chain else { return .absent }
        return .verified(chain)
    }

    private func signature(
        _ readerAuth: COSESign1,
        _ authentication: ReaderAuthentication,
        _ chain: [ArraySlice<UInt8>]
    ) -> CheckOutcome.Verdict {
        guard let leaf = chain.first else {
            return .failed(.invalidReaderCertificate, "readerAuth has no x5chain")
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

    private func trust(_ path: CertificatePathResult) -> CheckOutcome.Verdict {
        guard let failure = path.failure else { return .passed }
        let reason: FailureReason =
            failure.check == .trustAnchor ? .readerNotTrusted : .invalidReaderCertificate
        return .failed(reason, failure.message)
    }
}

public import CredentialTransport
public import CryptoCore
public import StatusListKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Checks by certificate revocation lists whether the certificates of credentials' signers are revoked
/// (ISO/IEC 18013-5, 12.8.3 and Table B.10).
///
/// Lists that the caller verified come first. If they do not cover a certificate, and there is a network, the list is
/// fetched from the certificate's distribution points, verified with the certificate of its issuer, and cached until
/// the next update is due. A stale list can still revoke; only a current list shows that a certificate is good.
public struct SignerRevocationChecker: SignerRevocationChecking {
    private let lists: VerifiedCertificateRevocationLists
    private let transport: (any HTTPTransport)?
    private let options: StatusListClientOptions
    private let maximumSize: Int
    private let cache: DocumentCache<Key, KeptRevocationList, Problem>

    /// A list as issued by one authority: what another one signed says nothing about its certificates.
    private struct Key: Hashable {
        let uri: ExactText
        let issuer: Certificate
    }

    /// The reason that no list is available.
    private struct Problem: Error {
        let message: String
    }

    /// The largest number of distribution points tried for a certificate.
    private static let maximumDistributionPoints = 4

    /// A checker.
    ///
    /// - Parameters:
    ///   - lists: Lists that the caller has, verified.
    ///   - transport: Fetches others from the certificates' distribution points; nil to fetch none. Distribution points
    ///     are often plain `http`, which a transport must allow by name.
    ///   - options: The options for fetching and caching lists.
    ///   - maximumSize: The longest list that is read, in bytes.
    public init(
        lists: VerifiedCertificateRevocationLists = VerifiedCertificateRevocationLists([]),
        transport: (any HTTPTransport)? = nil,
        options: StatusListClientOptions = .mdoc,
        maximumSize: Int = CertificateRevocationList.defaultMaximumSize
    ) {
        self.lists = lists
        self.transport = transport
        self.options = options
        self.maximumSize = maximumSize
        cache = DocumentCache(options: options.caching)
    }

    /// The status of the certificates of a chain by the lists; that of the worst counts.
    public func status(of signer: ValidatedCertificateChain, at time: Date) async -> CredentialStatus {
        let issuers = signer.certificates.dropFirst() + [signer.anchor]
        var worst = CredentialStatus.valid(asOf: time)
        for (certificate, issuer) in zip(signer.certificates, issuers) {
            worst = worst.combined(with: await status(of: certificate, issuedBy: issuer, at: time))
            if worst == .revoked { break }
        }
        return worst
    }

    private func status(
        of certificate: Certificate,
        issuedBy issuer: Certificate,
        at time: Date
    ) async -> CredentialStatus {
        let status = lists.status(of: certificate, issuer: issuer, at: time)
        guard case .unknown(let reason) = status, let transport else {
            return CredentialStatus(status, certificate, at: time)
        }
        let points: [String]
        do throws(CryptoError) {
            points = try certificate.crlDistributionPoints?.uris ?? []
        } catch {
            return .unknown("\(certificate.subject): \(reason), and the distribution points: \(error.message)")
        }
        var message = "\(certificate.subject): \(reason), and the certificate names no distribution point"
        for uri in points.prefix(Self.maximumDistributionPoints) {
            switch await list(at: uri, of: issuer, transport, at: time) {
            case .success(let list):
                let status = CredentialStatus(list.status(of: certificate, at: time), certificate, at: time)
                guard case .unknown(let found) = status else { return status }
                message = found
            case .failure(let problem):
                message = "\(certificate.subject): \(uri): \(problem.message)"
            }
        }
        return .unknown(message)
    }

    private func list(
        at uri: String,
        of issuer: Certificate,
        _ transport: any HTTPTransport,
        at time: Date
    ) async -> Result<VerifiedCertificateRevocationList, Problem> {
        let key = Key(uri: ExactText(uri), issuer: issuer)
        do throws(Problem) {
            let list = try await cache.document(
                for: key,
                at: time,
                isCurrent: { $0.isCurrent(at: time) },
                choosing: { fetched, kept in
                    kept.list.isNewer(than: fetched.value.list, at: time)
                        ? FetchedDocument(kept.list, at: time) : fetched
                },
                fetch: { () async throws(Problem) in
                    FetchedDocument(try await fetch(uri, issuer, transport, at: time), at: time)
                }
            )
            return .success(list.value.list)
        } catch {
            // A list past its time can still revoke, and vouches for nothing.
            return cache.keptDocument(for: key, at: time).map { .success($0.value.list) } ?? .failure(error)
        }
    }

    private func fetch(
        _ uri: String,
        _ issuer: Certificate,
        _ transport: any HTTPTransport,
        at time: Date
    ) async throws(Problem) -> VerifiedCertificateRevocationList {
        let list: CertificateRevocationList
        do {
            let body = try await transport.body(
                at: uri,
                accepting: .any,
                limits: HTTPLimits(maximumBodySize: maximumSize, timeout: options.timeout),
                redirects: options.redirects
            )
            list = try CertificateRevocationList(der: body, maximumSize: maximumSize)
        } catch {
            throw Problem(message: "\(error)")
        }
        do throws(Refusal) {
            return try list.verify(issuer: issuer, at: time).get()
        } catch {
            throw Problem(message: error.description)
        }
    }
}

extension CredentialStatus {
    fileprivate init(_ status: CertificateRevocationStatus, _ certificate: Certificate, at time: Date) {
        self =
            switch status {
            case .good: .valid(asOf: time)
            case .revoked: .revoked
            case .unknown(let reason): .unknown("\(certificate.subject): \(reason)")
            }
    }
}

extension VerifiedCertificateRevocationList {
    /// Returns `true` for a list that was made later; one of a time to come is no newer list.
    ///
    /// An old list brings back no certificate that was revoked since.
    fileprivate func isNewer(than other: VerifiedCertificateRevocationList, at time: Date) -> Bool {
        list.thisUpdate > other.list.thisUpdate && list.thisUpdate <= time
    }
}

/// A list in the cache.
private struct KeptRevocationList: Sendable {
    let list: VerifiedCertificateRevocationList
    /// Indicates a list that was past its time when it came: its publisher is asked again after a while, and not at once.
    let cameLate: Bool

    init(_ list: VerifiedCertificateRevocationList, at time: Date) {
        self.list = list
        cameLate = list.list.isExpired(at: time)
    }

    /// Returns `false` for a list whose successor is due since it came.
    func isCurrent(at time: Date) -> Bool { cameLate || !list.list.isExpired(at: time) }
}

extension CertificateRevocationList {
    fileprivate func isExpired(at time: Date) -> Bool { nextUpdate.map { $0 < time } ?? false }
}

extension FetchedDocument<KeptRevocationList> {
    /// A list with the lifetime that it has left.
    fileprivate init(_ list: VerifiedCertificateRevocationList, at time: Date) {
        self.init(
            KeptRevocationList(list, at: time),
            lifetime: list.list.nextUpdate?.timeIntervalSince(time) ?? 0,
            size: list.list.derBytes.count
        )
    }
}

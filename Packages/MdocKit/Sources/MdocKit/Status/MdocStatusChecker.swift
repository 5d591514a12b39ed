public import CredentialTransport
public import CryptoCore
public import StatusListKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Checks the revocation of credentials by token status lists and identifier lists (ISO/IEC 18013-5 second edition,
/// 12.3.6).
///
/// ```swift
/// let checker = MdocStatusChecker(transport: GuardedHTTPTransport(connector: connector))
/// let verifier = MdocVerifier(trustAnchors: anchors, statusChecker: checker)
/// ```
///
/// A list counts only with the signature of an entitled party. Its certificate chain ends at the `certificate` that the
/// credential names for the list, or else at the authority that issued the certificate of the credential's signer. Its
/// certificate is that of a signer of status lists (Table B.9). A certificate with an extended key usage for another
/// purpose, as those of document signers and readers have, may not sign a list. Neither may the signer of the
/// credential itself. If a credential names both mechanisms, both must say that it is valid.
///
/// Lists are cached as their `ttl` and `exp` allow, so keep the checker.
public struct MdocStatusChecker: MdocStatusChecking {
    let statusLists: StatusListClient
    let identifierLists: IdentifierListClient
    let signers: CertificatePathPolicy

    /// Creates a checker that fetches lists.
    ///
    /// - Parameters:
    ///   - transport: Fetches lists; nil without a network.
    ///   - statusLists: The status lists to use for those that cannot be fetched.
    ///   - identifierLists: The identifier lists to use for those that cannot be fetched.
    ///   - policy: The policy for lists.
    ///   - signers: The policy for the signers of lists; `.statusListSigner(purposes:)` to accept certificates with the
    ///     number of id-kp-oauthStatusSigning that issuers and verifiers agreed upon.
    ///   - options: The options for fetching and caching lists.
    public init(
        transport: (any HTTPTransport)?,
        statusLists: StatusListSnapshot = StatusListSnapshot(),
        identifierLists: IdentifierListSnapshot = IdentifierListSnapshot(),
        policy: StatusListPolicy = .mdoc,
        signers: CertificatePathPolicy = .statusListSigner,
        options: StatusListClientOptions = .mdoc
    ) {
        self.signers = signers
        self.statusLists = StatusListClient(
            transport: transport,
            snapshot: statusLists,
            policy: policy,
            options: options
        )
        self.identifierLists = IdentifierListClient(
            transport: transport,
            snapshot: identifierLists,
            policy: policy,
            signers: signers,
            options: options
        )
    }

    /// A checker without a network: without a list in the snapshots the status is unknown.
    public init(
        snapshot statusLists: StatusListSnapshot,
        identifierLists: IdentifierListSnapshot = IdentifierListSnapshot(),
        policy: StatusListPolicy = .mdoc,
        signers: CertificatePathPolicy = .statusListSigner
    ) {
        self.init(
            transport: nil,
            statusLists: statusLists,
            identifierLists: identifierLists,
            policy: policy,
            signers: signers
        )
    }

    /// The status of a credential by the lists that it names.
    public func status(
        named reference: MobileSecurityObject.Status,
        of signer: ValidatedCertificateChain,
        at time: Date
    ) async -> StatusFinding {
        await status(named: reference, of: signer, refreshingAfter: nil, at: time)
    }

    /// The status of a credential by the lists that it names, fetched again if they are older than an age.
    public func status(
        named reference: MobileSecurityObject.Status,
        of signer: ValidatedCertificateChain,
        refreshingAfter maximumAge: TimeInterval?,
        at time: Date
    ) async -> StatusFinding {
        var findings: [StatusFinding] = []
        if let entry = reference.statusList { findings.append(await status(in: entry, signer, maximumAge, at: time)) }
        if let entry = reference.identifierList {
            findings.append(await status(in: entry, signer, maximumAge, at: time))
        }
        guard let first = findings.first else {
            return .unknown("the credential's status names no mechanism of the standard")
        }
        return findings.dropFirst().reduce(first) { $0.combined(with: $1) }
    }

    private func status(
        in entry: MobileSecurityObject.Status.StatusList,
        _ signer: ValidatedCertificateChain,
        _ maximumAge: TimeInterval?,
        at time: Date
    ) async -> StatusFinding {
        do throws(StatusListError) {
            let reference = try StatusReference(index: Int(clamping: entry.index), uri: entry.uri)
            let anchors = try signer.listAnchors(named: entry.certificate)
            let key = StatusListKey.certificates(anchors: anchors, policy: signers)
            let list = try await statusLists.list(at: entry.uri, signedBy: key, refreshingAfter: maximumAge, at: time)
            try signer.requireAnother(list.certificateChain)
            return StatusFinding(list.status(at: reference.index), deviations: list.deviations)
        } catch {
            return StatusFinding(.unknown(error))
        }
    }

    private func status(
        in entry: MobileSecurityObject.Status.IdentifierList,
        _ signer: ValidatedCertificateChain,
        _ maximumAge: TimeInterval?,
        at time: Date
    ) async -> StatusFinding {
        do throws(StatusListError) {
            let anchors = try signer.listAnchors(named: entry.certificate)
            let list = try await identifierLists.list(
                at: entry.uri,
                anchors: anchors,
                refreshingAfter: maximumAge,
                at: time
            )
            try signer.requireAnother(list.certificateChain)
            return StatusFinding(list.status(of: entry), deviations: list.deviations)
        } catch {
            return StatusFinding(.unknown(error))
        }
    }
}

extension VerifiedIdentifierList {
    /// The status of a credential by its identifier.
    fileprivate func status(of entry: MobileSecurityObject.Status.IdentifierList) -> CredentialStatus {
        if contains(entry.identifier) { return .revoked }
        // A list without this spelling may contain the identifier in another one.
        guard entry.form == .bytes else {
            return .unknown("the credential has its identifier as text, and \(entry.uri) may have another spelling")
        }
        return .valid(asOf: issuedAt)
    }
}

extension ValidatedCertificateChain {
    /// The certificates that the signer of a list must have been certified by: the one that the credential names, or else
    /// the authorities above the credential's signer, the trust anchor among them (12.3.6).
    func listAnchors(named certificate: [UInt8]?) throws(StatusListError) -> [Certificate] {
        guard let certificate else { return certificates.dropFirst() + [anchor] }
        do {
            return [try Certificate(der: certificate)]
        } catch {
            throw StatusListError(.invalidReference, error.message, path: ["status", "certificate"], cause: error)
        }
    }

    /// Refuses a list signed with the key of the credential's signer, under any certificate: that key signs documents
    /// only.
    fileprivate func requireAnother(_ listSigner: ValidatedCertificateChain?) throws(StatusListError) {
        guard listSigner?.leafPublicKey != leafPublicKey else {
            throw StatusListError(
                .issuerNotTrusted,
                "the list is signed by the credential's own signer",
                path: ["token", "x5chain"]
            )
        }
    }
}

public import CryptoCore
public import StatusListKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A list that could not be fetched, with the reason.
public struct UnavailableStatusList: Sendable {
    /// The URI of the list.
    public let uri: String
    /// The reason.
    public let error: StatusListError
}

// The lists that verifications use: fetched ahead, looked at, saved and loaded.
extension MdocStatusChecker {
    /// Fetches ahead the lists that credentials name, so that their next verification needs no network.
    ///
    /// - Returns: The lists that could not be fetched, each once, with the reasons.
    @discardableResult
    public func prefetch(
        for credentials: some Sequence<VerifiedIssuerSigned>,
        at time: Date
    ) async -> [UnavailableStatusList] {
        var failures: [UnavailableStatusList] = []
        for credential in credentials {
            guard let status = credential.issuerSigned.mobileSecurityObject.status else { continue }
            if let entry = status.statusList {
                failures += await prefetch(entry.uri, credential.signer, entry.certificate) { uris, anchors in
                    await self.prefetch(statusLists: uris, anchors: anchors, at: time)
                }
            }
            if let entry = status.identifierList {
                failures += await prefetch(entry.uri, credential.signer, entry.certificate) { uris, anchors in
                    await self.prefetch(identifierLists: uris, anchors: anchors, at: time)
                }
            }
        }
        return failures.reduce(into: []) { distinct, failure in
            if !distinct.contains(where: { $0.uri.hasSameBytes(as: failure.uri) }) { distinct.append(failure) }
        }
    }

    /// Fetches ahead status lists and identifier lists by their URIs.
    ///
    /// - Parameters:
    ///   - statusLists: The URIs of status lists.
    ///   - identifierLists: The URIs of identifier lists.
    ///   - anchors: The certificates that a list's signer must have been certified by: the authority that issued the
    ///     certificate of the credentials' signer (IACA), or the certificate that the credentials name for the list. Other
    ///     anchors than those of the verification fetch a list that it does not find.
    ///   - time: The time.
    /// - Returns: The lists that could not be fetched, with the reasons.
    @discardableResult
    public func prefetch(
        statusLists: [String] = [],
        identifierLists: [String] = [],
        anchors: [Certificate],
        at time: Date
    ) async -> [UnavailableStatusList] {
        let key = StatusListKey.certificates(anchors: anchors, policy: signers)
        let failures =
            await self.statusLists.prefetch(statusLists, signedBy: key, at: time)
            + self.identifierLists.prefetch(identifierLists, anchors: anchors, at: time)
        return failures.map(UnavailableStatusList.init)
    }

    /// Fetches the kept lists whose next update is due.
    ///
    /// - Returns: The lists that could not be fetched, with the reasons; each is kept as it was.
    @discardableResult
    public func refresh(at time: Date) async -> [UnavailableStatusList] {
        let failures = await statusLists.refresh(at: time) + identifierLists.refresh(at: time)
        return failures.map(UnavailableStatusList.init)
    }

    /// The lists that are kept, and those of a snapshot that were used, with their ages and next updates: status lists, then
    /// identifier lists, each in the order of their URIs' bytes.
    public func keptLists(at time: Date) -> [KeptStatusList] {
        statusLists.keptLists(at: time) + identifierLists.keptLists(at: time)
    }

    /// The tokens of the lists that are kept now, and of those that were loaded, for use where there is no network.
    public func snapshot() -> MdocStatusSnapshot {
        MdocStatusSnapshot(statusLists: statusLists.snapshot(), identifierLists: identifierLists.snapshot())
    }

    /// Adds the tokens of a snapshot for lists that cannot be fetched.
    ///
    /// Each token is verified when a credential needs it. Of several with one URI, the one issued last counts, whichever was loaded
    /// first; a later list that was fetched stays.
    public func load(_ snapshot: MdocStatusSnapshot) {
        statusLists.load(snapshot.statusLists)
        identifierLists.load(snapshot.identifierLists)
    }

    private func prefetch(
        _ uri: String,
        _ signer: ValidatedCertificateChain,
        _ certificate: [UInt8]?,
        _ fetch: ([String], [Certificate]) async -> [UnavailableStatusList]
    ) async -> [UnavailableStatusList] {
        do throws(StatusListError) {
            return await fetch([uri], try signer.listAnchors(named: certificate))
        } catch {
            return [UnavailableStatusList(uri: uri, error: error)]
        }
    }
}

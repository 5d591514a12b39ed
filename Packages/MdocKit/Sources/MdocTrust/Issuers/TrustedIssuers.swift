import CryptoCore
public import MdocKit
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The issuing authorities that a verifier trusts, each under an identifier: listed, added and deleted while verifiers use
/// them.
///
/// ```swift
/// let issuers = try TrustedIssuers(store: store)
/// let verifier = MdocVerifier(trustedIssuers: issuers)
/// try issuers.add(pem: text)
/// try issuers.add(iaca, id: "utopia", docTypes: [.mDL])
/// try issuers.remove(id: "utopia")
/// ```
/// The next verification sees a change; one under way goes on with the issuers that it began with. An identifier names one
/// entry. The same certificate may have several entries, each with its own document types; it is then trusted for all
/// of them. Every change is written to the store before it holds. A store that was set back to an earlier state since is refused with
/// the code `storageRolledBack`.
///
/// The entries of a VICAL or a RICAL take the place of those that an earlier list of the same provider brought. ``FileTrustedIssuerStore``
/// keeps the list in a file.
public final class TrustedIssuers: TrustedIssuerSource {
    private let store: any TrustedIssuerStore
    private let state: Mutex<State>

    private struct State {
        var content = TrustedIssuerList()
        /// Grows with every change.
        var revision: UInt64 = 0
    }

    /// An empty list, which is gone with the process.
    public init() {
        store = InMemoryTrustedIssuerStore()
        state = Mutex(State())
    }

    /// The list of a store.
    ///
    /// - Throws: `MdocError` with code `storageFailed`, or `storageDamaged` for another content.
    public init(store: any TrustedIssuerStore) throws(MdocError) {
        self.store = store
        state = Mutex(State(content: try TrustedIssuerList(stored: try store.content())))
    }

    /// A list in memory of entries.
    ///
    /// - Throws: `MdocError` as ``add(_:)-(TrustAnchor)`` does.
    public convenience init(_ anchors: some Sequence<TrustAnchor>) throws(MdocError) {
        self.init()
        try add(contentsOf: anchors)
    }

    /// The entries in the order in which they were added.
    public var entries: [TrustedIssuer] { state.withLock { $0.content.entries } }

    /// The lists of providers that were added last, one per format and provider.
    public var lists: [TrustedIssuer.List] { state.withLock { $0.content.lists } }

    /// The certificates of issuers in the order in which they were added, those of outdated lists among them.
    public var anchors: [TrustAnchor] { entries.filter { $0.purpose == .issuing }.map(\.anchor) }

    /// The authorities for readers whose list may be used at a time, for a `ReaderAuthenticationVerifier`.
    public func readerAuthorities(at time: Date) -> [ReaderAuthority] {
        entries.filter { $0.isUsable(at: time) }.compactMap(\.readerAuthority)
    }

    /// The entry with an identifier, or nil.
    public subscript(id: TrustedIssuer.ID) -> TrustedIssuer? {
        state.withLock { $0.content[id] }
    }

    /// The number of the change that made the entries.
    public var revision: UInt64 { state.withLock { $0.revision } }

    /// The issuers whose list may be used at a time.
    public func trustedIssuers(at time: Date) -> TrustedIssuerSelection {
        let (entries, revision) = state.withLock { ($0.content.entries, $0.revision) }
        let issuers = entries.filter { $0.purpose == .issuing }
        let usable = issuers.filter { $0.isUsable(at: time) }
        return TrustedIssuerSelection(
            usable.map(\.anchor),
            revision: revision,
            after: issuers.filter { !$0.isUsable(at: time) }.compactMap { $0.list?.notAfter }.max(),
            until: usable.compactMap { $0.list?.notAfter }.min()
        )
    }
}

// Changes.
extension TrustedIssuers {
    /// Reads the store again, for changes that another process made.
    ///
    /// - Throws: `MdocError` with code `storageRolledBack` for a store that was set back to an earlier state, `storageFailed` or
    ///   `storageDamaged`; the list then stays as it is. To go on with an earlier state, make a new list of the store.
    public func reload() throws(MdocError) {
        let known = knownNumber
        let content = try TrustedIssuerList(stored: try store.content())
        try content.requireNumber(known)
        adopt(content)
    }

    /// The number of the change that made the entries, which a store has written before it is known here.
    private var knownNumber: UInt64 { state.withLock { $0.content.number } }

    /// Adds several entries, or none of them; equal ones are not added again.
    ///
    /// - Throws: `MdocError` with code `duplicateTrustAnchor` if an identifier names another certificate, or the
    ///   same for other document types; `storageFailed` or `storageDamaged`.
    public func add(_ entries: some Sequence<TrustedIssuer>) throws(MdocError) {
        try change { (content) throws(MdocError) in
            for entry in entries { try content.add(entry) }
        }
    }

    /// Deletes an entry.
    ///
    /// - Returns: The entry with the identifier, or nil if absent.
    /// - Throws: `MdocError` with code `storageFailed` or `storageDamaged`.
    @discardableResult
    public func remove(id: TrustedIssuer.ID) throws(MdocError) -> TrustedIssuer? {
        var removed: TrustedIssuer?
        try change { (content) in removed = content.remove(id) }
        return removed
    }

    /// Replaces the entries that earlier lists of a format and provider brought by those of a list.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - entries: The entries of the list; their origin is the list.
    /// - Throws: `MdocError` with code `supersededList` for a list with a lower ``TrustedIssuer/List/issue`` than the one
    ///   that was added last, without one after a list that has one, or with an earlier ``TrustedIssuer/List/date`` where
    ///   the numbers are equal or missing; `listSignerMismatch` for another ``TrustedIssuer/List/anchorKeyDigest`` than that
    ///   of the last list, if it had one; otherwise as ``add(_:)-(Sequence<TrustedIssuer>)`` does.
    public func replaceEntries(
        of list: TrustedIssuer.List,
        with entries: some Sequence<TrustedIssuer>
    ) throws(MdocError) {
        try change { (content) throws(MdocError) in try content.replace(list, entries) }
    }

    /// Deletes the entries that the lists of a format and provider brought.
    ///
    /// The issue of the last list stays known, so that no earlier one is taken afterwards.
    ///
    /// - Throws: `MdocError` with code `storageFailed` or `storageDamaged`.
    public func removeEntries(of list: TrustedIssuer.List) throws(MdocError) {
        try change { (content) in content.removeEntries(of: list) }
    }

    /// Deletes the entries that the lists of a format and provider brought, and the memory of the last list.
    ///
    /// The next list may have any number, and a signer below another trust anchor: for a provider that has a new root.
    ///
    /// - Throws: `MdocError` with code `storageFailed` or `storageDamaged`.
    public func forget(_ list: TrustedIssuer.List) throws(MdocError) {
        try change { (content) in content.forget(list) }
    }

    /// Changes the content of the store, which others may have changed meanwhile, and then this list.
    private func change(_ change: (inout TrustedIssuerList) throws(MdocError) -> Void) throws(MdocError) {
        var changed: TrustedIssuerList?
        let known = knownNumber
        try store.update { (stored) throws(MdocError) in
            var content = try TrustedIssuerList(stored: stored)
            try content.requireNumber(known)
            try change(&content)
            try content.advance()
            changed = content
            return content.encoded()
        }
        // A later change that overtakes this one between the two steps has a higher number, and stays.
        if let changed { adopt(changed) }
    }

    private func adopt(_ content: TrustedIssuerList) {
        state.withLock { state in
            guard content.number >= state.content.number else { return }
            state.content = content
            state.revision += 1
        }
    }
}

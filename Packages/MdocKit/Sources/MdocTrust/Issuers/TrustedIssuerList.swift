import MdocKit
import VerificationCore

/// The content of ``TrustedIssuers``: entries, and the lists that brought some of them.
struct TrustedIssuerList: Sendable {
    private(set) var entries: [TrustedIssuer] = []
    private(set) var lists: [TrustedIssuer.List] = []
    /// The number of the change that made this content, which grows with every change of a store.
    private(set) var number: UInt64 = 0

    /// The index of each identifier's entry.
    private var indices: [ExactText: Int] = [:]

    init() {}

    /// The content as it is stored.
    ///
    /// - Throws: `MdocError` with code `duplicateTrustAnchor` if two entries have one identifier.
    init(
        _ entries: [TrustedIssuer],
        _ lists: [TrustedIssuer.List],
        number: UInt64
    ) throws(MdocError) {
        for entry in entries { try add(entry) }
        self.lists = lists
        self.number = number
    }

    subscript(id: TrustedIssuer.ID) -> TrustedIssuer? {
        indices[ExactText(id)].map { entries[$0] }
    }

    mutating func add(_ entry: TrustedIssuer) throws(MdocError) {
        if let known = self[entry.id] {
            guard known.hasSameTrust(as: entry) else {
                throw MdocError(.duplicateTrustAnchor, "there is another trust anchor \(entry.id)")
            }
            return
        }
        indices[ExactText(entry.id)] = entries.count
        entries.append(entry)
    }

    mutating func remove(_ id: TrustedIssuer.ID) -> TrustedIssuer? {
        guard let index = indices[ExactText(id)] else { return nil }
        let removed = entries.remove(at: index)
        reindex()
        return removed
    }

    /// Replaces the entries of a list.
    ///
    /// - Throws: `MdocError` with code `supersededList` for an earlier issue than the last: by its number, or by its date
    ///   where the numbers are equal or missing; `listSignerMismatch` for a signer below another anchor than the last
    ///   list had.
    mutating func replace(
        _ list: TrustedIssuer.List,
        _ entries: some Sequence<TrustedIssuer>
    ) throws(MdocError) {
        if let last = lists.first(where: { $0.isIssue(of: list) }) { try list.requireSuccessor(of: last) }
        removeEntries(of: list)
        lists.removeAll { $0.isIssue(of: list) }
        lists.append(list)
        for entry in entries { try add(entry) }
    }

    /// Removes the entries of a list, and the memory of it.
    mutating func forget(_ list: TrustedIssuer.List) {
        removeEntries(of: list)
        lists.removeAll { $0.isIssue(of: list) }
    }

    mutating func removeEntries(of list: TrustedIssuer.List) {
        entries.removeAll { $0.list?.isIssue(of: list) == true }
        reindex()
    }

    /// Counts a change.
    mutating func advance() throws(MdocError) {
        let (next, overflows) = number.addingReportingOverflow(1)
        guard !overflows else { throw MdocError(.storageFailed, "there is no later number for a change") }
        number = next
    }

    /// Refuses content that was made before a change.
    func requireNumber(_ least: UInt64) throws(MdocError) {
        guard number >= least else {
            throw MdocError(.storageRolledBack, "the store has the change \(number), and \(least) was read before")
        }
    }

    private mutating func reindex() {
        indices = [:]
        for (position, entry) in entries.enumerated() { indices[ExactText(entry.id)] = position }
    }
}

extension TrustedIssuer.List {
    /// Refuses a list that must not take the place of the last one in the name of its provider.
    fileprivate func requireSuccessor(of last: TrustedIssuer.List) throws(MdocError) {
        if let known = last.anchorKeyDigest, anchorKeyDigest != known {
            throw MdocError(
                .listSignerMismatch,
                "the signer of the \(format) of \(provider) stands below another trust anchor than that of its last list"
            )
        }
        guard !isEarlier(than: last) else {
            throw MdocError(
                .supersededList,
                "the \(format) of \(provider) is \(issueText), and \(last.issueText) was taken before"
            )
        }
    }

    /// Returns `true` for an earlier issue than another of the same provider (ISO/IEC 18013-5, C.1.7.1).
    fileprivate func isEarlier(than last: TrustedIssuer.List) -> Bool {
        switch (issue, last.issue) {
        case (nil, _?): true
        case (let issue?, let last?) where issue != last: issue < last
        default: date < last.date
        }
    }

    /// The number and the date of the issue, for an error.
    fileprivate var issueText: String {
        "issue \(issue.map { "\($0)" } ?? "without a number") of \(VerificationTime.text(date))"
    }
}

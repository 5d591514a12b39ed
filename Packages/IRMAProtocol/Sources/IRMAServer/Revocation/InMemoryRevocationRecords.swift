public import IRMAMessages
public import IdemixCore

/// Records in the memory of one process, lost with it: for tests, demonstrations, and the caches of verifiers.
public actor InMemoryRevocationRecords: RevocationRecords {
    private struct ChainName: Hashable {
        let type: CredentialTypeIdentifier
        let keyCounter: UInt
    }

    private struct Chain {
        var signedAccumulator: SignedAccumulator
        /// Consecutive events, the last one the accumulator's.
        var events: [RevocationEvent]
    }

    private var chains: [ChainName: Chain] = [:]
    private var issued: [IssuanceRecord] = []

    /// No records.
    public init() {}

    /// The counters of the keys of which there are accumulators for a type.
    public func keyCounters(of type: CredentialTypeIdentifier) -> [UInt] {
        chains.keys.filter { $0.type == type }.map(\.keyCounter).sorted()
    }

    /// The accumulator of a key with its last events, or nil.
    public func accumulator(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        lastEvents count: Int
    ) throws(IRMAServerError) -> RevocationUpdate? {
        guard let chain = chains[ChainName(type: type, keyCounter: keyCounter)] else { return nil }
        let events = chain.events.suffix(RevocationRows.limit(count))
        return RevocationUpdate(
            signedAccumulator: chain.signedAccumulator,
            events: try RevocationRows.list(events)
        )
    }

    /// The events of a key with indices in a range, as far as there are any, or nil for none.
    public func events(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        in range: Range<UInt64>
    ) throws(IRMAServerError) -> RevocationEventList? {
        let events = chains[ChainName(type: type, keyCounter: keyCounter)]?.events ?? []
        return try RevocationRows.list(events.filter { RevocationRows.limit(range).contains($0.index) })
    }

    /// Puts an accumulator in the place of the one that it was made from.
    public func replace(
        with update: RevocationUpdate,
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        expecting previous: SignedAccumulator?,
        revoking records: [IssuanceRecord],
        at time: Int64
    ) throws(IRMAServerError) {
        let name = ChainName(type: type, keyCounter: keyCounter)
        guard chains[name]?.signedAccumulator == previous else { throw RevocationRows.conflict(type) }
        let added = try RevocationRows.events(of: update, keyCounter: keyCounter, after: chains[name]?.events.last)
        chains[name] = Chain(
            signedAccumulator: update.signedAccumulator,
            events: (chains[name]?.events ?? []) + added
        )
        for position in issued.indices
        where issued[position].revokedAt == nil && records.contains(where: { $0.isSameCredential(issued[position]) }) {
            issued[position].revokedAt = time
        }
    }

    /// Adds the record of a credential.
    public func add(_ record: IssuanceRecord) throws(IRMAServerError) {
        _ = try RevocationRows.Issuance(record)
        guard !issued.contains(where: { $0.isSameCredential(record) }) else {
            throw RevocationRows.conflict(record.credentialType)
        }
        issued.append(record)
    }

    /// The records of a type with an issuer's name for the credential, by the time of their issuance.
    public func records(of type: CredentialTypeIdentifier, revocationKey: String) -> [IssuanceRecord] {
        issued.filter { $0.credentialType == type && $0.revocationKey.hasSameBytes(as: revocationKey) }
            .sorted { $0.issued < $1.issued }
    }

    /// Deletes the records of credentials that have expired.
    @discardableResult
    public func deleteExpired(before time: Int64) -> Int {
        let count = issued.count
        issued.removeAll { $0.validUntil < time }
        return count - issued.count
    }

    /// Memory always serves.
    public func check() {}
}

extension IssuanceRecord {
    /// Indicates records that a store cannot both have.
    fileprivate func isSameCredential(_ other: IssuanceRecord) -> Bool {
        credentialType == other.credentialType && issued == other.issued
            && revocationKey.hasSameBytes(as: other.revocationKey)
    }
}

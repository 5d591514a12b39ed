public import IRMAMessages
public import IdemixCore

/// The records of a revocation authority: the accumulators of its keys, and the credentials that were issued.
///
/// A change of an accumulator and of the records that it revokes is made at once or not at all, and only on top of the
/// accumulator that it was made from, also where several processes share the records.
public protocol RevocationRecords: Sendable {
    /// The counters of the keys of which there are accumulators for a type.
    func keyCounters(of type: CredentialTypeIdentifier) async throws(IRMAServerError) -> [UInt]

    /// The accumulator of a key with all of its events, or nil.
    func accumulator(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt
    ) async throws(IRMAServerError) -> RevocationUpdate?

    /// Puts an accumulator in the place of the one that it was made from.
    ///
    /// - Parameters:
    ///   - update: The accumulator with all of its events.
    ///   - type: The credential type.
    ///   - keyCounter: The counter of the key.
    ///   - previous: The accumulator that has to be there; nil for none.
    ///   - records: The records that the change revokes.
    ///   - time: The time of the change in nanoseconds since 1970.
    /// - Throws: ``IRMAServerError/Code/conflict`` where another accumulator is there.
    func replace(
        with update: RevocationUpdate,
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        expecting previous: SignedAccumulator?,
        revoking records: [IssuanceRecord],
        at time: Int64
    ) async throws(IRMAServerError)

    /// Adds the record of a credential.
    func add(_ record: IssuanceRecord) async throws(IRMAServerError)

    /// The records of a type with an issuer's name for the credential.
    func records(
        of type: CredentialTypeIdentifier,
        revocationKey: String
    ) async throws(IRMAServerError) -> [IssuanceRecord]

    /// Deletes the records of credentials that have expired.
    ///
    /// - Parameter time: The time in nanoseconds since 1970.
    /// - Returns: The number of records.
    @discardableResult
    func deleteExpired(before time: Int64) async throws(IRMAServerError) -> Int
}

/// Records in the memory of one process, lost with it: for tests and demonstrations.
public actor InMemoryRevocationRecords: RevocationRecords {
    private struct Name: Hashable {
        let type: CredentialTypeIdentifier
        let keyCounter: UInt
    }

    private var accumulators: [Name: RevocationUpdate] = [:]
    private var issued: [IssuanceRecord] = []

    /// No records.
    public init() {}

    /// The counters of the keys of which there are accumulators for a type.
    public func keyCounters(of type: CredentialTypeIdentifier) -> [UInt] {
        accumulators.keys.filter { $0.type == type }.map(\.keyCounter).sorted()
    }

    /// The accumulator of a key with all of its events, or nil.
    public func accumulator(of type: CredentialTypeIdentifier, keyCounter: UInt) -> RevocationUpdate? {
        accumulators[Name(type: type, keyCounter: keyCounter)]
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
        let name = Name(type: type, keyCounter: keyCounter)
        guard accumulators[name]?.signedAccumulator == previous else {
            throw IRMAServerError(.conflict, "the accumulator was changed meanwhile", path: [type.text])
        }
        accumulators[name] = update
        for position in issued.indices where records.contains(issued[position]) { issued[position].revokedAt = time }
    }

    /// Adds the record of a credential.
    public func add(_ record: IssuanceRecord) { issued.append(record) }

    /// The records of a type with an issuer's name for the credential.
    public func records(of type: CredentialTypeIdentifier, revocationKey: String) -> [IssuanceRecord] {
        issued.filter { $0.credentialType == type && $0.revocationKey.hasSameBytes(as: revocationKey) }
    }

    /// Deletes the records of credentials that have expired.
    @discardableResult
    public func deleteExpired(before time: Int64) -> Int {
        let count = issued.count
        issued.removeAll { $0.validUntil < time }
        return count - issued.count
    }
}

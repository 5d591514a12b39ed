public import IRMAMessages
public import IdemixCore

/// The records of a revocation authority: the accumulators of its keys, and the credentials that were issued.
///
/// A change of an accumulator and of the records that it revokes is made at once or not at all, and only on top of the
/// accumulator that it was made from, also where several processes share the records. The events of an accumulator stay one
/// chain. Names compare as bytes. A store verifies no signature: it is given accumulators that were verified.
public protocol RevocationRecords: Sendable {
    /// The counters of the keys of which there are accumulators for a type.
    func keyCounters(of type: CredentialTypeIdentifier) async throws(IRMAServerError) -> [UInt]

    /// The accumulator of a key with its last events, or nil.
    ///
    /// - Parameters:
    ///   - type: The credential type.
    ///   - keyCounter: The counter of the key.
    ///   - count: The largest number of events; at most `RevocationEventList.maximumCount` are given.
    func accumulator(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        lastEvents count: Int
    ) async throws(IRMAServerError) -> RevocationUpdate?

    /// The events of a key with indices in a range, as far as there are any, or nil for none.
    ///
    /// - Parameters:
    ///   - type: The credential type.
    ///   - keyCounter: The counter of the key.
    ///   - range: The indices; of them, the first `RevocationEventList.maximumCount` are looked at.
    func events(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        in range: Range<UInt64>
    ) async throws(IRMAServerError) -> RevocationEventList?

    /// Puts an accumulator in the place of the one that it was made from.
    ///
    /// - Parameters:
    ///   - update: The accumulator, with the events that it adds to those of the one before.
    ///   - type: The credential type.
    ///   - keyCounter: The counter of the key.
    ///   - previous: The expected accumulator; nil for none.
    ///   - records: The records that the change revokes.
    ///   - time: The time of the change in nanoseconds since 1970.
    /// - Throws: ``IRMAServerError/Code/conflict`` for another accumulator, ``IRMAServerError/Code/revocationFailed``
    ///   for events that do not follow the stored ones, and for a first accumulator without events.
    func replace(
        with update: RevocationUpdate,
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        expecting previous: SignedAccumulator?,
        revoking records: [IssuanceRecord],
        at time: Int64
    ) async throws(IRMAServerError)

    /// Adds the record of a credential.
    ///
    /// - Throws: ``IRMAServerError/Code/conflict`` if there is one of the same type, revocation key and time of
    ///   issuance.
    func add(_ record: IssuanceRecord) async throws(IRMAServerError)

    /// The records of a type with an issuer's name for the credential, by the time of their issuance.
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

    /// Throws an error if the records cannot be read at present.
    func check() async throws(IRMAServerError)
}

extension RevocationRecords {
    /// The accumulator of a key with its events, as many as a list can have, or nil.
    public func accumulator(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt
    ) async throws(IRMAServerError) -> RevocationUpdate? {
        try await accumulator(of: type, keyCounter: keyCounter, lastEvents: RevocationEventList.maximumCount)
    }
}

import CBORKit
package import IRMAMessages
package import IdemixCore

/// The rows of stores of a revocation authority, with the names and encodings of the reference's tables.
///
/// `accumulator_records` has `data`, a CBOR byte string of the signed message; `event_records` has `e`, the bytes of the
/// prime, and `parent_hash`, a multihash; `issuance_records` has `attr`, the bytes of the prime, and `revoked_at`, 0 for a
/// credential that is not revoked. Indices and counters are 64-bit numbers with a sign.
package enum RevocationRows {
    /// The columns of an event.
    package struct Event {
        /// `eventindex`.
        package let index: Int64
        /// `e`.
        package let prime: [UInt8]
        /// `parent_hash`.
        package let parent: [UInt8]

        /// Columns as read.
        package init(index: Int64, prime: [UInt8], parent: [UInt8]) {
            self.index = index
            self.prime = prime
            self.parent = parent
        }

        /// The event.
        ///
        /// - Throws: ``IRMAServerError/Code/storeDamaged``.
        package func event() throws(IRMAServerError) -> RevocationEvent {
            guard let index = UInt64(exactly: index) else { throw RevocationRows.damaged("an index below 0") }
            do throws(IdemixError) {
                return RevocationEvent(
                    index: index,
                    prime: BigInteger(bytes: prime),
                    parent: try RevocationEventHash(bytes: parent)
                )
            } catch {
                throw RevocationRows.damaged("an event without its parent's hash", cause: error)
            }
        }
    }

    /// The columns of an issued credential.
    package struct Issuance {
        /// `revocationkey`.
        package var revocationKey: String
        /// `cred_type`.
        package var credentialType: String
        /// `issued`.
        package var issued: Int64
        /// `pk_counter`.
        package var keyCounter: Int64
        /// `attr`.
        package var attribute: [UInt8]
        /// `valid_until`.
        package var validUntil: Int64
        /// `revoked_at`.
        package var revokedAt: Int64

        /// Columns as read.
        package init(
            revocationKey: String,
            credentialType: String,
            issued: Int64,
            keyCounter: Int64,
            attribute: [UInt8],
            validUntil: Int64,
            revokedAt: Int64
        ) {
            self.revocationKey = revocationKey
            self.credentialType = credentialType
            self.issued = issued
            self.keyCounter = keyCounter
            self.attribute = attribute
            self.validUntil = validUntil
            self.revokedAt = revokedAt
        }

        /// The columns of a record.
        ///
        /// - Throws: ``IRMAServerError/Code/revocationFailed`` for names and numbers that no column takes.
        package init(_ record: IssuanceRecord) throws(IRMAServerError) {
            guard RevocationRows.isName(record.revocationKey), RevocationRows.isName(record.credentialType.text) else {
                throw IRMAServerError(.revocationFailed, "a name with the character U+0000")
            }
            guard !record.attribute.isNegative else {
                throw IRMAServerError(.revocationFailed, "the number of a credential is negative")
            }
            self.init(
                revocationKey: record.revocationKey,
                credentialType: record.credentialType.text,
                issued: record.issued,
                keyCounter: try RevocationRows.number(record.keyCounter),
                attribute: record.attribute.bytes,
                validUntil: record.validUntil,
                revokedAt: record.revokedAt ?? 0
            )
        }

        /// The record.
        ///
        /// - Throws: ``IRMAServerError/Code/storeDamaged``.
        package func record() throws(IRMAServerError) -> IssuanceRecord {
            guard let counter = UInt(exactly: keyCounter) else { throw RevocationRows.damaged("a key counter below 0") }
            return IssuanceRecord(
                revocationKey: revocationKey,
                credentialType: CredentialTypeIdentifier(credentialType),
                issued: issued,
                keyCounter: counter,
                attribute: BigInteger(bytes: attribute),
                validUntil: validUntil,
                revokedAt: revokedAt == 0 ? nil : revokedAt
            )
        }
    }
}

extension RevocationRows {
    /// An accumulator as the column `data`.
    package static func data(of accumulator: SignedAccumulator) -> [UInt8] {
        var writer = CBORWriter()
        writer.write(bytes: accumulator.data)
        return writer.finish()
    }

    /// The accumulator of the column `data`.
    ///
    /// - Throws: ``IRMAServerError/Code/storeDamaged``.
    package static func accumulator(data: [UInt8], keyCounter: UInt) throws(IRMAServerError) -> SignedAccumulator {
        do {
            return SignedAccumulator(data: Array(try CBORDocument(data).root.bytes()), keyCounter: keyCounter)
        } catch {
            throw damaged("an accumulator that is no byte string", cause: error)
        }
    }

    /// A list of stored events, or nil for none.
    ///
    /// - Throws: ``IRMAServerError/Code/storeDamaged`` for events that do not follow each other.
    package static func list(_ events: some Collection<RevocationEvent>) throws(IRMAServerError) -> RevocationEventList?
    {
        guard !events.isEmpty else { return nil }
        do throws(IdemixError) {
            return try RevocationEventList(events)
        } catch {
            throw damaged("events that do not follow each other", cause: error)
        }
    }

    /// The events that an update adds, after it was found to follow the last stored one.
    ///
    /// - Throws: ``IRMAServerError/Code/revocationFailed``.
    package static func events(
        of update: RevocationUpdate,
        keyCounter: UInt,
        after last: RevocationEvent?
    ) throws(IRMAServerError) -> [RevocationEvent] {
        let added: [RevocationEvent]
        do throws(IdemixError) {
            added = try update.events?.events() ?? []
        } catch {
            throw IRMAServerError(.revocationFailed, "events that are none", cause: error)
        }
        guard update.signedAccumulator.keyCounter == keyCounter else {
            throw IRMAServerError(.revocationFailed, "an accumulator of another key")
        }
        for event in added { _ = try number(event.index) }
        guard let last else {
            guard !added.isEmpty else {
                throw IRMAServerError(.revocationFailed, "a first accumulator without its last event")
            }
            return added
        }
        if let first = added.first {
            guard first.index > 0, first.index - 1 == last.index, first.parent == last.hash else {
                throw IRMAServerError(.revocationFailed, "events that do not follow event \(last.index)")
            }
        }
        return added
    }

    /// The number of events that are read at most.
    package static func limit(_ count: Int) -> Int { min(max(count, 0), RevocationEventList.maximumCount) }

    /// The indices of events that are looked at.
    package static func limit(_ range: Range<UInt64>) -> Range<UInt64> {
        let (end, isTooLarge) = range.lowerBound.addingReportingOverflow(UInt64(RevocationEventList.maximumCount))
        return range.lowerBound..<(isTooLarge ? range.upperBound : min(range.upperBound, end))
    }

    /// Indicates a text that databases take: without U+0000, at which some of them would end it.
    package static func isName(_ text: String) -> Bool { !text.utf8.contains(0) }

    /// A number as a column takes it.
    ///
    /// - Throws: ``IRMAServerError/Code/revocationFailed`` for one above 2^63 - 1.
    package static func number(_ number: some FixedWidthInteger) throws(IRMAServerError) -> Int64 {
        guard let number = Int64(exactly: number) else {
            throw IRMAServerError(.revocationFailed, "a number that is too large for a store")
        }
        return number
    }

    /// The error where another process was first.
    package static func conflict(_ type: CredentialTypeIdentifier) -> IRMAServerError {
        IRMAServerError(
            .conflict,
            "the records were changed meanwhile, or have one of the same name",
            path: [type.text]
        )
    }

    private static func damaged(_ message: String, cause: (any Error)? = nil) -> IRMAServerError {
        IRMAServerError(.storeDamaged, message, cause: cause)
    }
}

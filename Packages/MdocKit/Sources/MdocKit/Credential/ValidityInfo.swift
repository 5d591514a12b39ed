package import CBORKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// When a credential was signed and when it may be used (ISO/IEC 18013-5, 12.3.5).
public struct ValidityInfo: Hashable, Sendable {
    /// When the issuer signed.
    public let signed: Date
    /// The first moment at which the credential is valid.
    public let validFrom: Date
    /// The last moment at which the credential is valid.
    public let validUntil: Date
    /// When the issuer expects to sign again.
    public let expectedUpdate: Date?

    /// Sets the times; on writing, fractions of a second are cut off.
    ///
    /// For the holders' privacy, issuers set round times, the same for many credentials.
    public init(signed: Date, validFrom: Date, validUntil: Date, expectedUpdate: Date? = nil) {
        self.signed = signed
        self.validFrom = validFrom
        self.validUntil = validUntil
        self.expectedUpdate = expectedUpdate
    }

    /// Returns `true` at a time from `validFrom` to `validUntil`, both included.
    public func contains(_ time: Date) -> Bool {
        validFrom <= time && time <= validUntil
    }
}

extension ValidityInfo: MdocReadable {
    private static let names = CBORMemberNames("signed", "validFrom", "validUntil", optional: "expectedUpdate")

    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let members = try cbor(view.members(Self.names))
        signed = try reading.date(members.required(0))
        validFrom = try reading.date(members.required(1))
        validUntil = try reading.date(members.required(2))
        // A `tdate` has whole seconds; fractions are a separate deviation.
        if signed.timeIntervalSince1970.rounded(.down) > validFrom.timeIntervalSince1970 {
            try reading.tolerate(.signedAfterValidFrom, at: view)
        }
        expectedUpdate = try reading.present(members[3]).map { (view) throws(MdocError) in try reading.date(view) }
    }

    /// The encoded structure.
    ///
    /// - Throws: ``MdocError`` with code `invalidValue` if a time is outside of the years 0 to 9999.
    func encoded() throws(MdocError) -> [UInt8] {
        var members = [("signed", signed), ("validFrom", validFrom), ("validUntil", validUntil)]
        if let expectedUpdate { members.append(("expectedUpdate", expectedUpdate)) }
        var texts: [(name: String, text: String)] = []
        for (name, date) in members { texts.append((name, try date.tdateText())) }
        return CBORWriter.bytes { writer in
            writer.beginMap(count: texts.count)
            for (name, text) in texts {
                writer.write(text: name)
                writer.write(tag: 0)
                writer.write(text: text)
            }
        }
    }
}

extension ValidityInfo {
    /// The times rounded down to multiples of a number of seconds since 1970 in UTC, by default a day.
    ///
    /// Exact times of signing would let colluding readers recognize a holder; many credentials share a round time
    /// (ISO/IEC 18013-5, 12.3.5).
    public func rounded(toMultiplesOf seconds: Int = 86_400) -> ValidityInfo {
        ValidityInfo(
            signed: signed.rounded(seconds),
            validFrom: validFrom.rounded(seconds),
            validUntil: validUntil.rounded(seconds),
            expectedUpdate: expectedUpdate?.rounded(seconds)
        )
    }
}

extension Date {
    fileprivate func rounded(_ seconds: Int) -> Date {
        let unit = Double(max(1, seconds))
        return Date(timeIntervalSince1970: (timeIntervalSince1970 / unit).rounded(.down) * unit)
    }
}

import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The attribute at index 1 of every credential: its type, its signer with the key's number, and its validity.
///
/// 24 bytes: version (1), signing date in weeks since 1970 (3, the first of them zero), validity in weeks (2), key counter
/// (2), the first 16 bytes of the SHA-256 of the credential type's identifier.
public struct MetadataAttribute: Hashable, Sendable {
    /// The encoding of the other attributes.
    public let encoding: AttributeEncoding
    /// Weeks since 1 January 1970; a week begins on Thursday, 0:00 UTC.
    public let signingWeek: UInt16
    /// For how many weeks the credential is valid.
    public let validityWeeks: UInt16
    /// The counter of the issuer's key that signed.
    public let keyCounter: UInt16
    /// The first 16 bytes of the SHA-256 of the credential type's identifier.
    public let credentialTypeHash: [UInt8]

    private static let secondsPerWeek = 604_800.0

    /// Describes a credential that is signed at a time and expires at a later one, both rounded down to weeks.
    ///
    /// - Throws: ``IdemixError/Code/outOfRange`` for dates that two bytes of weeks cannot hold, an expiry before the
    ///   signing date, or a counter above 65535.
    public init(
        credentialType: String,
        keyCounter: UInt,
        signedAt signingDate: Date,
        expiresAt expiryDate: Date,
        encoding: AttributeEncoding = .version3
    ) throws(IdemixError) {
        let week = (signingDate.timeIntervalSince1970 / Self.secondsPerWeek).rounded(.down)
        let start = Date(timeIntervalSince1970: week * Self.secondsPerWeek)
        let validity = (expiryDate.timeIntervalSince(start) / Self.secondsPerWeek).rounded(.down)
        guard let signingWeek = UInt16(exactly: week), let validity = UInt16(exactly: validity) else {
            throw IdemixError(
                .outOfRange,
                "signed at \(VerificationTime.text(signingDate)) and expiring at \(VerificationTime.text(expiryDate)): not both in 65535 weeks from 1970",
                path: ["metadata"]
            )
        }
        guard let counter = UInt16(exactly: keyCounter) else {
            throw IdemixError(.outOfRange, "the key counter is above 65535", path: ["metadata"])
        }
        self.encoding = encoding
        self.signingWeek = signingWeek
        validityWeeks = validity
        self.keyCounter = counter
        credentialTypeHash = IdemixCredentialType.hash(of: credentialType)
    }

    /// Reads the attribute.
    ///
    /// - Throws: ``IdemixError/Code/invalidAttribute`` if the integer is longer than 24 bytes or of another version.
    public init(integer: BigInteger) throws(IdemixError) {
        let isShort = !integer.isNegative && integer.bitCount <= 24 * 8
        let bytes = isShort ? integer.bytes(paddedTo: 24) : [0]
        guard isShort, let encoding = AttributeEncoding(rawValue: Int(bytes[0])) else {
            throw IdemixError(.invalidAttribute, "no metadata of version 2 or 3", path: ["metadata"])
        }
        func number(at index: Int) -> UInt16 { UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]) }
        self.encoding = encoding
        signingWeek = number(at: 2)
        validityWeeks = number(at: 4)
        keyCounter = number(at: 6)
        credentialTypeHash = Array(bytes[8...])
    }

    /// The integer that is signed.
    public var integer: BigInteger {
        func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xff)] }
        let head = [UInt8(encoding.rawValue), 0] + bytes(signingWeek) + bytes(validityWeeks) + bytes(keyCounter)
        return BigInteger(bytes: head + credentialTypeHash)
    }

    /// When the credential was signed, to the week.
    public var signingDate: Date { Date(timeIntervalSince1970: Double(signingWeek) * Self.secondsPerWeek) }

    /// When the credential expires.
    public var expiryDate: Date {
        Date(timeIntervalSince1970: (Double(signingWeek) + Double(validityWeeks)) * Self.secondsPerWeek)
    }

    /// Returns `true` if this is the metadata of a credential of the type with this identifier.
    public func describes(credentialType: String) -> Bool {
        credentialTypeHash == IdemixCredentialType.hash(of: credentialType)
    }

    /// The metadata of the same credential, signed in the week before and in the week after, with the same expiry.
    ///
    /// Issuer and holder both compute the metadata, each by its own clock; where a week ends in between, the issuer's is
    /// one of these.
    public var neighboringWeeks: [MetadataAttribute] {
        [-1, 1].compactMap { shift in
            guard let signingWeek = UInt16(exactly: Int(signingWeek) + shift),
                let validityWeeks = UInt16(exactly: Int(validityWeeks) - shift)
            else { return nil }
            return MetadataAttribute(self, signingWeek: signingWeek, validityWeeks: validityWeeks)
        }
    }

    private init(_ other: MetadataAttribute, signingWeek: UInt16, validityWeeks: UInt16) {
        encoding = other.encoding
        self.signingWeek = signingWeek
        self.validityWeeks = validityWeeks
        keyCounter = other.keyCounter
        credentialTypeHash = other.credentialTypeHash
    }
}

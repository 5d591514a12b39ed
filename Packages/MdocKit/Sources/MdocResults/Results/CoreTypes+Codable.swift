import CBORKit
public import MdocKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ValidityInfo: Codable {
    private enum CodingKeys: String, CodingKey {
        case signed, validFrom, validUntil, expectedUpdate
    }

    /// Reads times such as `2024-01-15T10:00:00Z` (RFC 3339); fractions of a second are cut off.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            signed: try Self.date(.signed, in: container),
            validFrom: try Self.date(.validFrom, in: container),
            validUntil: try Self.date(.validUntil, in: container),
            expectedUpdate: container.contains(.expectedUpdate) ? try Self.date(.expectedUpdate, in: container) : nil
        )
    }

    private static func date(_ key: CodingKeys, in container: KeyedDecodingContainer<CodingKeys>) throws -> Date {
        guard let time = CBORDateTime(try container.decode(String.self, forKey: key)) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: container,
                debugDescription: "not a date and time of RFC 3339"
            )
        }
        return Date(timeIntervalSince1970: Double(time.secondsSinceEpoch))
    }

    /// Writes times such as `2024-01-15T10:00:00Z`; fractions of a second are cut off.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(signed.tdateText(), forKey: .signed)
        try container.encode(validFrom.tdateText(), forKey: .validFrom)
        try container.encode(validUntil.tdateText(), forKey: .validUntil)
        try container.encodeIfPresent(expectedUpdate?.tdateText(), forKey: .expectedUpdate)
    }

    /// The same without fractions of a second, as results carry it.
    var inWholeSeconds: ValidityInfo {
        func cut(_ date: Date) -> Date { Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)) }
        return ValidityInfo(
            signed: cut(signed),
            validFrom: cut(validFrom),
            validUntil: cut(validUntil),
            expectedUpdate: expectedUpdate.map(cut)
        )
    }
}

extension ExactName where Self: Codable {
    /// Reads the name from a string.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the name as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension DocType: Codable {}
extension NameSpace: Codable {}
extension DataElementIdentifier: Codable {}

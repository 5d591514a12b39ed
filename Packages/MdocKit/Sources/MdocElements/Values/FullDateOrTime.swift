public import CBORKit
public import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A day or a moment, for elements that may be `full-date` or `tdate`, such as `expiry_date`.
public enum FullDateOrTime: Hashable, Sendable, CustomStringConvertible {
    /// A `full-date`.
    case fullDate(FullDate)
    /// A `tdate`.
    case dateTime(Date)

    /// The moment, or the beginning of the day in UTC.
    public var start: Date {
        switch self {
        case .fullDate(let day): Date(timeIntervalSince1970: Double(day.date.daysSinceEpoch) * 86_400)
        case .dateTime(let date): date
        }
    }

    /// The text, as it travels.
    public var description: String {
        switch self {
        case .fullDate(let day): day.description
        case .dateTime(let date): (try? date.tdateText()) ?? "\(date.timeIntervalSince1970)"
        }
    }
}

extension FullDateOrTime: DataElementConvertible {
    /// Reads a `full-date` or a `tdate`.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        if view.tag == CBORTag.dateTime {
            self = .dateTime(try Date(dataElement: view, reading: &reading))
        } else {
            self = .fullDate(try FullDate(dataElement: view, reading: &reading))
        }
    }

    /// A `full-date` or a `tdate`.
    public func dataElement() throws(MdocError) -> CBOR {
        switch self {
        case .fullDate(let day): day.dataElement()
        case .dateTime(let date): try date.dataElement()
        }
    }
}

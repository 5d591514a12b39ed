public import CBORKit
public import MdocKit

/// A day in the years 0 to 9999, as a `full-date` has it: tag 1004 with a text such as `1990-05-15`.
public struct FullDate: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The day.
    public let date: CBORDate

    /// Wraps a day; nil outside of the years 0 to 9999.
    public init?(_ date: CBORDate) {
        guard (0...9999).contains(date.components.year) else { return nil }
        self.date = date
    }

    /// A day by its numbers; nil if there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard let date = CBORDate(year: year, month: month, day: day) else { return nil }
        self.init(date)
    }

    /// Reads `YYYY-MM-DD`; nil for anything else.
    public init?(_ text: some StringProtocol) {
        guard let date = CBORDate(text) else { return nil }
        self.init(date)
    }

    /// `YYYY-MM-DD`.
    public var description: String { date.description }

    /// Orders by time.
    public static func < (left: FullDate, right: FullDate) -> Bool { left.date < right.date }
}

extension FullDate: DataElementConvertible {
    /// Reads a `full-date`; the day of a `tdate` where that is tolerated.
    public init(dataElement view: CBORView, reading: inout DataElementReading) throws(MdocError) {
        guard let date = FullDate(try reading.base.fullDate(view)) else {
            throw MdocError(.invalidValue, "the day is outside of the years 0 to 9999", at: view)
        }
        self = date
    }

    /// A `full-date`.
    public func dataElement() -> CBOR { .tagged(CBORTag.fullDate, .text(description)) }
}

package import CBORKit

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
import Foundation
#endif

extension Reading {
    /// A `tdate`: tag 0 with a text such as `2020-10-01T13:30:02Z`; other forms of RFC 3339 where they are tolerated.
    package mutating func date(_ view: CBORView) throws(MdocError) -> Date {
        let content = try content(of: view, tag: 0)
        guard let time = CBORDateTime(utf8: try cbor(content.utf8())) else {
            throw MdocError(.invalidValue, "not a date and time of RFC 3339", at: content)
        }
        if time.fractionDigits > 0 { try tolerate(.fractionalSeconds, at: content) }
        if time.offset != .utc { try tolerate(.timeZoneOffset, at: content) }
        return Date(timeIntervalSince1970: Double(time.secondsSinceEpoch) + Double(time.nanosecond) / 1e9)
    }

    /// A `full-date`: tag 1004 with a text such as `2020-10-01`; a `tdate` where that is tolerated.
    package mutating func fullDate(_ view: CBORView) throws(MdocError) -> CBORDate {
        if view.tag == 0 {
            try tolerate(.tdateForFullDate, at: view)
            let content = try cbor(view.content(ofTag: 0))
            guard let time = CBORDateTime(utf8: try cbor(content.utf8())) else {
                throw MdocError(.invalidValue, "not a date and time of RFC 3339", at: content)
            }
            return time.date
        }
        let content = try content(of: view, tag: 1004)
        guard let date = CBORDate(try cbor(content.text())) else {
            throw MdocError(.invalidValue, "not a date of RFC 3339", at: content)
        }
        return date
    }

    /// The content of a tag, or of an untagged text if tolerated.
    private mutating func content(of view: CBORView, tag: UInt64) throws(MdocError) -> CBORView {
        guard view.tag == nil, view.kind == .textString else { return try cbor(view.content(ofTag: tag)) }
        try tolerate(.untaggedDate, at: view)
        return view
    }
}

extension Date {
    /// The text of a `tdate`; fractions of a second are cut off.
    ///
    /// - Throws: ``MdocError`` with code `invalidValue` outside of the years 0 to 9999.
    package func tdateText() throws(MdocError) -> String {
        guard let seconds = Int64(exactly: timeIntervalSince1970.rounded(.down)),
            let time = CBORDateTime(secondsSinceEpoch: seconds)
        else { throw MdocError(.invalidValue, "the time is outside of the years 0 to 9999") }
        return time.description
    }
}

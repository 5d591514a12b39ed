#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The validity of a credential whose request names none.
package enum DefaultValidity {
    private static let months = 6
    private static let week: TimeInterval = 7 * 86_400

    /// Six calendar months later; a day that the month lacks runs on into the next one.
    package static func end(from start: Date) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: start)
        parts.month = (parts.month ?? 1) + months
        return calendar.date(from: parts) ?? start + 26 * week
    }

    /// The end as issuer and wallet compute it from a request without validity: from the beginning of the week of the signature.
    package static func end(signedAt time: Date) -> Date {
        end(from: Date(timeIntervalSince1970: (time.timeIntervalSince1970 / week).rounded(.down) * week))
    }
}

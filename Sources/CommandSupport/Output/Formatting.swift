import CBORKit
package import Foundation

extension Collection<UInt8> {
    /// The bytes in lower-case hexadecimal.
    package var hexText: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// The bytes in hexadecimal where they are few, else how many there are.
    package var shortText: String {
        count <= 32 ? "h'\(hexText)'" : "\(count) bytes"
    }

    /// The bytes in base64url without padding (RFC 4648, 5).
    package var base64URLText: String {
        Data(self).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}

extension Date {
    /// The time in RFC 3339, in UTC, to the second, by the calendar of ISO 8601 in every year.
    ///
    /// A time outside of the years 0 to 9999, which RFC 3339 cannot represent, appears in seconds since 1970.
    package var utcText: String {
        let seconds = timeIntervalSince1970.rounded(.down)
        let time = Int64(exactly: seconds).flatMap { CBORDateTime(secondsSinceEpoch: $0) }
        return time?.description ?? "\(seconds) seconds since 1970"
    }
}

import ArgumentParser
import CBORKit
package import Foundation

/// A time on the command line: a date and time in RFC 3339, or a day alone, for its first moment in UTC.
package struct TimeArgument: ExpressibleByArgument, Sendable {
    package let date: Date

    package init?(argument: String) {
        guard let time = CBORDateTime(argument) ?? CBORDateTime(argument + "T00:00:00Z") else { return nil }
        date = Date(timeIntervalSince1970: Double(time.secondsSinceEpoch) + Double(time.nanosecond) / 1e9)
    }
}

/// Bytes on the command line, in hexadecimal.
package struct HexBytes: ExpressibleByArgument, Sendable {
    package let bytes: [UInt8]

    package init?(argument: String) {
        guard let bytes = DecodedInput.bytes(hexadecimal: argument) else { return nil }
        self.bytes = bytes
    }
}

import ArgumentParser
import CBORKit
import Foundation

/// A time on the command line, in RFC 3339.
struct Timestamp: ExpressibleByArgument, Sendable {
    let date: Date

    init?(argument: String) {
        guard let time = CBORDateTime(argument) else { return nil }
        date = Date(timeIntervalSince1970: Double(time.secondsSinceEpoch))
    }
}

/// Bytes on the command line, in hexadecimal.
struct HexBytes: ExpressibleByArgument, Sendable {
    let bytes: [UInt8]

    init?(argument: String) {
        guard let bytes = DecodedInput.bytes(hexadecimal: argument) else { return nil }
        self.bytes = bytes
    }
}

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension XMLElement {
    /// The key's counter.
    func counter() throws(IdemixError) -> UInt {
        guard let counter = try number("Counter").int, let counter = UInt(exactly: counter) else {
            throw IdemixError(.malformedXML, "the counter is too large", path: ["Counter"])
        }
        return counter
    }

    /// The key's expiry date, in seconds since 1970.
    func expiryDate() throws(IdemixError) -> Date {
        // Dates are kept as floating-point numbers, exact up to 2^53 seconds.
        guard let seconds = try number("ExpiryDate").int, seconds < 1 << 53 else {
            throw IdemixError(.malformedXML, "the date is too far away", path: ["ExpiryDate"])
        }
        return Date(timeIntervalSince1970: Double(seconds))
    }
}

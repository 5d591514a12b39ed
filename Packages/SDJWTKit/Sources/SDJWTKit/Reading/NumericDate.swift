import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Times in JWTs: seconds since 1970, perhaps with a fraction (RFC 7519, section 2).
enum NumericDate {
    /// The latest time that is written: the last second of the year 9999.
    private static let latest = 253_402_300_799.0

    /// The whole seconds of a time.
    static func seconds(_ date: Date) throws(SDJWTError) -> Int64 {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard (0...latest).contains(seconds), let whole = Int64(exactly: seconds) else {
            throw SDJWTError(.invalidValue, "the time does not lie between the years 1970 and 9999")
        }
        return whole
    }

    /// The time of a claim, or nil if the claim is absent.
    static func date(_ name: String, in claims: JSONObject) throws(SDJWTError) -> Date? {
        guard let value = claims[name] else { return nil }
        guard let number = value.numberValue, let seconds = try? number.nearestDouble() else {
            throw SDJWTError(.invalidClaim, "the claim is no number", path: [name])
        }
        return Date(timeIntervalSince1970: seconds)
    }
}

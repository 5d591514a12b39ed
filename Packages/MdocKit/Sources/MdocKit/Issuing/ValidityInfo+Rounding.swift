#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ValidityInfo {
    /// The times rounded down to multiples of a number of seconds since 1970 in UTC, by default a day.
    ///
    /// Exact times of signing would let colluding readers recognize a holder; many credentials share a round time
    /// (ISO/IEC 18013-5, 12.3.5).
    public func rounded(toMultiplesOf seconds: Int = 86_400) -> ValidityInfo {
        ValidityInfo(
            signed: signed.rounded(seconds),
            validFrom: validFrom.rounded(seconds),
            validUntil: validUntil.rounded(seconds),
            expectedUpdate: expectedUpdate?.rounded(seconds)
        )
    }
}

extension Date {
    fileprivate func rounded(_ seconds: Int) -> Date {
        let unit = Double(max(1, seconds))
        return Date(timeIntervalSince1970: (timeIntervalSince1970 / unit).rounded(.down) * unit)
    }
}

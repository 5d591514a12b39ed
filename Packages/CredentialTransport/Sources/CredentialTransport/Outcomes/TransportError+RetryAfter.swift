import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportError {
    /// The time to wait before another request, as the answer asks for it, at most a day; nil for none.
    ///
    /// This is `Retry-After` (RFC 9110, section 10.2.3). A date counts from the `Date` of the same answer, so that the clocks
    /// need not agree.
    public var retryAfter: Duration? {
        guard let fields = answer?.headerFields, let value = fields[.retryAfter], !value.isEmpty else { return nil }
        let seconds: Int
        if value.utf8.allSatisfy(ASCII.isDigit) {
            seconds = Int(value) ?? .max
        } else {
            guard let end = CookieDate.date(value), let start = fields[.date].flatMap(CookieDate.date) else {
                return nil
            }
            // Years of four digits at most.
            seconds = Int(end.timeIntervalSince(start))
        }
        return .seconds(max(0, min(seconds, 86_400)))
    }
}

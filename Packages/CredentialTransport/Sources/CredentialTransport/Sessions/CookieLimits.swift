/// Limits for the cookies of an ``HTTPSession``.
///
/// The defaults for the number and size of cookies are those that RFC 6265, section 6.1, asks of clients for each host.
public struct CookieLimits: Hashable, Sendable {
    /// The largest number of cookies that are kept: 50 by default.
    ///
    /// The one not used for longest is dropped first.
    public var maximumCount: Int
    /// The largest number of bytes in a `Set-Cookie` field: 4096 by default; a longer one is ignored.
    public var maximumCookieSize: Int
    /// The largest number of bytes in the names and values of all cookies: 16 KiB by default.
    public var maximumSize: Int
    /// The largest number of `Set-Cookie` fields that are read in an answer: 50 by default; the rest is ignored.
    public var maximumFields: Int

    /// Limits for general use, each property at its default.
    public static let `default` = CookieLimits()

    /// Sets the limits; omitted ones have their defaults.
    public init(
        maximumCount: Int = 50,
        maximumCookieSize: Int = 4096,
        maximumSize: Int = 16 * 1024,
        maximumFields: Int = 50
    ) {
        self.maximumCount = maximumCount
        self.maximumCookieSize = maximumCookieSize
        self.maximumSize = maximumSize
        self.maximumFields = maximumFields
    }
}

/// The JSON form of Foundation's `Date`.
public struct JSONDateCoding: Hashable, Sendable {
    private enum Form {
        case seconds, own
    }

    private let form: Form

    /// A number of seconds since 1970-01-01T00:00:00Z, leap seconds not counted, maybe with a fraction: `NumericDate`
    /// of RFC 7519, section 2.
    public static let secondsSince1970 = JSONDateCoding(form: .seconds)
    /// `Date`'s own coding: seconds since 2001-01-01T00:00:00Z.
    public static let deferredToDate = JSONDateCoding(form: .own)
}

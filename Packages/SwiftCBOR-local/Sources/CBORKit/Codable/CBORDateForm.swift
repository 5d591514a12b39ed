/// The form in which ``CBOREncoder`` and ``CBORDecoder`` write and read Foundation's `Date`.
///
/// This module does not use Foundation. It recognises `Date` by its name, and relies on its documented coding: the
/// seconds since 2001-01-01T00:00Z as a `Double`.
public enum CBORDateForm: Hashable, Sendable {
    /// Text under tag 0, such as `0("2013-03-21T20:04:00Z")`, to the microsecond (RFC 8949 section 3.4.1).
    case dateTime
    /// Seconds since 1970 under tag 1, as an integer where there is no fraction (RFC 8949 section 3.4.2).
    case epochTime
    /// The day in UTC as text under tag 1004 (RFC 8943); the time of day is dropped.
    case fullDate
    /// The day in UTC as a number under tag 100 (RFC 8943); the time of day is dropped.
    case epochDate
    /// Seconds since 1970 as a bare number, such as the NumericDate of RFC 8392.
    case seconds
}

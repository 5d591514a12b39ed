/// The reason that a document or data element was not returned (ISO/IEC 18013-5, 10.3.2); an open set.
///
/// Positive codes are reserved, negative ones belong to applications.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code.
    public let rawValue: Int64

    /// Wraps a code.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// The wallet does not return it and gives no reason.
    public static let dataNotReturned = ErrorCode(rawValue: 0)

    /// The code in decimal.
    public var description: String { "\(rawValue)" }
}

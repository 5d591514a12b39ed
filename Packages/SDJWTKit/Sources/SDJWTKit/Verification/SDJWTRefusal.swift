/// The reason that an SD-JWT is refused: its first failed check.
public struct SDJWTRefusal: Error, Sendable, CustomStringConvertible {
    /// The check that failed.
    public let check: SDJWTCheck
    /// The error that the check found.
    public let error: SDJWTError

    /// Check and error, on one line.
    public var description: String { "\(check): \(error)" }
}

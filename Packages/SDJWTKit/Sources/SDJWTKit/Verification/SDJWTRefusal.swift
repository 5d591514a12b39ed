/// Why an SD-JWT is refused: the first of its checks that failed.
public struct SDJWTRefusal: Error, Sendable, CustomStringConvertible {
    /// The check that failed.
    public let check: SDJWTCheck
    /// What was found.
    public let error: SDJWTError

    /// Check and error, on one line.
    public var description: String { "\(check): \(error)" }
}

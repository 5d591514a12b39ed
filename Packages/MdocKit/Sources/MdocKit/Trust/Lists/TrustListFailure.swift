import CryptoCore

/// The reason that a trust list is refused: its first failed check.
public struct TrustListFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The check that failed.
    public let check: TrustListCheck
    /// The finding, for a developer.
    public let message: String

    init(check: TrustListCheck, message: String) {
        self.check = check
        self.message = message.escapedForDisplay()
    }

    /// Check and message, on one line.
    public var description: String { "\(check): \(message)" }
}

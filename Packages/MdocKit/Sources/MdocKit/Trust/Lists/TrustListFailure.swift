import CryptoCore

/// Why a trust list is refused: the first of its checks that failed.
public struct TrustListFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The check that failed.
    public let check: TrustListCheck
    /// What was found, for a developer.
    public let message: String

    init(check: TrustListCheck, message: String) {
        self.check = check
        self.message = message.escapedForDisplay()
    }

    /// Check and message, on one line.
    public var description: String { "\(check): \(message)" }
}

import CryptoCore

/// Why an input could not be processed at all; it goes to standard error, and the command exits with 2.
struct ToolError: Error, CustomStringConvertible, Sendable {
    let description: String

    /// Takes a sentence; what does not show in it is escaped.
    init(_ description: String) {
        self.description = description.escapedForDisplay()
    }
}

import CryptoCore

/// The reason that an input cannot be processed at all; it goes to standard error, and the command exits with 2.
struct ToolError: Error, CustomStringConvertible, Sendable {
    let description: String

    /// Makes an error of a sentence, with invisible characters escaped.
    init(_ description: String) {
        self.description = description.escapedForDisplay()
    }
}

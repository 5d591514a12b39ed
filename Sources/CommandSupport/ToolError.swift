import CryptoCore

/// The reason that an input cannot be processed at all; it goes to standard error, and the command exits with 2.
package struct ToolError: Error, CustomStringConvertible, Sendable {
    package let description: String

    /// Makes an error of a sentence, with invisible characters escaped.
    package init(_ description: String) {
        self.description = description.escapedForDisplay()
    }
}

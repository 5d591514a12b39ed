extension String {
    /// Calls a closure with the string's UTF-8 bytes.
    func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        var copy = self
        return copy.withUTF8 { body(unsafe $0.span) }
    }
}

/// The room for the machines of patterns that are read together.
///
/// A few characters of a pattern, such as `a{4000}`, can stand for thousands of instructions: limits on single patterns do
/// not bound their sum.
final class PatternSpace {
    private let total: Int
    private var left: Int

    /// Starts with a number of instructions.
    init(_ instructions: Int) {
        total = instructions
        left = instructions
    }

    /// Reads a pattern, and takes off its size.
    ///
    /// - Throws: As for a pattern by itself; ``OID4VPError/Code/limitExceeded`` if there is not as much room left.
    func pattern(_ text: String, limits: PatternLimits) throws(OID4VPError) -> LinearPattern {
        let pattern = try LinearPattern(text, limits: limits)
        guard pattern.size <= left else {
            throw OID4VPError(.limitExceeded, "the regular expressions have more than \(total) instructions together")
        }
        left -= pattern.size
        return pattern
    }
}

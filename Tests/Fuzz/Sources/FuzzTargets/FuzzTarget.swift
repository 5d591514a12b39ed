/// A parser, and what must hold for whatever it accepts.
package struct FuzzTarget: Sendable {
    /// The name that `scripts/fuzz` takes, and the name of its folder below `corpus`.
    package let name: String

    /// Feeds one input: a typed error is an answer; a trap, a hang or a broken law is a finding.
    package let feed: @Sendable ([UInt8]) throws -> Void

    /// Stops the process, which libFuzzer counts as a finding, where a law does not hold.
    static func require(_ law: Bool, _ message: @autoclosure () -> String) {
        precondition(law, message())
    }
}

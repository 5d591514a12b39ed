/// A regular expression of ECMA-262 whose search takes time in proportion to the text, whatever the expression.
///
/// The verifier writes the expression, which may be malicious. It is compiled to a state machine
/// all of whose states advance together (K. Thompson, 1968), and nothing is tried twice. Back-references and
/// look-around, which such a machine cannot match, are refused by name. Texts are read by Unicode scalars, as with the
/// flag `u`; there are no other flags.
///
/// ```swift
/// let pattern = try LinearPattern("^https://example\\.(com|org)/")
/// pattern.matches("https://example.org/a")   // true
/// ```
public struct LinearPattern: Sendable {
    /// The expression as written.
    public let text: String

    private let program: [PatternProgram.Instruction]

    /// Reads an expression.
    ///
    /// - Parameters:
    ///   - text: The expression, without delimiters and flags.
    ///   - limits: The bounds on its length and on the size of its machine.
    /// - Throws: ``OID4VPError/Code/invalidPattern``, ``OID4VPError/Code/unsupportedPattern`` for a back-reference, a
    ///   look-around or a property of characters, ``OID4VPError/Code/limitExceeded``.
    public init(_ text: String, limits: PatternLimits = .default) throws(OID4VPError) {
        self.text = text
        var parser = try PatternParser(text, limits: limits)
        program = try parser.parse().instructions
    }

    /// The number of instructions of the machine.
    var size: Int { program.count }

    /// Returns `true` if some part of a text matches.
    public func matches(_ text: String) -> Bool { search(text).matches }

    /// Searches a text, and counts the instructions that were looked at: at most their number for each scalar, and once
    /// more for the end.
    func search(_ text: String) -> (matches: Bool, steps: Int) {
        var machine = PatternMachine(program)
        return machine.search(Array(text.unicodeScalars))
    }
}

/// Limits for regular expressions from untrusted input; each bound is the largest accepted.
public struct PatternLimits: Hashable, Sendable {
    /// The length of an expression in Unicode scalars.
    public var length: Int
    /// The number of instructions of the machine: counted repetition copies what it repeats.
    public var instructions: Int

    /// The default of each limit.
    public static let `default` = PatternLimits()

    /// Sets the limits; omitted ones have their defaults.
    public init(length: Int = 256, instructions: Int = 4096) {
        self.length = length
        self.instructions = instructions
    }
}

/// How diagnostic notation is written (RFC 8949 section 8, RFC 8610 appendix G).
public struct CBORDiagnosticOptions: Hashable, Sendable {
    /// Whether the members of arrays and maps stand on lines of their own, indented by two spaces a level.
    ///
    /// The indentation grows for the first 32 levels only, so that hostile nesting cannot inflate the text.
    public var isPretty = false
    /// Whether the content of tag 24 (one item) and tag 63 (a sequence) is written as `<<…>>` where it is well-formed.
    ///
    /// Content within content is expanded for 16 levels; what is deeper is written as `h'…'`.
    public var expandsEmbedded = false
    /// Whether lengths that are indefinite, and heads and numbers that are wider than needed, are marked: `[_ 1]`, `1_3`.
    ///
    /// With the marks the text can be turned back into the same bytes; without them it is that of the preferred form.
    public var showsEncodingIndicators = true

    /// One line, all byte strings in hexadecimal, with encoding indicators.
    public init() {}

    /// One line, all byte strings in hexadecimal, with encoding indicators.
    public static let compact = CBORDiagnosticOptions()

    /// Several lines, embedded items expanded, with encoding indicators.
    public static let readable: CBORDiagnosticOptions = {
        var options = CBORDiagnosticOptions()
        options.isPretty = true
        options.expandsEmbedded = true
        return options
    }()
}

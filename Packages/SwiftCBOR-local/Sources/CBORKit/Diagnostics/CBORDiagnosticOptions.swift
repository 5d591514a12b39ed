/// The options for writing diagnostic notation (RFC 8949 section 8, RFC 8610 appendix G).
public struct CBORDiagnosticOptions: Hashable, Sendable {
    /// Indicates whether each member of an array or map is on a separate line, indented by two spaces a level.
    ///
    /// The indentation grows for the first 32 levels only, so that hostile nesting cannot inflate the text.
    public var isPretty = false
    /// Indicates whether the well-formed content of tag 24 (one item) and tag 63 (a sequence) is written as `<<…>>`.
    ///
    /// Content within content is expanded for 16 levels; deeper content is written as `h'…'`.
    public var expandsEmbedded = false
    /// Indicates whether indefinite lengths, and heads and numbers wider than needed, are marked: `[_ 1]`, `1_3`.
    ///
    /// With the marks the text can be turned back into the same bytes; without them, into the preferred form.
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

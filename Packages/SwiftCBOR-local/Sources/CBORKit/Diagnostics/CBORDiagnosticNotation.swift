/// Turns diagnostic notation into encoded items (RFC 8949 section 8, RFC 8610 appendix G).
///
/// ```swift
/// let bytes = try CBORDiagnosticNotation.encode("{1: [_ h'01 02', 24(<<1.5_3>>)]}  # comment")
/// ```
///
/// Items are written in preferred form unless encoding indicators say otherwise: `_i` for an argument in the first byte,
/// `_0` to `_3` for one of 1, 2, 4 or 8 bytes, `_` for an indefinite length. An integer beyond 64 bits becomes a bignum,
/// and `float'…'` stands for a number by its bits, which a NaN with a payload needs. Strings of bytes are written in base 16,
/// 32 and 64 (`h'…'`, `b32'…'`, `h32'…'`, `b64'…'`), and a string may continue in others, with `+` or white space between
/// them: `"a" + h'62'`; the first decides whether it is a text. `dt'2013-03-21T20:04:00Z'` is a time in seconds since 1970,
/// `DT'…'` the same in tag 1. `ip'192.0.2.42'` is an IP address in bytes and `ip'2001:db8::/64'` a prefix as an array,
/// `IP'…'` the same in tag 52 or 54 (RFC 9164). Pairs are written as they stand, two
/// with one key among them, so that invalid items can be made for tests.
///
/// Errors have ``CBORError/Code/invalidNotation`` or ``CBORError/Code/limitExceeded``; their offset counts the UTF-8 bytes
/// of the text. The limits hold for the text's size, nesting (strings in chunks and embedded items count), items and
/// strings.
public enum CBORDiagnosticNotation {
    /// The most characters of one number; the digits of an integer cost the square of their count.
    public static let maximumNumberLength = 1024

    /// The bytes of the one item in a text.
    ///
    /// - Throws: ``CBORError``, if the text is not one item in diagnostic notation, or passes a limit.
    public static func encode(_ text: String, limits: CBORLimits = .default) throws(CBORError) -> [UInt8] {
        var parser = NotationParser(text, limits: limits)
        return try parser.parse(.item)
    }

    /// The bytes of the items in a text one after the other, a CBOR sequence (RFC 8742); commas separate them, and an
    /// empty text has none.
    ///
    /// - Throws: ``CBORError``, if the text is not a list of items in diagnostic notation, or passes a limit.
    public static func encodeSequence(_ text: String, limits: CBORLimits = .default) throws(CBORError) -> [UInt8] {
        var parser = NotationParser(text, limits: limits)
        return try parser.parse(.sequence)
    }

    /// The notation of the items of a sequence, separated by commas; ``encodeSequence(_:limits:)`` reads it.
    public static func text(
        ofSequence items: [CBORDocument],
        _ options: CBORDiagnosticOptions = .compact
    ) -> String {
        items.map { $0.root.diagnosticNotation(options) }.joined(separator: options.isPretty ? ",\n" : ", ")
    }
}

extension CBOR {
    /// Reads one item in diagnostic notation; see ``CBORDiagnosticNotation``.
    ///
    /// Encoding indicators are ignored; ``FormedCBOR/init(diagnosticNotation:limits:)`` keeps them.
    ///
    /// - Throws: ``CBORError`` for a text other than one item in diagnostic notation, or for one beyond a limit.
    public init(diagnosticNotation text: String, limits: CBORLimits = .default) throws(CBORError) {
        self = try CBORDocument(diagnosticNotation: text, limits: limits).root.value()
    }
}

extension FormedCBOR {
    /// Reads one item in diagnostic notation, with the forms of its encoding indicators; see
    /// ``CBORDiagnosticNotation``.
    ///
    /// - Throws: ``CBORError`` for a text other than one item in diagnostic notation, or for one beyond a limit.
    public init(diagnosticNotation text: String, limits: CBORLimits = .default) throws(CBORError) {
        self.init(try CBORDocument(diagnosticNotation: text, limits: limits).root)
    }
}

extension CBORDocument {
    fileprivate init(diagnosticNotation text: String, limits: CBORLimits) throws(CBORError) {
        var options = CBORReadingOptions.default
        // The text has been held to its limits; its bytes are not counted again in other units.
        options.limits = .largest
        options.duplicateKeys = .allow
        try self.init(CBORDiagnosticNotation.encode(text, limits: limits), options: options)
    }
}

/// The options for writing diagnostic notation (RFC 8949 section 8, RFC 8610 appendix G).
public struct CBORDiagnosticOptions: Hashable, Sendable {
    /// Indicates that each member of an array or map is on a separate line, indented by two spaces a level.
    ///
    /// The indentation grows for the first 32 levels only, so that hostile nesting cannot inflate the text.
    public var isPretty = false
    /// Indicates that the well-formed content of tag 24 (one item) and tag 63 (a sequence) is written as `<<…>>`.
    ///
    /// Content within content is expanded for 16 levels; deeper content is written as `h'…'`.
    public var expandsEmbedded = false
    /// Indicates that indefinite lengths, and heads and numbers wider than needed, are marked: `[_ 1]`, `1_3`.
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

extension CBORView {
    /// The item in diagnostic notation (RFC 8949 section 8), for people to read.
    ///
    /// ``CBORDiagnosticNotation`` turns the text back into the received bytes, if encoding indicators are shown.
    /// Control characters and marks that reorder text are escaped, so that content cannot disguise itself.
    public func diagnosticNotation(_ options: CBORDiagnosticOptions = .compact) -> String {
        NotationPrinter.text(encodedBytes, options)
    }
}

extension CBOR {
    /// The value in diagnostic notation (RFC 8949 section 8), for people to read.
    ///
    /// Encoding indicators stand for the ``CBOR/formed(_:_:)`` forms within and for the precision of numbers.
    public func diagnosticNotation(_ options: CBORDiagnosticOptions = .compact) -> String {
        NotationPrinter.text(encoded(.formed)[...], options)
    }
}

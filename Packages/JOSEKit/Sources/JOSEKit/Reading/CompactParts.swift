/// The parts of a compact serialization, between its periods.
struct CompactParts {
    private let text: ArraySlice<UInt8>
    /// The offsets of the periods, counted from the start of the text.
    private let periods: [Int]

    /// Splits a text.
    ///
    /// - Throws: ``JOSEError/Code/wrongKind`` if the number of parts is that of the other kind of object,
    ///   ``JOSEError/Code/malformed`` for any other number.
    init(_ text: ArraySlice<UInt8>, count: Int) throws(JOSEError) {
        // One period more than a JWE has suffices to refuse the text.
        let periods = ByteScan.places(of: UInt8(ascii: "."), in: text.span, atMost: 5)
        guard periods.count + 1 == count else { throw Self.wrongCount(periods.count + 1, expected: count) }
        self.text = text
        self.periods = periods
    }

    subscript(index: Int) -> ArraySlice<UInt8> {
        let start = index == 0 ? text.startIndex : text.startIndex + periods[index - 1] + 1
        return text[start..<(index == periods.count ? text.endIndex : text.startIndex + periods[index])]
    }

    private static func wrongCount(_ count: Int, expected: Int) -> JOSEError {
        switch (count, expected) {
        case (5, 3): JOSEError(.wrongKind, "five parts are a JWE, not a JWS")
        case (3, 5): JOSEError(.wrongKind, "three parts are a JWS, not a JWE")
        default: JOSEError(.malformed, "the compact serialization has \(expected) parts")
        }
    }
}

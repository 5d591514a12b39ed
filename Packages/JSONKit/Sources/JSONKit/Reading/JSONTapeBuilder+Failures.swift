extension JSONTapeBuilder {
    /// Neither a comma nor the end of the container stands at an offset, or the one after the other.
    @inline(never)
    static func missingSeparator(
        _ text: Span<UInt8>,
        at offset: Int,
        isInObject: Bool,
        isAfterComma: Bool
    ) -> JSONFailure {
        if isAfterComma {
            return missingItem(text, at: offset, isAfterComma: true, expected: isInObject ? .name : .value)
        }
        let expected = isInObject ? JSONFailure.Expectation.commaOrEndOfObject : .commaOrEndOfArray
        return missingItem(text, at: offset, isAfterComma: false, expected: expected)
    }

    /// Something else than expected stands at an offset; at the end of the text it is that the text is cut short, at the
    /// end of the container that the comma before it is one too many.
    @inline(never)
    static func missingItem(
        _ text: Span<UInt8>,
        at offset: Int,
        isAfterComma: Bool,
        expected: JSONFailure.Expectation
    ) -> JSONFailure {
        let closing = expected == .value ? UInt8(ascii: "]") : UInt8(ascii: "}")
        if isAfterComma, text.byte(at: offset) == closing {
            let comma = (0..<offset).last { text.byte(at: $0) == UInt8(ascii: ",") }
            return JSONFailure(code: .trailingComma, offset: comma ?? offset)
        }
        let code = offset < text.count ? JSONError.Code.unexpectedCharacter : .truncated
        return JSONFailure(code: code, offset: offset, expectation: expected)
    }
}

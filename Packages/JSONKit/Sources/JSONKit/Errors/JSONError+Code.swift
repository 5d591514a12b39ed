extension JSONError {
    /// The kinds of faults; later versions may know more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Name: String {
            case truncated, byteOrderMark, unexpectedCharacter, trailingComma, trailingBytes
            case invalidLiteral, invalidNumber, controlCharacter, invalidEscape, loneSurrogate, invalidUTF8
            case duplicateName
            case sizeLimit, depthLimit, valueLimit, stringLimit, numberLimit
            case typeMismatch, missingMember, missingElement, unknownMember, invalidBase64, invalidValue
            case numberOutOfRange, numberNotExact, nonFiniteNumber
        }

        private let name: Name

        private init(_ name: Name) {
            self.name = name
        }

        /// The code as a word.
        public var description: String { name.rawValue }
    }
}

/// Faults that make a text not JSON (RFC 8259).
extension JSONError.Code {
    /// The text ends before the value does; so does an empty text.
    public static var truncated: Self { Self(.truncated) }
    /// The text starts with a byte order mark (section 8.1).
    public static var byteOrderMark: Self { Self(.byteOrderMark) }
    /// A character stands where no value, name or punctuation may stand.
    public static var unexpectedCharacter: Self { Self(.unexpectedCharacter) }
    /// A comma before the end of an object or array.
    public static var trailingComma: Self { Self(.trailingComma) }
    /// Something other than white space follows the value.
    public static var trailingBytes: Self { Self(.trailingBytes) }
    /// A word that is not `true`, `false` or `null` (section 3).
    public static var invalidLiteral: Self { Self(.invalidLiteral) }
    /// A number that is not written as section 6 demands, such as `01` or `1.`.
    public static var invalidNumber: Self { Self(.invalidNumber) }
    /// A string holds an unescaped character below U+0020 (section 7).
    public static var controlCharacter: Self { Self(.controlCharacter) }
    /// A backslash is followed by something that section 7 does not define.
    public static var invalidEscape: Self { Self(.invalidEscape) }
    /// A `\u` escape names one half of a surrogate pair without the other (section 8.2).
    public static var loneSurrogate: Self { Self(.loneSurrogate) }
    /// Bytes that are not UTF-8 (RFC 3629): overlong forms, surrogates, and what lies above U+10FFFF included.
    public static var invalidUTF8: Self { Self(.invalidUTF8) }
    /// Two members of an object have the same name (section 4), compared by the bytes they decode to.
    public static var duplicateName: Self { Self(.duplicateName) }
}

/// Excesses over ``JSONLimits``.
extension JSONError.Code {
    /// The text has more bytes than ``JSONLimits/size``.
    public static var sizeLimit: Self { Self(.sizeLimit) }
    /// Arrays and objects are nested deeper than ``JSONLimits/depth``.
    public static var depthLimit: Self { Self(.depthLimit) }
    /// The text holds more values than ``JSONLimits/values``.
    public static var valueLimit: Self { Self(.valueLimit) }
    /// A string or name is longer than ``JSONLimits/stringLength``.
    public static var stringLimit: Self { Self(.stringLimit) }
    /// A number is longer than ``JSONLimits/numberLength``.
    public static var numberLimit: Self { Self(.numberLimit) }
}

/// Mismatches between a value and the requested type.
extension JSONError.Code {
    /// The value is of another kind than the one asked for.
    public static var typeMismatch: Self { Self(.typeMismatch) }
    /// An object lacks a member.
    public static var missingMember: Self { Self(.missingMember) }
    /// An array has fewer elements.
    public static var missingElement: Self { Self(.missingElement) }
    /// An object has a member that the decoded type does not know.
    public static var unknownMember: Self { Self(.unknownMember) }
    /// A string is not base64 or base64url as demanded (RFC 4648).
    public static var invalidBase64: Self { Self(.invalidBase64) }
    /// A type refused the value, or had none to encode; the cause says why.
    public static var invalidValue: Self { Self(.invalidValue) }
    /// A number lies outside the range of the type it is asked for.
    public static var numberOutOfRange: Self { Self(.numberOutOfRange) }
    /// A number cannot become the type it is asked for without being changed.
    public static var numberNotExact: Self { Self(.numberNotExact) }
    /// NaN and the infinities have no form in JSON.
    public static var nonFiniteNumber: Self { Self(.nonFiniteNumber) }
}

public import MdocKit

/// Requirements for the text of a data element.
public struct TextRules: Hashable, Sendable {
    /// The required form of a text.
    public enum Form: Hashable, Sendable {
        /// Anything.
        case free
        /// One of a few texts.
        case oneOf(Set<String>)
        /// ISO 3166-1 alpha-2.
        case countryCode
        /// ISO 3166-2; it starts with the country that another element of the namespace names.
        case subdivision(of: DataElementIdentifier)
        /// The distinguishing sign of a state (ISO/IEC 18013-1, Annex F): one to three capital letters, or nothing
        /// where the state has none.
        case distinguishingSign
        /// Eight digits of 0 and 1 for YYYYMMDD, where 1 says that the digit is not known.
        case dateMask
    }

    /// The largest number of characters; nil for any.
    public let maximumLength: Int?
    /// Indicates that every character must be in ISO/IEC 8859-1.
    public let isLatin1: Bool
    /// The required form of the text.
    public let form: Form

    /// Creates rules; without arguments any text will do.
    public init(maximumLength: Int? = nil, isLatin1: Bool = false, form: Form = .free) {
        self.maximumLength = maximumLength
        self.isLatin1 = isLatin1
        self.form = form
    }
}

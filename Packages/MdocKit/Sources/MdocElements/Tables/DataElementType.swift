import MdocKit

/// The required type of a data element's value, as data.
public indirect enum DataElementType: Hashable, Sendable {
    /// A text.
    case text(TextRules)
    /// A day: tag 1004.
    case fullDate
    /// A moment: tag 0, in UTC and without fractions of a second.
    case dateTime
    /// A number from 0 up; nil allows any.
    case unsigned(allowed: Set<UInt64>?)
    /// True or false.
    case bool
    /// A byte string.
    case bytes(ByteRules)
    /// An array of which every element has a type.
    case array(DataElementType, mayBeEmpty: Bool)
    /// A map with text keys; keys that are not listed are ignored. Unless it may be empty, one of those that are listed must be
    /// present.
    case map([Member], mayBeEmpty: Bool = true)
    /// One of several forms; the first is the one to write.
    case oneOf([DataElementType])
    /// Any value at all.
    case any

    /// A member of a map.
    public struct Member: Hashable, Sendable {
        /// The key.
        public let name: String
        /// The required type of its value.
        public let type: DataElementType
        /// Indicates that it must be present.
        public let isMandatory: Bool

        /// Describes a member.
        public init(_ name: String, _ type: DataElementType, isMandatory: Bool = false) {
            self.name = name
            self.type = type
            self.isMandatory = isMandatory
        }
    }

    /// Requirements for the content of a byte string.
    public enum ByteRules: Hashable, Sendable {
        /// Anything.
        case any
        /// An image in JPEG or JPEG 2000.
        case image
        /// A biometric template, which starts with 7F61 (ISO/IEC 18013-5, 7.2.6).
        case biometricTemplate
    }
}

extension DataElementType {
    /// Latin-1 text of at most 150 characters, the usual text of ISO/IEC 18013-5.
    public static let latin1 = text(TextRules(maximumLength: 150, isLatin1: true))
    /// Any text.
    public static let unicode = text(TextRules())
    /// A country: ISO 3166-1 alpha-2.
    public static let countryCode = text(TextRules(form: .countryCode))
    /// A number from 0 up.
    public static let unsigned = unsigned(allowed: nil)
    /// A day or a moment.
    public static let dateOrTime = oneOf([.fullDate, .dateTime])
    /// An image in JPEG or JPEG 2000.
    public static let image = bytes(.image)

    /// Latin-1 text, one of a few.
    public static func latin1(oneOf allowed: Set<String>) -> DataElementType {
        text(TextRules(maximumLength: 150, isLatin1: true, form: .oneOf(allowed)))
    }
}

extension DataElementType: CustomStringConvertible {
    /// The type in the words of the standard.
    public var description: String {
        switch self {
        case .text: "tstr"
        case .fullDate: "full-date"
        case .dateTime: "tdate"
        case .unsigned: "uint"
        case .bool: "bool"
        case .bytes: "bstr"
        case .array(let element, _): "array of \(element)"
        case .map: "map"
        case .oneOf(let forms): forms.map(\.description).joined(separator: " or ")
        case .any: "any"
        }
    }
}

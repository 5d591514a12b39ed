public import CBORKit
import CryptoCore

/// The rules that a type of document has for its data elements.
///
/// An issuer's builder refuses elements that deviate from them, see ``IssuerSignedBuilder/schema``. `MdocElements` has the tables of
/// the standards as `DataElementSchema`.
public protocol DataElementRules: Sendable {
    /// The type of document.
    var docType: DocType { get }

    /// Lists the elements' deviations from the rules.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - isComplete: Indicates that these are all elements of a credential, so that mandatory ones must be among them; `false` for a
    ///     selection.
    func deviations(of elements: DataElements<CBOR>, isComplete: Bool) -> [DataElementDeviation]

    /// Lists the elements that a device key may sign against the rules.
    func deviations(of authorizations: KeyAuthorizations) -> [DataElementDeviation]
}

/// A deviation of a credential from the table of its data elements, for issuers and test laboratories.
public struct DataElementDeviation: Hashable, Sendable {
    /// The kind of deviation; more may be added.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let description: String

        /// Names a kind of deviation.
        public init(_ description: String) {
            self.description = description
        }

        /// A mandatory element is missing, and so is every element that can take its place.
        public static let missing = Kind("missing")
        /// The namespace has a closed table, and the element is not in it.
        public static let unknownElement = Kind("unknownElement")
        /// The element is there more than once.
        public static let repeated = Kind("repeated")
        /// The value, or a part of it, has another type.
        public static let wrongType = Kind("wrongType")
        /// The value has the right type, but the standard does not allow it.
        public static let notAllowed = Kind("notAllowed")
        /// The text has more characters than the standard allows.
        public static let tooLong = Kind("tooLong")
        /// The text has characters that ISO/IEC 8859-1 does not have.
        public static let notLatin1 = Kind("notLatin1")
        /// The text does not have the form of a country code.
        public static let invalidCountryCode = Kind("invalidCountryCode")
        /// The text has the form of a country code, and ISO 3166-1 does not assign it.
        public static let unassignedCountryCode = Kind("unassignedCountryCode")
        /// The image is neither JPEG nor JPEG 2000.
        public static let imageFormat = Kind("imageFormat")
        /// The key authorizations let the device sign an element that is the issuer's to sign.
        public static let deviceMaySign = Kind("deviceMaySign")
        /// The value contradicts another element.
        public static let inconsistent = Kind("inconsistent")
    }

    /// The element.
    public let element: DataElementReference
    /// The kind of deviation.
    public let kind: Kind
    /// A description of the deviation.
    public let message: String
    /// The steps from the element's value to the part that is wrong; empty if the whole is.
    public let path: CBORPath

    /// Reports a deviation.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - kind: The kind of deviation.
    ///   - message: A description of the deviation.
    ///   - path: The steps from the element's value to the part that is wrong; empty if the whole is.
    public init(element: DataElementReference, kind: Kind, message: String, path: CBORPath = CBORPath()) {
        self.element = element
        self.kind = kind
        self.message = message
        self.path = path
    }
}

extension DataElementDeviation: CustomStringConvertible {
    /// The element, the kind, the message and the place, on one line, with invisible characters escaped.
    public var description: String {
        ("\(element): \(kind): \(message)" + (path.isEmpty ? "" : ", in \(path)")).escapedForDisplay()
    }
}

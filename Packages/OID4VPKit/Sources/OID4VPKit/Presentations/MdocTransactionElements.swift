public import CryptoCore
import JOSEKit
public import MdocElements
public import MdocKit
public import OID4VPMessages

/// The data elements with which the device key of an mdoc authorizes transactions (OpenID4VP 1.0, appendix B.2.1).
///
/// A type of transaction defines its element. The issuer must have authorized the device key for it (KeyAuthorizations).
public struct MdocTransactionElements: Sendable, ExpressibleByDictionaryLiteral {
    /// The element of one type.
    public struct Element: Sendable {
        /// The namespace and the identifier.
        public let reference: DataElementReference
        let value: @Sendable ([TransactionDataEntry]) throws -> any DataElementConvertible

        /// Describes an element.
        ///
        /// - Parameters:
        ///   - reference: The namespace and the identifier.
        ///   - value: The value for the entries of the type that are authorized, at least one, in the order of the request.
        public init(
            _ reference: DataElementReference,
            value: @escaping @Sendable ([TransactionDataEntry]) throws -> any DataElementConvertible
        ) {
            self.reference = reference
            self.value = value
        }

        /// An element with an array of digests, one over each entry as received.
        public static func digests(
            _ reference: DataElementReference,
            hash: HashAlgorithm = .sha256
        ) -> Element {
            Element(reference) { entries in entries.map { hash.digest(of: Array($0.text.utf8))[...] } }
        }
    }

    /// The element of each type.
    public let elements: [ExactText: Element]

    /// No element: mdocs authorize no transactions.
    public static let none: MdocTransactionElements = [:]

    /// Takes the elements of types; of a type that occurs twice the last one counts.
    public init(dictionaryLiteral elements: (ExactText, Element)...) {
        self.init(Dictionary(elements) { $1 })
    }

    /// Takes the elements of types.
    public init(_ elements: [ExactText: Element]) {
        self.elements = elements
    }

    /// The elements for some transactions.
    func values(
        for entries: [TransactionDataEntry]
    ) throws -> [(element: DataElementReference, value: any DataElementConvertible)] {
        var types: [ExactText] = []
        for entry in entries where !types.contains(entry.type) { types.append(entry.type) }
        return try types.map { type in
            guard let element = elements[type] else {
                throw OID4VPError(.invalidTransactionData, "the type has no data element for mdocs", path: [type.text])
            }
            return (element.reference, try element.value(entries.filter { $0.type == type }))
        }
    }
}

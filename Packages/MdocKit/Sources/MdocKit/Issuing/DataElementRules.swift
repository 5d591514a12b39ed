public import CBORKit

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

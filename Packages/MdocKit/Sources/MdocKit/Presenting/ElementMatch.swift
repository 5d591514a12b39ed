/// A credential's answer to one data element of a request.
public struct ElementMatch: Hashable, Sendable {
    /// The kinds of answer that a credential has for an element.
    public enum Answer: Hashable, Sendable {
        /// The element itself.
        case element
        /// The nearest statement `age_over_NN` (ISO/IEC 18013-5, 7.2.5).
        case age(AgeAttestation)
        /// The first complete set of elements that the reader takes in its place.
        case alternative([DataElementReference])
        /// The issuer did not sign it, and authorized the device key to.
        case deviceMaySign
        /// An answer that is not returned: the reader intends to retain it, or a part that must come with it, and the
        /// wallet's ``RetentionPolicy`` declines.
        case retentionDeclined
        /// Nothing.
        case missing
    }

    /// The requested element.
    public let element: DataElementReference
    /// Indicates that the reader intends to retain the element, or its alternative, beyond the transaction.
    public let intentToRetain: Bool
    /// The credential's answer.
    public let answer: Answer

    /// The issuer-signed elements that answer it; none if it is missing.
    public var returned: [DataElementReference] {
        switch answer {
        case .element: [element]
        case .age(let attestation): [DataElementReference(element.nameSpace, attestation.identifier)]
        case .alternative(let elements): elements
        case .deviceMaySign, .retentionDeclined, .missing: []
        }
    }

    /// The same element with another answer.
    func answered(_ answer: Answer) -> ElementMatch {
        ElementMatch(element: element, intentToRetain: intentToRetain, answer: answer)
    }
}

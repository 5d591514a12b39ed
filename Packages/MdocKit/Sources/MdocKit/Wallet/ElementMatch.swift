/// How a credential answers one data element of a request.
public struct ElementMatch: Hashable, Sendable {
    /// What a credential has for an element.
    public enum Answer: Hashable, Sendable {
        /// The element itself.
        case element
        /// The nearest statement `age_over_NN` (ISO/IEC 18013-5, 7.2.5).
        case age(AgeAttestation)
        /// A whole set of elements that the reader takes in its place, the first that is there.
        case alternative([DataElementReference])
        /// The issuer did not sign it, and authorized the device key to.
        case deviceMaySign
        /// Nothing.
        case missing
    }

    /// The element that is asked for.
    public let element: DataElementReference
    /// Whether the reader means to keep it beyond the transaction; holds for alternatives too.
    public let intentToRetain: Bool
    /// What the credential has for it.
    public let answer: Answer

    /// The issuer-signed elements that answer it; none where it is missing.
    public var returned: [DataElementReference] {
        switch answer {
        case .element: [element]
        case .age(let attestation): [DataElementReference(element.nameSpace, attestation.identifier)]
        case .alternative(let elements): elements
        case .deviceMaySign, .missing: []
        }
    }
}

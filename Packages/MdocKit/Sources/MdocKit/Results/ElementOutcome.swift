/// What came of one data element that was asked for.
public struct ElementOutcome: Hashable, Sendable {
    /// How an element was answered.
    public enum Answer: Hashable, Sendable {
        /// The element itself was returned.
        case returned
        /// A statement of age with another number was returned, which answers by the rule of 7.2.5: a true one of that
        /// age or above, or a false one of that age or below.
        case ageAttestation(AgeAttestation)
        /// The elements of an alternative set were returned in its place (second edition, 10.2.5).
        case alternative([DataElementReference])
        /// Nothing that answers it was returned.
        case missing
    }

    /// The element.
    public let element: DataElementReference
    /// Whether the reader said that it means to keep the element, or anything derived from it; what answers in its place
    /// inherits that.
    public let intentToRetain: Bool
    /// How it was answered.
    public let answer: Answer

    /// The returned elements that answer it.
    public var answeredBy: [DataElementReference] {
        switch answer {
        case .returned: [element]
        case .ageAttestation(let attestation): [DataElementReference(element.nameSpace, attestation.identifier)]
        case .alternative(let elements): elements
        case .missing: []
        }
    }
}

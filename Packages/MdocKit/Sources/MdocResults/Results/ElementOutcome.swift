public import MdocKit

/// The outcome of one requested data element.
public struct ElementOutcome: Hashable, Sendable {
    /// The kinds of answer to an element.
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
    /// Indicates that the reader intends to retain the element, or anything derived from it.
    ///
    /// An alternative inherits that.
    public let intentToRetain: Bool
    /// The kind of answer.
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

extension ElementOutcome: CustomStringConvertible {
    /// The element and its answer on one line, with invisible characters escaped.
    public var description: String { "\(element.description.escapedForDisplay()): \(answer)" }
}

extension ElementOutcome.Answer: CustomStringConvertible {
    /// The answer on one line, with invisible characters escaped.
    public var description: String {
        switch self {
        case .returned: "returned"
        case .ageAttestation(let attestation): "answered by \(attestation)"
        case .alternative(let elements):
            "answered by " + elements.map { $0.description.escapedForDisplay() }.joined(separator: ", ")
        case .missing: "missing"
        }
    }
}

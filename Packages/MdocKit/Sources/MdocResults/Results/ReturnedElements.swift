import MdocKit

/// The elements of a document, indexed for look-ups by requested elements.
struct ReturnedElements {
    /// The names of all elements.
    let references: [DataElementReference]

    private let names: Set<DataElementReference>
    private let attestations: [NameSpace: [AgeAttestation]]

    init(_ document: VerifiedMdocDocument) {
        let elements = document.elements
        references = elements.references
        names = Set(references)
        var attestations: [NameSpace: [AgeAttestation]] = [:]
        for group in elements.groups {
            attestations[group.nameSpace] = group.elements.compactMap { AgeAttestation($0.identifier, $0.value.view) }
        }
        self.attestations = attestations
    }

    /// The answer to an element without alternatives.
    func answer(to element: DataElementReference) -> ElementOutcome.Answer {
        if names.contains(element) { return .returned }
        guard let age = AgeAttestation.age(in: element.identifier),
            let attestation = AgeAttestation.answer(to: age, from: attestations[element.nameSpace] ?? [])
        else { return .missing }
        return .ageAttestation(attestation)
    }

    /// The elements that answer a whole alternative set; nil if one is missing, or where the set is empty.
    func answers(to set: [DataElementReference]) -> [DataElementReference]? {
        guard !set.isEmpty else { return nil }
        var answers: [DataElementReference] = []
        for element in set {
            switch answer(to: element) {
            case .returned: answers.append(element)
            case .ageAttestation(let attestation):
                answers.append(DataElementReference(element.nameSpace, attestation.identifier))
            case .alternative, .missing: return nil
            }
        }
        return answers
    }
}

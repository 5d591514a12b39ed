/// Finds a credential's answers to the elements of a request.
struct ElementMatching {
    /// A wallet answers this many requests for `age_over_NN` at most: more would tell the age itself.
    static let mostAgeAnswers = 2

    private let authorized: AuthorizedElements
    /// The credential's elements, indexed once, since alternatives may name the same elements many times.
    private let elements: Set<DataElementReference>
    private let attestations: [NameSpace: [AgeAttestation]]
    private let alternatives: [DataElementReference: [AlternativeDataElements]]
    private var ageAnswers = 0

    init(_ issuerSigned: IssuerSigned, _ info: DocRequestInfo?) {
        authorized = AuthorizedElements(issuerSigned.deviceKeyInfo.keyAuthorizations)
        var elements: Set<DataElementReference> = []
        var attestations: [NameSpace: [AgeAttestation]] = [:]
        for group in issuerSigned.nameSpaces {
            for item in group.items { elements.insert(DataElementReference(group.nameSpace, item.elementIdentifier)) }
            attestations[group.nameSpace] = group.items.compactMap {
                AgeAttestation($0.elementIdentifier, $0.elementValue)
            }
        }
        self.elements = elements
        self.attestations = attestations
        alternatives = Dictionary(grouping: info?.alternativeDataElements ?? [], by: \.requestedElement)
    }

    /// One match per element.
    mutating func matches(for elements: DataElements<Bool>) -> [ElementMatch] {
        var matches: [ElementMatch] = []
        for group in elements.groups {
            for (identifier, intentToRetain) in group.elements {
                let element = DataElementReference(group.nameSpace, identifier)
                matches.append(
                    ElementMatch(element: element, intentToRetain: intentToRetain, answer: answer(to: element))
                )
            }
        }
        return matches
    }

    private mutating func answer(to element: DataElementReference) -> ElementMatch.Answer {
        if let answer = ownAnswer(to: element) { return answer }
        for alternative in alternatives[element] ?? [] {
            for set in alternative.alternativeElementSets {
                if let elements = wholeSet(set) { return .alternative(elements) }
            }
        }
        return authorized.contains(element) ? .deviceMaySign : .missing
    }

    private mutating func ownAnswer(to element: DataElementReference) -> ElementMatch.Answer? {
        guard let age = AgeAttestation.age(in: element.identifier) else {
            return elements.contains(element) ? .element : nil
        }
        guard ageAnswers < Self.mostAgeAnswers,
            let answer = AgeAttestation.answer(to: age, from: attestations[element.nameSpace] ?? [])
        else { return nil }
        ageAnswers += 1
        return answer.identifier == element.identifier ? .element : .age(answer)
    }

    /// The answers to every element of a set, or nil if one is missing.
    private mutating func wholeSet(_ set: [DataElementReference]) -> [DataElementReference]? {
        let before = ageAnswers
        var returned: [DataElementReference] = []
        for element in set {
            switch ownAnswer(to: element) {
            case .element?: returned.append(element)
            case .age(let attestation)?:
                returned.append(DataElementReference(element.nameSpace, attestation.identifier))
            default:
                ageAnswers = before
                return nil
            }
        }
        return returned
    }
}

/// Finds a credential's answers to the elements of a request.
struct ElementMatching {
    private let docType: DocType
    private let authorized: AuthorizedElements
    /// The credential's elements, indexed once, since alternatives may name the same elements many times.
    private let elements: Set<DataElementReference>
    private let attestations: [NameSpace: [AgeAttestation]]
    private let alternatives: [DataElementReference: [AlternativeDataElements]]
    private let retention: RetentionPolicy
    /// The statements `age_over_NN` of a driving licence that are returned; one that answers several requests counts once.
    private var ageAnswers: Set<DataElementReference> = []
    /// The elements that would be retained and that the policy declines, with their answers.
    private var declined: Set<DataElementReference> = []

    /// The answers of a credential to a request, one per element.
    ///
    /// A declined element does not leave in answer to another request either. A driving licence without a requested portrait
    /// may not be returned at all (7.2.1), so that a declined portrait takes every other element with it.
    static func matches(
        for request: ItemsRequest,
        in issuerSigned: IssuerSigned,
        _ retention: RetentionPolicy
    ) -> [ElementMatch] {
        var matching = ElementMatching(issuerSigned, request.requestInfo, retention)
        let matches = matching.matches(for: request.nameSpaces)
        let portrait = DataElementReference(.mDL, "portrait")
        let isWholeDeclined = issuerSigned.docType == .mDL && matching.declined.contains(portrait)
        return matches.map { match in
            guard isWholeDeclined || !matching.declined.isDisjoint(with: match.returned) else { return match }
            return match.answer == .missing ? match : match.answered(.retentionDeclined)
        }
    }

    private init(_ issuerSigned: IssuerSigned, _ info: DocRequestInfo?, _ retention: RetentionPolicy) {
        self.retention = retention
        docType = issuerSigned.docType
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
    private mutating func matches(for elements: DataElements<Bool>) -> [ElementMatch] {
        var matches: [ElementMatch] = []
        for (nameSpace, elements) in elements {
            for (identifier, intentToRetain) in elements {
                matches.append(match(for: DataElementReference(nameSpace, identifier), intentToRetain))
            }
        }
        return matches
    }

    private mutating func match(for element: DataElementReference, _ intentToRetain: Bool) -> ElementMatch {
        let before = ageAnswers
        let match = ElementMatch(element: element, intentToRetain: intentToRetain, answer: answer(to: element))
        let retained = [element] + match.returned
        guard intentToRetain, match.answer != .missing, retained.contains(where: retention.declines) else {
            return match
        }
        ageAnswers = before
        declined.formUnion(retained)
        return match.answered(.retentionDeclined)
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
        guard let answer = AgeAttestation.answer(to: age, from: attestations[element.nameSpace] ?? []) else {
            return nil
        }
        let returned = DataElementReference(element.nameSpace, answer.identifier)
        if AgeAttestation.isLimited(returned, in: docType) {
            guard ageAnswers.contains(returned) || ageAnswers.count < AgeAttestation.mostAnswers else { return nil }
            ageAnswers.insert(returned)
        }
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

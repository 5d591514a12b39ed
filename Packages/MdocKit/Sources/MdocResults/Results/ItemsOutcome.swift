import CryptoCore
public import MdocKit

/// The items of one document that answer one items request (ISO/IEC 18013-5, 13.3).
///
/// It only compares. The verifier decides whether the document can be trusted.
public struct ItemsOutcome: Hashable, Sendable {
    /// One outcome per requested element, in the order of the request.
    public let elements: [ElementOutcome]
    /// The elements that were returned and answer no request, in the order of the document.
    ///
    /// Statements of age beside those that answer are not counted where any was asked for: a wallet cannot always tell
    /// which one a reader will need.
    public let extra: [DataElementReference]
    /// Indicates that the issuer is among those that the request takes (second edition, 10.2.5).
    public let isIssuerAccepted: Bool

    /// Compares a document with a request; the document's type is not looked at.
    public init(_ request: ItemsRequest, answeredBy document: VerifiedMdocDocument) {
        self.init(request, ReturnedElements(document), document)
    }

    init(_ request: ItemsRequest, _ returned: ReturnedElements, _ document: VerifiedMdocDocument) {
        let alternatives = Dictionary(
            grouping: request.requestInfo?.alternativeDataElements ?? [],
            by: \.requestedElement
        )
        var elements: [ElementOutcome] = []
        for group in request.nameSpaces.groups {
            for (identifier, intentToRetain) in group.elements {
                let element = DataElementReference(group.nameSpace, identifier)
                let sets = alternatives[element]?.flatMap(\.alternativeElementSets) ?? []
                elements.append(
                    ElementOutcome(
                        element: element,
                        intentToRetain: intentToRetain,
                        answer: Self.answer(to: element, alternatives: sets, returned)
                    )
                )
            }
        }
        self.elements = elements
        extra = Self.extra(request, elements, returned)
        let identifiers = request.requestInfo?.issuerIdentifiers ?? []
        isIssuerAccepted =
            identifiers.isEmpty
            || document.signer.certificates.contains { certificate in
                certificate.authorityKeyIdentifier?.keyIdentifier.map { identifiers.contains([UInt8]($0)) } ?? false
            }
    }

    /// The element itself, else the first alternative set that is complete.
    private static func answer(
        to element: DataElementReference,
        alternatives: [[DataElementReference]],
        _ returned: ReturnedElements
    ) -> ElementOutcome.Answer {
        let answer = returned.answer(to: element)
        guard answer == .missing else { return answer }
        for set in alternatives {
            if let elements = returned.answers(to: set) { return .alternative(elements) }
        }
        return .missing
    }

    private static func extra(
        _ request: ItemsRequest,
        _ elements: [ElementOutcome],
        _ returned: ReturnedElements
    ) -> [DataElementReference] {
        let used = Set(elements.flatMap(\.answeredBy))
        let alternatives = request.requestInfo?.alternativeDataElements ?? []
        let asked = elements.map(\.element) + alternatives.flatMap { $0.alternativeElementSets.flatMap { $0 } }
        let aged = Set(asked.filter { AgeAttestation.age(in: $0.identifier) != nil }.map(\.nameSpace))
        return returned.references.filter { element in
            let isAge = aged.contains(element.nameSpace) && AgeAttestation.age(in: element.identifier) != nil
            return !isAge && !used.contains(element)
        }
    }

    /// The requested elements that are missing, with no alternative in their place.
    public var missing: [DataElementReference] { elements.filter { $0.answer == .missing }.map(\.element) }

    /// Indicates that nothing is missing and the issuer is one that the request takes.
    public var isSatisfied: Bool { isIssuerAccepted && missing.isEmpty }

    /// The returned elements that the reader may keep beyond the transaction: those that answer an element that was
    /// asked for with intentToRetain.
    public var retainableElements: [DataElementReference] {
        var seen: Set<DataElementReference> = []
        return elements.filter(\.intentToRetain).flatMap(\.answeredBy).filter { seen.insert($0).inserted }
    }

    /// Indicates that at least one element is answered.
    var isAnsweredInPart: Bool { elements.contains { $0.answer != .missing } }
}

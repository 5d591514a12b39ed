public import CBORKit
public import MdocKit

extension DataElementSchema {
    /// Lists where all elements of a credential depart from the tables, as ``deviations(of:isComplete:)-(DataElements<CBOR>,_)`` does.
    public func deviations(of elements: DataElements<CBOR>) -> [DataElementDeviation] {
        deviations(of: elements, isComplete: true)
    }

    /// Lists where elements depart from the tables; elements without a table are skipped.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - isComplete: Indicates that these are all elements of a credential, so that mandatory ones must be among
    ///     them; false for a selection.
    public func deviations(of elements: DataElements<CBOR>, isComplete: Bool) -> [DataElementDeviation] {
        deviations(
            of: elements.groups.map { group in
                ElementGroup(group.nameSpace, group.elements.map { ($0.identifier, $0.value.encoded()[...]) })
            },
            isComplete: isComplete
        )
    }

    /// Lists where a credential departs from the tables.
    ///
    /// - Parameters:
    ///   - issuerSigned: The credential.
    ///   - isComplete: Indicates that the credential has all of its items; false for a selection.
    public func deviations(of issuerSigned: IssuerSigned, isComplete: Bool = true) -> [DataElementDeviation] {
        deviations(
            of: issuerSigned.nameSpaces.map { group in
                ElementGroup(
                    group.nameSpace,
                    group.items.map { ($0.elementIdentifier, $0.elementValue.encodedBytes) }
                )
            },
            isComplete: isComplete
        )
    }

    /// Lists where the elements that a wallet returned depart from the tables; none is mandatory there.
    public func deviations(of document: VerifiedMdocDocument) -> [DataElementDeviation] {
        deviations(
            of: document.elements.groups.map { group in
                ElementGroup(group.nameSpace, group.elements.map { ($0.identifier, $0.value.view.encodedBytes) })
            },
            isComplete: false
        )
    }

    /// Lists the elements of closed tables that a device key may sign.
    ///
    /// The first edition of ISO/IEC 18013-5 forbids it; the second allows it where the secure area is as strong as the
    /// issuer's (13.4).
    public func deviations(of authorizations: KeyAuthorizations) -> [DataElementDeviation] {
        nameSpaces.filter(\.isClosed).flatMap { table in
            let identifiers =
                authorizations.nameSpaces.contains(table.nameSpace)
                ? table.definitions.compactMap(\.identifier)
                : authorizations.dataElements.filter { self[$0] != nil && $0.nameSpace == table.nameSpace }
                    .map(\.identifier)
            return identifiers.map { identifier in
                DataElementDeviation(
                    element: DataElementReference(table.nameSpace, identifier),
                    kind: .deviceMaySign,
                    message: "the device key may sign an element that is the issuer's to sign",
                    path: CBORPath()
                )
            }
        }
    }

    private func deviations(of groups: [ElementGroup], isComplete: Bool) -> [DataElementDeviation] {
        nameSpaces.flatMap { table in
            let group = groups.first { $0.nameSpace == table.nameSpace } ?? ElementGroup(table.nameSpace, [])
            return (isComplete ? table.missing(in: group) : []) + table.deviations(of: group)
        }
    }
}

/// The elements of a namespace with their encoded values.
private struct ElementGroup {
    let nameSpace: NameSpace
    let elements: [(identifier: DataElementIdentifier, encoded: ArraySlice<UInt8>)]

    init(
        _ nameSpace: NameSpace,
        _ elements: [(identifier: DataElementIdentifier, encoded: ArraySlice<UInt8>)]
    ) {
        self.nameSpace = nameSpace
        self.elements = elements
    }

    /// The text of an element, if present and a text.
    func text(of identifier: DataElementIdentifier) -> String? {
        elements.first { $0.identifier == identifier }
            .flatMap { try? CBORDocument($0.encoded).root.text() }
    }
}

extension NameSpaceSchema {
    fileprivate func missing(in group: ElementGroup) -> [DataElementDeviation] {
        let present = Set(group.elements.map(\.identifier))
        return mandatoryGroups.compactMap { identifiers in
            guard let first = identifiers.first, present.isDisjoint(with: identifiers) else { return nil }
            return DataElementDeviation(
                element: DataElementReference(nameSpace, first),
                kind: .missing,
                message: "the element is mandatory",
                path: CBORPath()
            )
        }
    }

    fileprivate func deviations(of group: ElementGroup) -> [DataElementDeviation] {
        var seen: Set<DataElementIdentifier> = []
        return group.elements.flatMap { identifier, encoded in
            var checker = DataElementChecker(DataElementReference(nameSpace, identifier)) { group.text(of: $0) }
            if !seen.insert(identifier).inserted { checker.report(.repeated, "the element is there already") }
            if let definition = self[identifier] {
                checker.check(encoded, definition.type)
            } else if isClosed {
                checker.report(.unknownElement, "the namespace does not have this element")
            }
            return checker.deviations
        }
    }
}

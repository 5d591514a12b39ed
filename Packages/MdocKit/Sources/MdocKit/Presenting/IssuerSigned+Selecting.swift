import CBORKit

extension IssuerSigned {
    /// The credential with those items only that fit a document request: selective disclosure.
    ///
    /// For a request of `age_over_NN` the answer of 7.2.5 is chosen, which may have another number; at most two such
    /// requests are answered. Elements that are asked for and not there are left out.
    ///
    /// - Throws: ``MdocError`` with code `invalidValue` where the request is for another document type.
    public func limitDisclosures(docRequest: DocRequest) throws(MdocError) -> IssuerSigned {
        let request = docRequest.itemsRequest
        guard request.docType == docType else {
            throw MdocError(.invalidValue, "the request is for \(request.docType), the document is \(docType)")
        }
        var disclosed: Set<DataElementReference> = []
        for group in request.nameSpaces.groups {
            disclosed.formUnion(answers(to: group.elements.map(\.identifier), in: group.nameSpace))
        }
        return try limitDisclosures { disclosed.contains($0) }
    }

    /// The credential with those items only that a closure takes; all bytes stay as the issuer wrote them.
    public func limitDisclosures(
        where isDisclosed: (DataElementReference) -> Bool
    ) throws(MdocError) -> IssuerSigned {
        let disclosed = nameSpaces.compactMap { group in
            let items = group.items.filter {
                isDisclosed(DataElementReference(group.nameSpace, $0.elementIdentifier))
            }
            return items.isEmpty ? nil : Group(nameSpace: group.nameSpace, items: items)
        }
        let encoded = CBORWriter.bytes { writer in
            writer.beginMap(count: disclosed.isEmpty ? 1 : 2)
            if !disclosed.isEmpty {
                writer.write(text: "nameSpaces")
                writer.beginMap(count: disclosed.count)
                for group in disclosed { group.encode(to: &writer) }
            }
            writer.write(text: "issuerAuth")
            writer.write(encoded: issuerAuthBytes)
        }
        return try IssuerSigned(decoding: encoded, options: .building)
    }

    /// The elements of a namespace that answer those asked for.
    private func answers(
        to identifiers: [DataElementIdentifier],
        in nameSpace: NameSpace
    ) -> [DataElementReference] {
        let items = self[nameSpace]
        let attestations = items.compactMap { AgeAttestation($0.elementIdentifier, $0.elementValue) }
        var ageAnswers: [DataElementIdentifier] = []
        var answers: [DataElementIdentifier] = []
        for identifier in identifiers {
            guard let age = AgeAttestation.age(in: identifier) else {
                answers.append(identifier)
                continue
            }
            guard ageAnswers.count < 2, let answer = AgeAttestation.answer(to: age, from: attestations) else {
                continue
            }
            ageAnswers.append(answer.identifier)
        }
        return (answers + ageAnswers).map { DataElementReference(nameSpace, $0) }
    }
}

extension IssuerSigned.Group {
    /// Writes the namespace and its items as received.
    func encode(to writer: inout CBORWriter) {
        writer.write(text: nameSpace.text)
        writer.beginArray(count: items.count)
        for item in items { writer.write(encoded: item.taggedBytes) }
    }
}

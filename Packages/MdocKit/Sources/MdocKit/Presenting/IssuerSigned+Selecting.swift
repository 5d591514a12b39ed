import CBORKit

extension IssuerSigned {
    /// Selects the items of the credential that fit a document request: selective disclosure.
    ///
    /// For a request of `age_over_NN` the answer of 7.2.5 is chosen, which may have another number; at most two such
    /// requests are answered. A missing element is replaced by its first alternative that is present; an element
    /// without one is left out. For a whole request and a store of credentials see ``RequestMatch``.
    ///
    /// - Parameters:
    ///   - docRequest: The document request.
    ///   - retention: The wallet's rule for elements that the reader intends to retain.
    /// - Throws: ``MdocError`` with code `invalidValue` if the request is for another document type.
    public func limitDisclosures(
        docRequest: DocRequest,
        retention: RetentionPolicy = .acceptingAll
    ) throws(MdocError) -> IssuerSigned {
        let request = docRequest.itemsRequest
        guard request.docType == docType else {
            throw MdocError(.invalidValue, "the request is for \(request.docType), the document is \(docType)")
        }
        let matches = ElementMatching.matches(for: request, in: self, retention)
        let disclosed = Set(matches.flatMap(\.returned))
        return try limitDisclosures { disclosed.contains($0) }
    }

    /// The credential with those items only that a closure takes; all bytes stay as the issuer wrote them.
    public func limitDisclosures(
        where isDisclosed: (DataElementReference) -> Bool
    ) throws(MdocError) -> IssuerSigned {
        let disclosed = nameSpaces.map { group in
            let items = group.items.filter {
                isDisclosed(DataElementReference(group.nameSpace, $0.elementIdentifier))
            }
            return (nameSpace: group.nameSpace, items: items)
        }.filter { !$0.items.isEmpty }
        let encoded = CBORWriter.bytes { writer in
            writer.beginMap(count: disclosed.isEmpty ? 1 : 2)
            if !disclosed.isEmpty {
                writer.write(text: "nameSpaces")
                writer.beginMap(count: disclosed.count)
                for (nameSpace, items) in disclosed {
                    writer.write(text: nameSpace.text)
                    writer.beginArray(count: items.count)
                    for item in items { writer.write(encoded: item.taggedBytes) }
                }
            }
            writer.write(text: "issuerAuth")
            writer.write(encoded: issuerAuthBytes)
        }
        return try IssuerSigned(decoding: encoded, options: .building)
    }
}

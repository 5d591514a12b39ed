/// A stored credential's answer to a document request: its matching, missing and alternative elements.
public struct CredentialMatch: Sendable {
    /// The credential.
    public let credential: StoredCredential
    /// One answer per requested element, in the order of the request.
    public let elements: [ElementMatch]

    init(_ credential: StoredCredential, _ request: ItemsRequest) {
        self.credential = credential
        var matching = ElementMatching(credential.issuerSigned, request.requestInfo)
        elements = matching.matches(for: request.nameSpaces)
    }

    /// The issuer-signed elements that are returned where the holder agrees to all, each once.
    public var disclosed: [DataElementReference] {
        var seen: Set<DataElementReference> = []
        return elements.flatMap(\.returned).filter { seen.insert($0).inserted }
    }

    /// The requested elements that the credential has no answer for.
    public var missing: [DataElementReference] {
        elements.filter { $0.returned.isEmpty }.map(\.element)
    }

    /// Indicates whether every requested element is answered.
    public var isComplete: Bool { missing.isEmpty }
}

public import MdocKit

/// A relying party's request for credentials of one type: elements by namespace, each with intentToRetain.
///
/// ```swift
/// let request = MobileCredentialRequest(
///     docType: .mDL,
///     namespaces: [.mDL: ["family_name": false, "age_over_18": true]]
/// )
/// let deviceRequest = try DeviceRequest([request])
/// ```
///
/// In JSON it is `{"docType": …, "namespaces": {namespace: {identifier: intentToRetain}}}`.
public struct MobileCredentialRequest: Hashable, Sendable {
    /// The requested type of credential.
    public var docType: DocType
    /// The requested elements, each with whether the relying party means to keep it beyond the transaction.
    public var namespaces: [NameSpace: [DataElementIdentifier: Bool]]

    /// Asks for elements.
    ///
    /// - Parameters:
    ///   - docType: The type of credential.
    ///   - namespaces: The elements by namespace and identifier, each with intentToRetain: a relying party may keep
    ///     those only that it asked for with `true`, and nothing derived from the others.
    public init(docType: DocType, namespaces: [NameSpace: [DataElementIdentifier: Bool]]) {
        self.docType = docType
        self.namespaces = namespaces
    }

    /// The same request in the form that wallets are sent; its members stand in the order of their names.
    ///
    /// - Parameter requestInfo: More conditions, for peers of the second edition only.
    /// - Throws: `MdocError` with code `invalidValue` if no element is asked for.
    public func itemsRequest(requestInfo: DocRequestInfo? = nil) throws(MdocError) -> ItemsRequest {
        var elements = DataElements<Bool>()
        for (nameSpace, identifiers) in namespaces.sorted(by: { $0.key < $1.key }) where !identifiers.isEmpty {
            elements.append(
                nameSpace,
                identifiers.sorted { $0.key < $1.key }.map { (identifier: $0.key, value: $0.value) }
            )
        }
        return try ItemsRequest(docType: docType, nameSpaces: elements, requestInfo: requestInfo)
    }

    /// The document request, without a reader's signature.
    ///
    /// - Throws: `MdocError` with code `invalidValue` if no element is asked for.
    public func docRequest() throws(MdocError) -> DocRequest {
        DocRequest(try itemsRequest())
    }
}

extension MobileCredentialRequest: Codable {}

extension MobileCredentialRequest {
    private enum CodingKeys: String, CodingKey {
        case docType, namespaces
    }

    /// Reads a request.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        docType = try container.decode(DocType.self, forKey: .docType)
        namespaces = try container.decode(ElementObject<Bool>.self, forKey: .namespaces).elements
    }

    /// Writes the request.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(docType, forKey: .docType)
        try container.encode(ElementObject(namespaces), forKey: .namespaces)
    }
}

extension DeviceRequest {
    /// Asks for credentials, one document request for each, without a reader's signature.
    ///
    /// - Throws: `MdocError` with code `invalidValue` if there is no request, or one that asks for no element.
    public init(_ requests: [MobileCredentialRequest]) throws(MdocError) {
        var docRequests: [DocRequest] = []
        for request in requests { docRequests.append(try request.docRequest()) }
        try self.init(docRequests: docRequests)
    }
}

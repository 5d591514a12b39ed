import CBORKit
import CryptoCore
import MdocKit
import MdocResults
import Testing

extension Utopia {
    /// A credential with the elements given.
    func credential(
        _ docType: DocType = .mDL,
        _ elements: KeyValuePairs<DataElementIdentifier, CBOR>,
        in nameSpace: NameSpace = .mDL
    ) async throws -> IssuerSigned {
        var builder = IssuerSignedBuilder(
            docType: docType,
            deviceKey: deviceKey.publicKey,
            validityInfo: Utopia.validity
        )
        for (identifier, value) in elements { try builder.add(value, as: identifier, in: nameSpace) }
        return try await issue(builder)
    }

    /// A response with several documents, each with all elements of its credential.
    func respond(_ credentials: IssuerSigned...) async throws -> DeviceResponse {
        var documents: [MdocDocument] = []
        for credential in credentials {
            let prepared = try PreparedMdocDocument(credential, sessionTranscript: transcript)
            documents.append(try await prepared.signed(with: SoftwareSigner(deviceKey)))
        }
        return try DeviceResponse(documents: documents)
    }

    /// The comparison of a response with a request.
    func outcome(
        of docRequests: [ItemsRequest],
        useCases: [UseCase] = [],
        _ response: DeviceResponse,
        with verifier: MdocVerifier? = nil
    ) async throws -> RequestOutcome {
        let request = try DeviceRequest(
            docRequests: docRequests.map { DocRequest($0) },
            deviceRequestInfo: useCases.isEmpty ? nil : DeviceRequestInfo(useCases: useCases)
        )
        return RequestOutcome(try await verify(response, with: verifier), of: response, to: request)
    }

    /// The result of a response to requests, as relying parties know it.
    func result(
        of response: DeviceResponse,
        to requests: [MobileCredentialRequest],
        with verifier: MdocVerifier? = nil,
        branding: Branding.Lookup = { _ in nil }
    ) async throws -> MobileCredentialResponse {
        let verification = try await verify(response, with: verifier)
        return try MobileCredentialResponse(verification, of: response, requests: requests, branding: branding)
    }

    /// The items of one document for one request.
    func items(of request: ItemsRequest, _ credential: IssuerSigned) async throws -> ItemsOutcome {
        let response = try await respond(credential)
        let document = try #require(try await verify(response).verifiedDocuments.first)
        return ItemsOutcome(request, answeredBy: document)
    }
}

extension ItemsRequest {
    /// Asks for elements of the licence's namespace, with more conditions.
    static func asking(
        _ docType: DocType = .mDL,
        for elements: KeyValuePairs<DataElementIdentifier, Bool>,
        _ change: ((inout DocRequestInfo) -> Void)? = nil
    ) throws -> ItemsRequest {
        var info: DocRequestInfo?
        if let change {
            var conditions = DocRequestInfo()
            change(&conditions)
            info = conditions
        }
        var nameSpaces = DataElements<Bool>()
        for (identifier, intentToRetain) in elements { nameSpaces[.mDL, identifier] = intentToRetain }
        return try ItemsRequest(docType: docType, nameSpaces: nameSpaces, requestInfo: info)
    }
}

extension DataElementReference {
    /// An element of the licence's namespace.
    static func mDL(_ identifier: DataElementIdentifier) -> DataElementReference {
        DataElementReference(.mDL, identifier)
    }
}

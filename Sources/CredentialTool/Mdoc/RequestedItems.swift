import ArgumentParser
import CommandSupport
import CryptoCore
import JSONKit
import MdocKit

/// The data elements to ask for, read from JSON.
struct RequestedItems {
    let requests: [ItemsRequest]

    /// Reads `{ "docType": …, "nameSpaces": { nameSpace: { identifier: intentToRetain } } }`, or an array of these.
    init(json: [UInt8]) throws {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: json)
        } catch {
            throw ToolError("the request is not JSON: \(error)")
        }
        guard case .array(let requests) = document else {
            requests = [try Self.request(document)]
            return
        }
        self.requests = try requests.map(Self.request)
    }

    /// Reads the JSON of a file.
    init(file: InputFile) throws(ToolError) {
        let json = try file.read()
        self = try file.reading("request") { try RequestedItems(json: json) }
    }

    private static func request(_ value: JSONValue) throws -> ItemsRequest {
        guard case .string(let docType)? = value["docType"], case .object(let nameSpaces)? = value["nameSpaces"] else {
            throw ToolError("a request must have docType and nameSpaces")
        }
        guard !docType.isEmpty else { throw ToolError("the docType is empty") }
        var elements = DataElements<Bool>()
        for (nameSpace, members) in nameSpaces {
            guard case .object(let members) = members else { throw ToolError("\(nameSpace) must be an object") }
            for (identifier, value) in members {
                guard case .bool(let intentToRetain) = value else {
                    throw ToolError("\(nameSpace)/\(identifier) must be true or false: whether it will be kept")
                }
                elements[NameSpace(nameSpace), DataElementIdentifier(identifier)] = intentToRetain
            }
        }
        return try ItemsRequest(docType: DocType(docType), nameSpaces: elements)
    }

    /// The request, not signed.
    func deviceRequest() throws -> DeviceRequest {
        try DeviceRequest(docRequests: requests.map { DocRequest($0) })
    }

    /// The request, each part signed for a session.
    func deviceRequest(
        for transcript: SessionTranscript,
        signedBy identity: ReaderKeyOptions.Identity
    ) async throws -> DeviceRequest {
        var docRequests: [DocRequest] = []
        for request in requests {
            docRequests.append(
                try await .signed(
                    request,
                    sessionTranscript: transcript,
                    with: identity.signer,
                    x5chain: identity.x5chain
                )
            )
        }
        return try DeviceRequest(docRequests: docRequests)
    }
}

/// The key and certificate that a reader signs its requests with, if it does.
struct ReaderKeyOptions: ParsableArguments {
    @Option(name: .long, help: "The reader's private key, to sign the request with: PEM.")
    var readerSigningKey: InputFile?

    @Option(name: .long, help: "The reader's certificate, and intermediate ones after it: PEM.")
    var readerCertificate: InputFile?

    func validate() throws {
        guard (readerSigningKey == nil) == (readerCertificate == nil) else {
            throw ValidationError("--reader-signing-key and --reader-certificate belong together")
        }
    }

    /// A reader's signer with its certificates, leaf first.
    typealias Identity = (signer: SoftwareSigner, x5chain: [Certificate])

    /// The signer of the request; nil for an unsigned one.
    func identity() throws -> Identity? {
        guard let readerSigningKey, let readerCertificate else { return nil }
        return (try SoftwareSigner(try readerSigningKey.privateKey()), try readerCertificate.certificates())
    }
}

import CommandSupport
import CredentialTransport
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages

/// A request as a wallet on the command line takes it, not authenticated.
enum WalletRequest {
    /// A request in a URL, or a request object by itself.
    case url(AuthorizationRequest)
    /// A request over the Digital Credentials API.
    case platform(PlatformRequest)

    /// Recognizes the form: a URL, a request object, or the JSON of the Digital Credentials API.
    init(_ text: String, _ origin: String?, _ options: RequestReadingOptions) throws {
        if text.hasPrefix("{") {
            self = .platform(try Self.platformRequest(text, origin))
        } else if OID4VPInspectCommand.isURL(text) {
            self = .url(try AuthorizationRequest(url: text, options: options))
        } else {
            self = .url(try Self.request(object: text, options))
        }
    }

    private static func platformRequest(_ text: String, _ origin: String?) throws -> PlatformRequest {
        let value = try JSONValue(parsing: text)
        guard let name = value["protocol"]?.stringValue, let data = value["data"]?.objectValue else {
            throw ToolError("a request over the Digital Credentials API has protocol and data")
        }
        guard let origin else { throw ToolError("the request came from a page: say --origin") }
        return PlatformRequest(protocolIdentifier: ExactText(name), data: data, origin: origin)
    }

    /// A request object by itself, whose client is the one that it names.
    private static func request(object: String, _ options: RequestReadingOptions) throws -> AuthorizationRequest {
        let claims = try JWTClaims(decoding: try JWT(compact: object).jws.unverifiedPayload ?? [])
        var parameters: JSONObject = ["request": .string(object)]
        for name in ["client_id", "client_id_scheme"] { parameters[name] = claims[name] }
        return try AuthorizationRequest(parameters: parameters, options: options)
    }

    /// The request with its object at hand.
    ///
    /// It is read as by GET: an object made before cannot repeat the wallet's nonce.
    ///
    /// - Throws: `ToolError` for a request that is not one by reference.
    func withObjectAtHand(_ options: RequestReadingOptions) throws -> WalletRequest {
        let (request, address) = try reference()
        var parameters: JSONObject = [
            "client_id": .string(request.clientID), "request_uri": .string(address.description),
        ]
        parameters["client_id_scheme"] = request.clientIDScheme.map { .string($0) }
        return .url(try AuthorizationRequest(parameters: parameters, options: options))
    }

    func authenticated(
        by authenticator: RequestAuthenticator,
        at time: Date
    ) async -> Verification<AuthenticatedRequest> {
        switch self {
        case .url(let request): await authenticator.authenticate(request, at: time)
        case .platform(let request): await authenticator.authenticate(request, at: time)
        }
    }

    /// The request by reference, with the address that its object is fetched from.
    ///
    /// - Throws: `ToolError` for any other request.
    fileprivate func reference() throws(ToolError) -> (request: AuthorizationRequest, address: HTTPURL) {
        guard case .url(let request) = self, case .reference(let reference) = request.form else {
            throw ToolError("the request is not one by reference: leave out --request-object")
        }
        return (request, reference.url)
    }
}

/// The network of a wallet on the command line, with a request object at hand in place of the one there.
struct WalletTransport: HTTPTransport {
    private let object: (address: HTTPURL, body: [UInt8])?
    /// The network, or the error for a request that needs one in a build without it.
    private let network: Result<any HTTPTransport, ToolError>

    init(
        _ options: WalletNetworkOptions,
        requestObject: InputFile?,
        for request: WalletRequest
    ) throws(ToolError) {
        object = try requestObject.map { file throws(ToolError) in (try request.reference().address, try file.read()) }
        network =
            options.isGiven
            ? .success(try options.transport()) : Result { () throws(ToolError) in try options.transport() }
    }

    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        if let object, object.address == request.url {
            let answers = try [
                "\(object.address)": InMemoryHTTPAnswer.ok(
                    object.body,
                    type: MediaType("application/oauth-authz-req+jwt")
                )
            ]
            return try await InMemoryHTTPTransport(answers).response(to: request)
        }
        switch network {
        case .success(let network): return try await network.response(to: request)
        case .failure(let error): throw TransportError(.connectionFailed, error.description)
        }
    }
}

import CredentialServing
import HTTPTypes
import IRMAMessages
import JSONKit

extension ServerResponse {
    /// An answer of JSON, with the content type that the reference sends.
    static func irma(_ json: JSONValue, status: Int = 200) -> ServerResponse {
        irma(json.encoded(), status: status)
    }

    /// An answer of encoded JSON.
    static func irma(_ body: [UInt8], status: Int = 200) -> ServerResponse {
        var response = ServerResponse(HTTPResponse.Status(code: status), body: .bytes(body))
        response.headerFields[.contentType] = "application/json; charset=UTF-8"
        response.headerFields[.cacheControl] = "no-store"
        return response
    }

    /// An answer of a message.
    static func irma(_ message: some IRMAMessage) throws(RemoteError) -> ServerResponse {
        do throws(IRMAError) {
            return .irma(try message.json())
        } catch {
            throw RemoteError(.exception, message: error.displayText)
        }
    }

    /// An answer to a wallet; a repeated one has no content type, as the reference's.
    init(_ answer: WalletAnswer) {
        self = .irma(answer.body, status: answer.code)
        if answer.isRepeated { headerFields[.contentType] = nil }
    }

    /// An answer of plain text.
    static func irma(text: String) -> ServerResponse {
        ServerResponse(
            .ok,
            headerFields: [.contentType: "text/plain", .cacheControl: "no-store"],
            body: .bytes(Array(text.utf8))
        )
    }

    /// An answer without a body.
    static func irmaEmpty(_ status: HTTPResponse.Status = .ok) -> ServerResponse { ServerResponse(status) }

    /// The answer for an error.
    init(_ error: RemoteError) {
        self = .irma(error.bounded.json(), status: error.status ?? 500)
    }
}

extension RemoteError {
    /// The error for a refusal of the HTTP layer.
    ///
    /// - Parameters:
    ///   - error: The refusal.
    ///   - malformed: The name for a body that cannot be read.
    init(_ error: ServingError, malformed: Name) {
        switch error.code {
        case .notFound, .methodNotAllowed:
            self.init(.invalidRequest)
            status = error.code.status.code
            summary = nil
        case .bodyTooLarge, .incompleteBody, .invalidRequest, .invalidParameter:
            self.init(malformed, message: error.message)
        case .requestTimedOut, .deadlineExceeded:
            self.init(.internalError, message: error.message)
            status = error.code.status.code
        default:
            self.init(.internalError)
        }
    }

    /// The error for anything that a handler throws.
    static func any(_ error: any Error, malformed: Name) -> RemoteError {
        switch error {
        case let error as RemoteError: error
        case let error as ServingError: RemoteError(error, malformed: malformed)
        case let error as SessionStoreError: RemoteError(error)
        default: RemoteError(.internalError)
        }
    }
}

extension ServerRequest {
    /// The host that the request names, with its port if it has one.
    var host: String? { head.authority }

    /// A token in the path.
    ///
    /// - Throws: `INVALID_REQUEST` for a value that is not a token.
    func token() throws(RemoteError) -> String {
        guard let token = try? parameters.text("token"), SessionTokens.isToken(token) else {
            throw .invalidRequest("not a session token")
        }
        return token
    }

    /// The wallet's request.
    func walletCall() throws(RemoteError) -> WalletCall {
        WalletCall(token: try token(), authorization: headerFields[.authorization], host: host)
    }

    /// The whole body.
    func bytes(upTo size: Int, malformed: RemoteError.Name) async throws(RemoteError) -> [UInt8] {
        do {
            return try await body.collect(upTo: size)
        } catch {
            throw RemoteError(error, malformed: malformed)
        }
    }
}

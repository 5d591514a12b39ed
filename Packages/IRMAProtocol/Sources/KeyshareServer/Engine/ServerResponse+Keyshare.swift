package import CredentialServing
import HTTPTypes
package import IRMAMessages
import JSONKit

extension ServerResponse {
    /// An answer in JSON, with the type as the reference writes it.
    package static func keyshareJSON(_ message: some IRMAMessage) throws -> ServerResponse {
        keyshareJSON(try message.encoded())
    }

    /// An answer of JSON, with the type as the reference writes it.
    package static func keyshareJSON(_ bytes: [UInt8]) -> ServerResponse {
        ServerResponse(
            .ok,
            headerFields: [.contentType: "application/json; charset=UTF-8", .cacheControl: "no-store"],
            body: .bytes(bytes)
        )
    }

    /// An answer in plain text, with the type as the reference writes it.
    package static func keyshareText(_ text: String) -> ServerResponse {
        ServerResponse(
            .ok,
            headerFields: [.contentType: "text/plain", .cacheControl: "no-store"],
            body: .bytes(Array(text.utf8))
        )
    }

    /// The answer to a request that failed.
    package static func refusal(of error: any Error) -> ServerResponse {
        var remote = RemoteError(refusing: error)
        // A message may quote a name of the request, which may be as long as its body.
        remote.message = remote.message.map { String($0.unicodeScalars.prefix(1000)) }
        var status = remote.status ?? 500
        if let error = error as? ServingError {
            // Paths, methods and times keep their status under the one name that there is.
            status = error.code.status.code
            remote.status = status
        }
        return ServerResponse(
            HTTPResponse.Status(code: status),
            headerFields: [.contentType: "application/json; charset=UTF-8", .cacheControl: "no-store"],
            body: .bytes(remote.json().encoded())
        )
    }
}

extension RemoteError {
    /// The error of an answer; of a fault of the server it tells nothing.
    fileprivate init(refusing error: any Error) {
        switch error {
        case let error as RemoteError: self = error
        case let error as ServingError:
            let isInternal = error.code.status.kind == .serverError
            self.init(isInternal ? .internalError : .invalidRequest, message: isInternal ? nil : error.message)
        case let error as KeyshareServerError where [.invalidPIN, .invalidMailAddress].contains(error.code):
            self.init(.invalidRequest, message: error.message)
        case let error as KeyshareServerError where [.overloaded, .conflict, .tooManyTokens].contains(error.code):
            self.init(.tooManyRequests)
        case let error as SessionStoreError where error.code == .tooManyAttempts:
            self.init(.tooManyRequests)
        case let error as KeyshareServerError where error.code == .accountNotFound:
            self.init(.userNotRegistered, message: "could not find specified user")
        default: self.init(.internalError)
        }
    }
}

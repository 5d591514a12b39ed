import CredentialServing
import IRMAMessages

extension RemoteError {
    /// A wallet or a frontend that is not the session's.
    static func notOfSession(_ message: String? = nil) -> RemoteError {
        RemoteError(.unauthorized, summary: Name.UnauthorizedSummary.session, message: message)
    }

    /// The refusal of a request when a session is to be started.
    static func invalidRequest(_ message: String) -> RemoteError { RemoteError(.invalidRequest, message: message) }

    /// The refusal of a body that cannot be read.
    static func malformed(_ error: IRMAError) -> RemoteError {
        RemoteError(.malformedInput, message: error.displayText)
    }

    /// The same error with at most a thousand characters of detail, whatever a message had for names.
    var bounded: RemoteError {
        var error = self
        error.message = message.map { String($0.unicodeScalars.prefix(1000)) }
        return error
    }

    /// The answer for a store that fails; the reason is the operator's to know.
    init(_ error: SessionStoreError) {
        self.init(error.code == .notFound ? .sessionUnknown : .internalError)
    }
}

extension IRMAError {
    /// The message, with the place where the message does not name it.
    var displayText: String {
        // A long name is not searched for: it may be as long as the message that it came in.
        guard let last = path.last, last.utf8.count < 256, message.utf8.count < 4096, !message.contains(last) else {
            return message
        }
        return "\(message) (\(path.joined(separator: ".")))"
    }
}

#if Server
public import CredentialServingOperations
public import IRMAServer
public import KeyshareServer
public import VerificationCore

// The words of a database are for the operator: without these, a log has the type of the error alone. The log's redaction looks for
// secrets in them, as in every text.

extension IRMAServerError: LoggableError {}
extension KeyshareServerError: LoggableError {}

extension CodedError where Self: LoggableError {
    /// Code, place and message; the type alone of a cause that is not a `LoggableError`.
    public var loggableText: String {
        var text = "\(code)"
        if !path.isEmpty { text += " in " + path.joined(separator: ".") }
        text += ": " + message
        if let cause { text += " (" + ((cause as? any LoggableError)?.loggableText ?? "\(type(of: cause))") + ")" }
        return text
    }
}
#endif

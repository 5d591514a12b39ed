#if Server
public import CredentialServingOperations
public import IRMAServer
public import KeyshareServer

// The words of a database are for the operator: without these, a log has the type of the error alone. The log's redaction looks for
// secrets in them, as in every text.

extension IRMAServerError: LoggableError {
    /// The error's description.
    public var loggableText: String { description }
}

extension KeyshareServerError: LoggableError {
    /// The error's description.
    public var loggableText: String { description }
}
#endif

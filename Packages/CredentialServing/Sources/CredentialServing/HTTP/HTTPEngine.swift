/// A server without sockets: a value that answers requests.
///
/// Engines know nothing of connections. A driver runs them: ``InMemoryServer`` within a process, the module
/// CredentialServingHummingbird over the network. An engine may be called by many tasks at the same time; its state is in
/// stores that it is made with.
///
/// The task that calls an engine is cancelled when its client goes away. The response of a cancelled request is dropped.
public protocol HTTPEngine: Sendable {
    /// Answers a request.
    ///
    /// A refusal is a response as well: engines do not throw.
    func response(to request: ServerRequest) async -> ServerResponse
}

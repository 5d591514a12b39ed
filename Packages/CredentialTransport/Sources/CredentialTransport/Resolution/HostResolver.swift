/// Finds the addresses of a host.
public protocol HostResolver: Sendable {
    /// The addresses of a name, the preferred one first, and no others than those that may be connected to.
    ///
    /// An implementation ends early when its task is cancelled.
    ///
    /// - Parameter host: A name of the DNS in ASCII and lower case.
    /// - Throws: ``TransportError/Code/resolutionFailed``, ``TransportError/Code/resolverBusy`` or
    ///   ``TransportError/Code/cancelled``.
    func addresses(of host: String) async throws(TransportError) -> [IPAddress]
}

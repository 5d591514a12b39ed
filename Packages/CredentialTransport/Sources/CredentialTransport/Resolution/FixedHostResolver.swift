/// A resolver that knows the addresses of a few names, for tests and for hosts that are pinned.
public struct FixedHostResolver: HostResolver {
    private let hosts: [String: [IPAddress]]

    /// A resolver that knows these hosts, in lower case, and no others.
    public init(_ hosts: [String: [IPAddress]]) {
        self.hosts = hosts
    }

    /// The addresses of a name.
    public func addresses(of host: String) async throws(TransportError) -> [IPAddress] {
        guard let addresses = hosts[host] else {
            throw TransportError(.resolutionFailed, "the host is not known", path: [host])
        }
        return addresses
    }
}

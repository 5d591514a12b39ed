/// The permitted targets of requests, so that a URL from a stranger cannot reach the inside of a network.
///
/// By default that is the public Internet by https: named hosts, none of whose addresses is loopback, private or
/// otherwise reserved. The addresses that a name resolves to are judged, and the connection goes to one of them.
///
/// ```swift
/// AddressGuard()                                                        // in production
/// AddressGuard(allowing: [.loopback], plainHTTP: true, ports: .any)     // in development
/// ```
public struct AddressGuard: Hashable, Sendable {
    /// The kinds of addresses that are let through beside those of the public Internet.
    public var allowedKinds: Set<AddressKind>
    /// Indicates that a URL may name an address instead of a host.
    public var allowsLiteralAddresses: Bool
    /// Indicates that a URL may be `http`.
    public var allowsPlainHTTP: Bool
    /// The permitted ports.
    public var ports: PortPolicy

    /// The largest number of addresses of one host that are judged.
    public static let maximumAddresses = 64

    /// Sets the permissions; omitted ones have their defaults, the strictest.
    ///
    /// - Parameters:
    ///   - kinds: Kinds of addresses to let through beside those of the public Internet.
    ///   - literalAddresses: Indicates that a URL may name an address instead of a host.
    ///   - plainHTTP: Indicates that a URL may be `http`.
    ///   - ports: The permitted ports.
    public init(
        allowing kinds: Set<AddressKind> = [],
        literalAddresses: Bool = false,
        plainHTTP: Bool = false,
        ports: PortPolicy = .web
    ) {
        allowedKinds = kinds
        allowsLiteralAddresses = literalAddresses
        allowsPlainHTTP = plainHTTP
        self.ports = ports
    }

    /// Refuses a URL whose scheme, port or literal address is not allowed.
    ///
    /// - Throws: ``TransportError/Code/schemeNotAllowed``, ``TransportError/Code/portNotAllowed``,
    ///   ``TransportError/Code/literalAddressNotAllowed`` or ``TransportError/Code/addressNotAllowed``.
    public func requireAllowed(_ url: HTTPURL) throws(TransportError) {
        guard url.scheme == .https || allowsPlainHTTP else {
            throw TransportError(.schemeNotAllowed, "plain http is not allowed", path: [url.description])
        }
        guard ports.allows(url.port) else {
            throw TransportError(.portNotAllowed, "port \(url.port) is not allowed", path: [url.description])
        }
        guard case .address(let address) = url.host else { return }
        guard allowsLiteralAddresses else {
            throw TransportError(
                .literalAddressNotAllowed,
                "a host must be named, not given by its address",
                path: [url.description]
            )
        }
        try requireAllowed(address, of: url.host)
    }

    /// Refuses the addresses of a host unless every one of them is allowed.
    ///
    /// A single forbidden address refuses the host: a name with both a public and a private address is a known way around
    /// filters.
    ///
    /// - Throws: ``TransportError/Code/addressNotAllowed``, or ``TransportError/Code/resolutionFailed`` for no address
    ///   or more than ``maximumAddresses``.
    public func requireAllowed(_ addresses: [IPAddress], of host: HTTPURL.Host) throws(TransportError) {
        guard (1...Self.maximumAddresses).contains(addresses.count) else {
            throw TransportError(.resolutionFailed, "has \(addresses.count) addresses", path: [host.description])
        }
        for address in addresses { try requireAllowed(address, of: host) }
    }

    private func requireAllowed(_ address: IPAddress, of host: HTTPURL.Host) throws(TransportError) {
        guard let kind = address.kind, !allowedKinds.contains(kind) else { return }
        throw TransportError(.addressNotAllowed, "\(address) is \(kind)", path: [host.description])
    }
}

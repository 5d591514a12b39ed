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

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// One lookup, which blocks its thread.
enum AddressLookup {
    /// The addresses of the file of hosts, or else those of `getaddrinfo`.
    static func addresses(of host: String) -> Result<[IPAddress], TransportError> {
        // getaddrinfo reads the file, too, but not for the absolute form of a name.
        let listed = host.contains(".") ? HostsFile.addresses(of: host) : []
        return listed.isEmpty ? resolved(host) : .success(listed)
    }

    private static func resolved(_ host: String) -> Result<[IPAddress], TransportError> {
        var hints = unsafe addrinfo()
        #if canImport(Glibc)
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        unsafe hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(absolute(host), nil, &hints, &list)
        guard status == 0 else {
            let reason = unsafe String(cString: gai_strerror(status))
            return .failure(TransportError(.resolutionFailed, reason, path: [host]))
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe address(entry.pointee), !addresses.contains(address) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        return .success(addresses)
    }

    /// The name with a dot at the end, which keeps the resolver from trying it below the domains of this machine first.
    ///
    /// Names of one label are left alone: only the file of hosts, which has them without, and those domains know them.
    private static func absolute(_ host: String) -> String {
        host.contains(".") ? host + "." : host
    }

    private static func address(_ entry: addrinfo) -> IPAddress? {
        guard let socketAddress = unsafe entry.ai_addr else { return nil }
        let length = Int(unsafe entry.ai_addrlen)
        switch unsafe entry.ai_family {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let bits = unsafe UnsafeRawPointer(socketAddress).loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
            return .v4(UInt32(bigEndian: bits))
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            let octets = unsafe UnsafeRawPointer(socketAddress).loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return .v6(unsafe withUnsafeBytes(of: octets) { unsafe $0.reduce(0) { $0 << 8 | UInt128($1) } })
        default:
            return nil
        }
    }
}

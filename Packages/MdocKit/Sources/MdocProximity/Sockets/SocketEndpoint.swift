public import CredentialTransport
import MdocKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The address that a socket listens at or connects to.
public enum SocketEndpoint: Hashable, Sendable {
    /// A TCP address and port; port 0 lets the system choose when listening.
    case tcp(IPAddress, port: UInt16)
    /// A path in the file system.
    case unix(path: String)

    /// A TCP port that only this machine can reach.
    public static func loopback(port: UInt16 = 0) -> SocketEndpoint {
        .tcp(.v4(0x7f00_0001), port: port)
    }

    /// The family of addresses.
    var family: Int32 {
        switch self {
        case .tcp(.v4, _): AF_INET
        case .tcp(.v6, _): AF_INET6
        case .unix: AF_UNIX
        }
    }
}

extension SocketEndpoint {
    /// Lends the address in the system's form.
    ///
    /// - Throws: `MdocError` with code `transportFailed` if a path is too long or holds a zero byte.
    func withAddress<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) throws(MdocError) -> Value {
        switch self {
        case .tcp(.v4(let bits), let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = bits.bigEndian
            return unsafe Self.lend(address, body)
        case .tcp(.v6(let bits), let port):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { bytes in
                unsafe withUnsafeBytes(of: bits.bigEndian) { unsafe bytes.copyMemory(from: $0) }
            }
            return unsafe Self.lend(address, body)
        case .unix(let path):
            return unsafe Self.lend(try Self.address(ofPath: path), body)
        }
    }

    private static func address(ofPath path: String) throws(MdocError) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // The last byte stays zero and ends the path.
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard !bytes.isEmpty, bytes.count <= room, !bytes.contains(0) else {
            throw MdocError(.transportFailed, "the path of a socket must have 1 to \(room) bytes, none of them zero")
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return address
    }

    private static func lend<Address, Value>(
        _ address: Address,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    /// The endpoint of TCP that a socket was bound to.
    init?(boundTo descriptor: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        guard status == 0 else { return nil }
        let endpoint: SocketEndpoint? = unsafe withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_INET:
                let address = unsafe bytes.loadUnaligned(as: sockaddr_in.self)
                return .tcp(.v4(UInt32(bigEndian: address.sin_addr.s_addr)), port: UInt16(bigEndian: address.sin_port))
            case AF_INET6:
                let address = unsafe bytes.loadUnaligned(as: sockaddr_in6.self)
                let bits = unsafe withUnsafeBytes(of: address.sin6_addr) {
                    unsafe $0.reduce(0) { $0 << 8 | UInt128($1) }
                }
                return .tcp(.v6(bits), port: UInt16(bigEndian: address.sin6_port))
            default:
                return nil
            }
        }
        guard let endpoint else { return nil }
        self = endpoint
    }
}

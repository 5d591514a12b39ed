import MdocKit
import MdocProximity

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A connection to a Unix socket that writes whatever a test wants.
struct RawSocket {
    private let descriptor: Int32

    init(_ endpoint: SocketEndpoint) throws {
        guard case .unix(let path) = endpoint else { throw MdocError(.transportFailed, "no path") }
        #if canImport(Glibc)
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw MdocError(.transportFailed, "not connected") }
    }

    func write(_ bytes: [UInt8]) {
        _ = send(descriptor, bytes, bytes.count, 0)
    }

    func close() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
        finish()
    }

    private func finish() {
        #if canImport(Darwin)
        _ = Darwin.close(descriptor)
        #elseif canImport(Glibc)
        _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
        _ = Musl.close(descriptor)
        #endif
    }
}

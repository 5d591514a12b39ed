import ArgumentParser
import CBORKit
import MdocKit

/// Where a wallet listens: the path of a Unix socket, or an IP address and a port as `127.0.0.1:7000` or `[::1]:7000`.
struct SocketAddress: ExpressibleByArgument, Sendable {
    let endpoint: SocketEndpoint

    init?(argument: String) {
        guard let endpoint = SocketEndpoint(argument) else { return nil }
        self.endpoint = endpoint
    }
}

extension DeviceRetrievalMethod {
    /// No radio has this number: it is how these commands tell each other, on one machine, where the wallet listens.
    private static let socketType: UInt64 = 65_535

    /// A socket as a way to retrieve data.
    static func socket(_ endpoint: SocketEndpoint) -> DeviceRetrievalMethod {
        .other(type: socketType, version: 1, options: .text(endpoint.description))
    }

    /// The socket, if it is one.
    var socket: SocketEndpoint? {
        guard case .other(Self.socketType, 1, .text(let address)?) = self else { return nil }
        return SocketEndpoint(address)
    }
}

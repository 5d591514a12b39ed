import ArgumentParser
import MdocKit
import MdocProximity

/// The address of a wallet: the path of a Unix socket, or an IP address and a port as `127.0.0.1:7000` or `[::1]:7000`.
struct SocketAddress: ExpressibleByArgument, Sendable {
    let endpoint: SocketEndpoint

    init?(argument: String) {
        guard let endpoint = SocketEndpoint(argument) else { return nil }
        self.endpoint = endpoint
    }
}

#if Server
import CredentialServing
import CredentialTransport
import NIOCore

extension IPAddress {
    /// The address of a socket; nil for one that is no address of the Internet Protocol.
    ///
    /// A listener for both versions sees clients of version 4 by mapped addresses, which are taken for what they stand for.
    init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress, let address = IPAddress(text) else { return nil }
        self = address.withoutMapping
    }
}
#endif

#if Server && Client
import OID4VPKit
import Synchronization
import Testing

/// A transaction and the wallet's response to it, beyond the life of a server.
final class Kept: Sendable {
    private let content = Mutex<(SocketWorld.Transaction, AuthorizationResponse)?>(nil)

    func keep(_ transaction: SocketWorld.Transaction, _ response: AuthorizationResponse) {
        content.withLock { $0 = (transaction, response) }
    }

    func get() throws -> (SocketWorld.Transaction, AuthorizationResponse) {
        try #require(content.withLock { $0 })
    }
}
#endif

public import CredentialTransport
import CryptoCore
public import IRMAMessages
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The keys of timestamp servers, for the signatures of wallets.
public protocol TimestampKeySource: Sendable {
    /// The trusted keys of a server.
    ///
    /// - Parameters:
    ///   - timestamp: The timestamp that is to be verified; nothing in it is verified.
    ///   - server: The URL of the server, as the scheme names it.
    func keys(for timestamp: SignatureTimestamp, of server: String) async -> TimestampKeys
}

/// Keys of timestamp servers that the operator knows.
public struct TrustedTimestampKeys: TimestampKeySource {
    private let keys: TimestampKeys

    /// Trusts keys; by default none, and then no signature with a timestamp verifies.
    public init(_ keys: TimestampKeys = TimestampKeys()) {
        self.keys = keys
    }

    /// The trusted keys.
    public func keys(for timestamp: SignatureTimestamp, of server: String) -> TimestampKeys { keys }
}

/// Asks timestamp servers about their keys, and keeps confirmed keys for as long as they say.
public final class RemoteTimestampKeys: TimestampKeySource {
    private let transport: any HTTPTransport
    private let now: @Sendable () -> Date
    private let known = Mutex(TimestampKeys())

    /// Asks over a transport.
    ///
    /// - Parameters:
    ///   - transport: The transport; its guard decides which servers may be asked.
    ///   - clock: Returns the current time.
    public init(transport: any HTTPTransport, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.transport = transport
        now = clock
    }

    /// The trusted keys, among them that of the timestamp if its server confirms it.
    public func keys(for timestamp: SignatureTimestamp, of server: String) async -> TimestampKeys {
        let known = known.withLock { $0 }
        let time = now()
        let isKnown = known.keys(of: server).contains {
            $0.publicKey.rawRepresentation == timestamp.signature.publicKey && ($0.expiresAt.map { $0 > time } ?? true)
        }
        guard !isKnown, timestamp.signature.publicKey.count == 32 else { return known }
        let base = server.hasSuffix("/") ? server : server + "/"
        let query = TimestampKeyStatus.query(for: timestamp.signature.publicKey)
        guard let url = try? HTTPURL("\(base)checkPublicKey?\(query)"),
            let response = try? await transport.response(to: .get(url, accepting: .any)),
            let status = try? TimestampKeyStatus(decoding: response.body),
            status.expiresAt > time
        else { return known }
        return self.known.withLock { known in
            try? known.add(keyOf: timestamp, confirmedBy: status, of: server)
            return known
        }
    }
}

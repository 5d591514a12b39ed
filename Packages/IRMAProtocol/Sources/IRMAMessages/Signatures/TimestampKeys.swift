public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A public key of a timestamp server, which a verifier trusts.
public struct TimestampKey: Hashable, Sendable {
    /// The key: Ed25519.
    public let publicKey: PublicKey
    /// The time until which the server vouches for its timestamps; nil for no end.
    public let expiresAt: Date?

    /// Describes a key.
    ///
    /// - Parameters:
    ///   - rawRepresentation: The 32 bytes of the key.
    ///   - expiresAt: The time until which the server vouches for its timestamps; nil for no end.
    /// - Throws: ``IRMAError/Code/invalidTimestamp`` for a value that is not a key.
    public init(rawRepresentation: [UInt8], expiresAt: Date? = nil) throws(IRMAError) {
        do {
            publicKey = try PublicKey(curve: .ed25519, rawRepresentation: rawRepresentation)
        } catch {
            throw IRMAError(.invalidTimestamp, "no Ed25519 key", path: ["PublicKey"], cause: error)
        }
        self.expiresAt = expiresAt
    }
}

/// The keys of timestamp servers that a verifier trusts, by the URLs of the servers as schemes name them.
///
/// A server confirms a key over the network (`checkPublicKey`); the caller puts the answer here. Nothing in a signed
/// message adds a key.
public struct TimestampKeys: Hashable, Sendable {
    private var keys: [ExactText: [TimestampKey]] = [:]

    /// No keys.
    public init() {}

    /// Adds a key of a server; the same key of the same server is replaced.
    public mutating func add(_ key: TimestampKey, of server: String) {
        keys[Self.name(server), default: []].removeAll { $0.publicKey == key.publicKey }
        keys[Self.name(server), default: []].append(key)
    }

    /// The keys of a server.
    public func keys(of server: String) -> [TimestampKey] { keys[Self.name(server)] ?? [] }

    /// URLs of servers with and without a slash at the end are the same.
    private static func name(_ server: String) -> ExactText {
        ExactText(server.hasSuffix("/") ? String(server.dropLast()) : server)
    }
}

extension SignatureTimestamp {
    /// The time as a date.
    public var date: Date { Date(timeIntervalSince1970: Double(time)) }

    /// The bytes that the server signed: the time in 8 bytes, then the nonce.
    public func signedBytes(nonce: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: time.bigEndian) { Array($0) } + nonce
    }

    /// Refuses a timestamp that none of the keys made over a nonce.
    ///
    /// - Parameters:
    ///   - nonce: The nonce that the timestamp has to be about.
    ///   - keys: The trusted keys of the server that the scheme names.
    /// - Throws: ``IRMAError/Code/invalidTimestamp``.
    public func requireSignature(over nonce: [UInt8], by keys: [TimestampKey]) throws(IRMAError) {
        guard signature.algorithm.hasSameBytes(as: Self.ed25519), hashing == nil else {
            throw IRMAError(.invalidTimestamp, "another algorithm than \(Self.ed25519)", path: ["Alg"])
        }
        guard let key = keys.first(where: { $0.publicKey.rawRepresentation == signature.publicKey }) else {
            throw IRMAError(.invalidTimestamp, "the key is not one of the server's trusted keys", path: ["PublicKey"])
        }
        guard key.expiresAt.map({ $0 > date }) ?? true else {
            throw IRMAError(.invalidTimestamp, "the key expired before the time", path: ["PublicKey"])
        }
        guard key.publicKey.isValidSignature(signature.data, for: signedBytes(nonce: nonce), algorithm: .ed25519) else {
            throw IRMAError(.invalidTimestamp, "the signature does not verify", path: ["Data"])
        }
    }
}

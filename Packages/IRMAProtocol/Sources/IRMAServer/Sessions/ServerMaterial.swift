import CryptoCore
public import IRMAMessages
import Synchronization

/// The schemes and the issuers' private keys that a server works with: an immutable value.
public struct ServerMaterial: Sendable {
    /// The schemes.
    public let schemes: SchemeSnapshot
    /// The private keys of issuers.
    public let issuerKeys: IssuerKeyRing
    /// The schemes that could not be read.
    ///
    /// Permissions may name them. A session that names them is left to the processes that have them.
    public let unreadSchemes: Set<SchemeIdentifier>

    /// Collects schemes and keys.
    public init(
        schemes: SchemeSnapshot,
        issuerKeys: IssuerKeyRing = IssuerKeyRing(),
        unreadSchemes: Set<SchemeIdentifier> = []
    ) {
        self.schemes = schemes
        self.issuerKeys = issuerKeys
        self.unreadSchemes = unreadSchemes
    }

    /// Returns `true` unless a request names a scheme that could not be read.
    func hasSchemes(of request: SessionRequest) -> Bool {
        unreadSchemes.isEmpty
            || unreadSchemes.isDisjoint(with: request.disclose.attributes.map(\.type.credentialType.scheme))
                && unreadSchemes.isDisjoint(with: request.credentials.map(\.credential.scheme))
    }
}

/// The current material of a server, and those before it that sessions may still use.
///
/// A session keeps the material that it was started with. In another process, which does not have it, the current one takes
/// its place.
final class MaterialHistory: Sendable {
    private struct Entry {
        let id: UInt64
        let material: ServerMaterial
        /// The time at which another took its place, in milliseconds since 1970; nil for the current one.
        var replacedAt: Int64?
    }

    private let entries: Mutex<[Entry]>
    private let lifetime: Int64

    /// A history that keeps replaced material for a time in milliseconds.
    init(_ material: ServerMaterial, lifetime: Int64) {
        entries = Mutex([Entry(id: Self.makeID(), material: material)])
        self.lifetime = lifetime
    }

    private static func makeID() -> UInt64 { UInt64.random(in: .min ... .max) }

    /// The current material with its number.
    var current: (id: UInt64, material: ServerMaterial) {
        entries.withLock { entries in
            let last = entries[entries.count - 1]
            return (last.id, last.material)
        }
    }

    /// The material with a number, or else the current one.
    func material(_ id: UInt64) -> ServerMaterial {
        entries.withLock { entries in
            entries.last { $0.id == id }?.material ?? entries[entries.count - 1].material
        }
    }

    /// Puts another material in the place of the current one.
    func replace(with material: ServerMaterial, at time: Int64) {
        entries.withLock { entries in
            entries[entries.count - 1].replacedAt = time
            entries.removeAll { entry in entry.replacedAt.map { $0 + lifetime < time } ?? false }
            entries.append(Entry(id: Self.makeID(), material: material))
        }
    }
}

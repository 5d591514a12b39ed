public import Crypto

/// The keys of an encrypted store: one that seals, and earlier ones that still open.
///
/// To rotate, give every process the new key as an earlier one first, then make it the sealing key everywhere, and drop
/// the old key when the longest session has expired.
public struct SessionKeyring: Sendable {
    /// The keys, the sealing one first.
    let keys: [SessionMasterKey]

    /// A keyring.
    ///
    /// - Parameters:
    ///   - sealing: The key that seals and opens: 32 random bytes.
    ///   - opening: Earlier or coming keys, which only open.
    /// - Throws: ``SessionStoreError/Code-swift.struct/invalidConfiguration`` for a key that is not of 256 bits, one that
    ///   is repeated, and more than 8 keys.
    public init(sealing: SymmetricKey, opening: [SymmetricKey] = []) throws(SessionStoreError) {
        let all = [sealing] + opening
        guard all.count <= 8 else {
            throw SessionStoreError(.invalidConfiguration, "\(all.count) keys, the limit is 8")
        }
        guard all.allSatisfy({ $0.bitCount == 256 }) else {
            throw SessionStoreError(.invalidConfiguration, "a key that is not of 256 bits")
        }
        keys = all.map(SessionMasterKey.init)
        guard Set(keys.map(\.identifier)).count == keys.count else {
            throw SessionStoreError(.invalidConfiguration, "a key is repeated")
        }
    }
}

/// A key of a keyring, from which the keys of names and values are derived (RFC 5869).
struct SessionMasterKey: Sendable {
    /// The name of the key in sealed values.
    let identifier: [UInt8]
    private let nameKey: SymmetricKey
    private let valueKey: SymmetricKey

    init(_ key: SymmetricKey) {
        let derived = { (info: String, count: Int) in
            HKDF<SHA256>.expand(
                pseudoRandomKey: key,
                info: Array("session store 1: \(info)".utf8),
                outputByteCount: count
            )
        }
        identifier = derived("identifier", 8).withUnsafeBytes { Array($0) }
        nameKey = derived("names", 32)
        valueKey = derived("values", 32)
    }

    /// The stored name of a key: an HMAC, so that a copy of the store shows no token.
    func name(of key: SessionKey, kind: SessionNameKind, place: String) -> SessionKey {
        var input = BoundBytes()
        input.append([kind.rawValue])
        input.append(Array(place.utf8))
        input.append(key.bytes)
        return SessionKey(bytes: HMAC<SHA256>.authenticationCode(for: input.bytes, using: nameKey))
    }

    /// The key of one session's values: random nonces never come near their bound for it.
    func valueKey(of name: SessionKey, generation: UInt64) -> SymmetricKey {
        var info = BoundBytes()
        info.append(name.bytes)
        info.append(generation)
        return HKDF<SHA256>.expand(pseudoRandomKey: valueKey, info: info.bytes, outputByteCount: 32)
    }
}

/// The namespace of a key, so that the names of equal tokens differ.
enum SessionNameKind: UInt8, Sendable {
    case primary = 1
    case secondary = 2
}

/// Fields with their lengths, so that no two lists of fields give the same bytes.
struct BoundBytes {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ field: some Collection<UInt8>) {
        append(UInt64(field.count))
        bytes.append(contentsOf: field)
    }

    mutating func append(_ number: UInt64) {
        bytes.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
    }
}

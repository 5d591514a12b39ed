import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The encryption of sessions: AES-256-GCM, bound to the store, the names, the version and the expiry.
///
/// A sealed value is a format byte, the identifier of the key, nonce, ciphertext and tag. The plaintext is the clear
/// keys and the value. A sealed value that is moved to another store, session, version or expiry does not open.
struct SessionSeal: Sendable {
    private static let format: UInt8 = 1

    /// The size that sealing adds at most: format, key identifier, nonce, tag, and the keys with their lengths.
    static func overhead(of limits: SessionLimits) -> Int {
        // The bounds of the format keep the product small.
        38 + (1 + min(max(limits.maximumSecondaryKeys, 0), 254)) * (2 + min(max(limits.maximumKeySize, 0), 0xffff))
    }

    let keyring: SessionKeyring
    let place: String

    /// The name of a key under each key of the ring, the sealing key's first.
    func names(of key: SessionKey, kind: SessionNameKind) -> [SessionKey] {
        keyring.keys.map { $0.name(of: key, kind: kind, place: place) }
    }

    /// A session as the store below sees it.
    ///
    /// - Parameters:
    ///   - entry: The session.
    ///   - index: The key of the ring under which the session is named.
    ///   - version: The version that the value will have.
    func sealed(
        _ entry: SessionEntry,
        namedBy index: Int,
        for version: SessionVersion
    ) throws(SessionStoreError) -> SessionEntry {
        let naming = keyring.keys[index]
        let sealing = keyring.keys[0]
        var sealed = SessionEntry(
            key: naming.name(of: entry.key, kind: .primary, place: place),
            secondaryKeys: entry.secondaryKeys.map { naming.name(of: $0, kind: .secondary, place: place) },
            value: [Self.format] + sealing.identifier,
            expiryMilliseconds: entry.expiryMilliseconds,
            version: entry.version
        )
        do {
            let box = try AES.GCM.seal(
                try plaintext(of: entry),
                using: sealing.valueKey(of: sealed.key, generation: version.generation),
                authenticating: additionalData(of: sealed, version)
            )
            sealed.value += Array(box.nonce) + box.ciphertext + box.tag
        } catch {
            throw SessionStoreError(.invalidValue, "a value that cannot be sealed", cause: error)
        }
        return sealed
    }

    /// The session of what the store below returned.
    func opened(_ entry: SessionEntry) throws(SessionStoreError) -> SessionEntry {
        let value = entry.value
        guard value.count >= 37, value[0] == Self.format else {
            throw SessionStoreError(.damaged, "a value that is not sealed")
        }
        let identifier = Array(value[1..<9])
        guard let key = keyring.keys.first(where: { $0.identifier == identifier }) else {
            throw SessionStoreError(.damaged, "a value sealed with a key that is not in the keyring")
        }
        let bytes: [UInt8]
        do {
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: value[9..<21]),
                ciphertext: value[21..<value.count - 16],
                tag: value[(value.count - 16)...]
            )
            bytes = Array(
                try AES.GCM.open(
                    box,
                    using: key.valueKey(of: entry.key, generation: entry.version.generation),
                    authenticating: additionalData(of: entry, entry.version)
                )
            )
        } catch {
            throw SessionStoreError(.damaged, "a value that was not sealed for its place")
        }
        return try session(bytes, entry)
    }

    /// Everything that a sealed value belongs to.
    private func additionalData(of entry: SessionEntry, _ version: SessionVersion) -> [UInt8] {
        var data = BoundBytes()
        data.append([Self.format])
        data.append(Array(place.utf8))
        data.append(entry.key.bytes)
        data.append(version.generation)
        data.append(version.number)
        data.append(UInt64(bitPattern: entry.expiryMilliseconds))
        data.append(UInt64(entry.secondaryKeys.count))
        for key in entry.secondaryKeys { data.append(key.bytes) }
        return data.bytes
    }

    /// The number of keys, each key behind its length in two bytes, and the value.
    private func plaintext(of entry: SessionEntry) throws(SessionStoreError) -> [UInt8] {
        let keys = [entry.key] + entry.secondaryKeys
        guard keys.count <= 255, keys.allSatisfy({ $0.bytes.count <= 0xffff }) else {
            throw SessionStoreError(.tooLarge, "keys beyond the format of sealed values")
        }
        var bytes = [UInt8(keys.count)]
        bytes.reserveCapacity(entry.value.count + 64 * keys.count)
        for key in keys {
            bytes += [UInt8(key.bytes.count >> 8), UInt8(key.bytes.count & 0xff)]
            bytes += key.bytes
        }
        return bytes + entry.value
    }

    private func session(_ plaintext: [UInt8], _ entry: SessionEntry) throws(SessionStoreError) -> SessionEntry {
        let malformed = SessionStoreError(.damaged, "a sealed value with a malformed list of keys")
        var rest = plaintext[...]
        guard let count = rest.popFirst(), count > 0 else { throw malformed }
        var keys: [SessionKey] = []
        for _ in 0..<count {
            guard let high = rest.popFirst(), let low = rest.popFirst() else { throw malformed }
            let size = Int(high) << 8 | Int(low)
            guard size <= rest.count else { throw malformed }
            keys.append(SessionKey(bytes: rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return SessionEntry(
            key: keys[0],
            secondaryKeys: Array(keys.dropFirst()),
            value: Array(rest),
            expiryMilliseconds: entry.expiryMilliseconds,
            version: entry.version
        )
    }
}

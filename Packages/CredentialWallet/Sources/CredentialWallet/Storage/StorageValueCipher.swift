package import CryptoCore

/// Encrypts the values of a wallet's storage, each for its place and version: AES-256-GCM with both as additional data.
///
/// The sealed value: a random nonce of 12 bytes, the ciphertext, the tag of 16 bytes. A value that was moved to another
/// place, given another version or changed in any bit does not open.
package struct StorageValueCipher: Sendable {
    private let key: SecretBytes

    /// The size of the key in bytes.
    package static let keySize = 32
    private static let algorithm = AEADAlgorithm.aes256GCM

    /// A cipher with the app's key.
    ///
    /// - Throws: `CredentialStoreError` with code `storageFailed` for a key of another size than 32 bytes.
    package init(key: SecretBytes) throws(CredentialStoreError) {
        guard key.count == Self.keySize else {
            throw CredentialStoreError(.storageFailed, "the key has \(key.count) bytes, \(Self.keySize) are needed")
        }
        self.key = key
    }

    /// A key for another purpose, derived from the app's.
    package func derivedKey(for purpose: String) throws(CredentialStoreError) -> SecretBytes {
        do throws(CryptoError) {
            return try HKDF.deriveKey(
                hash: .sha256,
                inputKeyMaterial: key,
                info: Array(purpose.utf8),
                length: Self.keySize
            )
        } catch {
            throw CredentialStoreError(.storageFailed, "no key can be derived", cause: error)
        }
    }

    /// Encrypts a value for a place and version.
    package func seal(
        _ value: SecretBytes,
        at place: StoragePlace,
        version: UInt64
    ) throws(CredentialStoreError) -> [UInt8] {
        let nonce = Self.algorithm.generateNonce()
        do throws(CryptoError) {
            return nonce
                + (try Self.algorithm.sealCombined(
                    value,
                    key: key,
                    nonce: nonce,
                    additionalData: Self.data(place, version)
                ))
        } catch {
            throw CredentialStoreError(
                .storageFailed,
                "the value cannot be encrypted",
                path: [place.collection.description],
                cause: error
            )
        }
    }

    /// Checks and decrypts the value of a place and version.
    ///
    /// - Throws: `CredentialStoreError` with code `storageDamaged`.
    package func open(
        _ sealed: some Collection<UInt8>,
        at place: StoragePlace,
        version: UInt64
    ) throws(CredentialStoreError) -> StorageEntry {
        do throws(CryptoError) {
            var value = try Self.algorithm.openCombined(
                Array(sealed.dropFirst(Self.algorithm.nonceSize)),
                key: key,
                nonce: Array(sealed.prefix(Self.algorithm.nonceSize)),
                additionalData: Self.data(place, version)
            )
            defer { wipe(&value) }
            return StorageEntry(place, SecretBytes(value), version: version)
        } catch {
            throw CredentialStoreError(
                .storageDamaged,
                "the value is not the one that was written here, or the key is wrong",
                path: [place.collection.description],
                cause: error
            )
        }
    }

    /// A sealed value of a place and version, opened or with its error.
    package func record(
        _ sealed: some Collection<UInt8>,
        at place: StoragePlace,
        version: UInt64
    ) -> StorageRecord {
        do throws(CredentialStoreError) {
            return StorageRecord(try open(sealed, at: place, version: version))
        } catch {
            return StorageRecord(place, version: version, .failure(error))
        }
    }

    /// The place and version, as they are authenticated: the version of this form, the collection, the version of the value,
    /// the key.
    private static func data(_ place: StoragePlace, _ version: UInt64) -> [UInt8] {
        Array("credential storage 1".utf8) + [place.collection.number]
            + (0..<8).map { UInt8(truncatingIfNeeded: version >> (56 - 8 * $0)) } + place.key
    }
}

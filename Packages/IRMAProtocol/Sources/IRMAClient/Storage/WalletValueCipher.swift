package import CryptoCore

/// Encrypts the values of a wallet's store, each for its place: AES-256-GCM with the place as additional data.
///
/// The sealed value: a random nonce of 12 bytes, the ciphertext, the tag of 16 bytes. A value that was moved to another place
/// or changed in any bit does not open.
package struct WalletValueCipher: Sendable {
    private let key: SecretBytes

    /// The size of the key in bytes.
    package static let keySize = 32
    private static let algorithm = AEADAlgorithm.aes256GCM

    /// A cipher with the app's key.
    ///
    /// - Throws: ``WalletError/Code/storageFailed`` for a key of another size than 32 bytes.
    package init(key: SecretBytes) throws(WalletError) {
        guard key.count == Self.keySize else {
            throw WalletError(.storageFailed, "the key has \(key.count) bytes, \(Self.keySize) are needed")
        }
        self.key = key
    }

    /// Encrypts a value for a place.
    package func seal(_ value: SecretBytes, at place: WalletPlace) throws(WalletError) -> [UInt8] {
        let nonce = Self.algorithm.generateNonce()
        do throws(CryptoError) {
            return nonce
                + (try Self.algorithm.sealCombined(value, key: key, nonce: nonce, additionalData: Self.data(place)))
        } catch {
            throw WalletError(
                .storageFailed,
                "the value cannot be encrypted",
                path: [place.collection.description],
                cause: error
            )
        }
    }

    /// Checks and decrypts the value of a place.
    ///
    /// - Throws: ``WalletError/Code/storageDamaged``.
    package func open(_ sealed: [UInt8], at place: WalletPlace) throws(WalletError) -> SecretBytes {
        do throws(CryptoError) {
            var value = try Self.algorithm.openCombined(
                Array(sealed.dropFirst(Self.algorithm.nonceSize)),
                key: key,
                nonce: Array(sealed.prefix(Self.algorithm.nonceSize)),
                additionalData: Self.data(place)
            )
            defer { wipe(&value) }
            return SecretBytes(value)
        } catch {
            throw WalletError(
                .storageDamaged,
                "the value is not the one that was written here, or the key is wrong",
                path: [place.collection.description],
                cause: error
            )
        }
    }

    /// The place, as it is authenticated: the version of this form, the collection, the key.
    private static func data(_ place: WalletPlace) -> [UInt8] {
        Array("IRMA wallet 1".utf8) + [place.collection.number] + place.key
    }
}

import CBORKit
import CredentialWallet
import CryptoCore
public import IRMAMessages

/// The wallet's account at the keyshare server of a scheme.
public struct WalletKeyshareAccount: Hashable, Sendable {
    /// The scheme.
    public let scheme: SchemeIdentifier
    /// The name of the account, which the server gave.
    public internal(set) var username: String
    /// Indicates that the login attribute was issued, which ends the enrolment.
    public internal(set) var isComplete: Bool
    /// Indicates that the server knows the device's key; accounts of older wallets have to register one.
    public internal(set) var hasRegisteredKey: Bool
    /// The nonce of 32 bytes that is hashed with the PIN.
    let nonce: SecretBytes

    init(
        scheme: SchemeIdentifier,
        username: String,
        nonce: SecretBytes,
        isComplete: Bool = false,
        hasRegisteredKey: Bool = true
    ) {
        self.scheme = scheme
        self.username = username
        self.nonce = nonce
        self.isComplete = isComplete
        self.hasRegisteredKey = hasRegisteredKey
    }

    /// The place of the account: the hash of the scheme's name, so that the storage does not tell it.
    static func place(of scheme: SchemeIdentifier) -> StoragePlace {
        StoragePlace(.irmaAccounts, key: HashAlgorithm.sha256.digest(of: Array(scheme.text.utf8)))
    }

    /// The change that keeps the account, in the place of a version of it or in none.
    func change(replacing version: UInt64?) -> StorageChange {
        let place = Self.place(of: scheme)
        return version.map { .replace(place, encoded(), version: $0) } ?? .insert(place, encoded())
    }

    /// Reads a stored account.
    ///
    /// - Throws: ``WalletError/Code/storageDamaged``.
    init(decoding value: SecretBytes) throws(WalletError) {
        var bytes = value.withUnsafeBytes { [UInt8]($0) }
        defer { wipe(&bytes) }
        do {
            let map = try CBORDocument(bytes).root.map()
            var nonce = Array(try map.required("nonce").bytes())
            defer { wipe(&nonce) }
            self.init(
                scheme: SchemeIdentifier(try map.required("scheme").text()),
                username: try map.required("username").text(),
                nonce: SecretBytes(nonce),
                isComplete: try map.required("complete").bool(),
                hasRegisteredKey: try map.required("key").bool()
            )
        } catch {
            throw WalletError(.storageDamaged, "the value is no account", path: ["accounts"], cause: error)
        }
    }

    /// The value for the storage.
    func encoded() -> SecretBytes {
        var writer = CBORWriter()
        writer.beginMap(count: 5)
        writer.write(text: "scheme")
        writer.write(text: scheme.text)
        writer.write(text: "username")
        writer.write(text: username)
        writer.write(text: "nonce")
        writer.write(bytes: nonce.withUnsafeBytes { [UInt8]($0) })
        writer.write(text: "complete")
        writer.write(bool: isComplete)
        writer.write(text: "key")
        writer.write(bool: hasRegisteredKey)
        var bytes = writer.finish()
        defer { wipe(&bytes) }
        return SecretBytes(bytes)
    }
}

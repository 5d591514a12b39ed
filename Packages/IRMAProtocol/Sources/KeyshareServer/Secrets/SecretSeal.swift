import CryptoCore
import IdemixCore

/// Seals accounts' records and sessions with the storage keys.
struct SecretSeal: Sendable {
    private let keyring: StorageKeyring
    private let random: any RandomSource

    private static let cipher = AEADAlgorithm.aes256GCM
    private static let nonceSize = 12

    init(_ keyring: StorageKeyring, random: any RandomSource) {
        self.keyring = keyring
        self.random = random
    }

    /// An open record.
    struct Record: Sendable {
        let secrets: UserSecrets
        /// The form that it was in.
        let form: KeyshareRecordForm
        /// The storage key that it was sealed with.
        let keyID: UInt32
    }

    /// Indicates that a record is in another form than records are written in, or was sealed with another key.
    func isOutdated(_ record: Record, form: KeyshareRecordForm) -> Bool {
        // A record in this server's form stays in it: there is no way back to the PIN.
        (record.form == .reference && form == .stretched) || record.keyID != keyring.writing.id
    }

    /// Seals an account's secrets: the key's identifier, a nonce of 12 bytes, the ciphertext with its tag.
    func seal(_ secrets: UserSecrets, of username: String) throws(KeyshareServerError) -> [UInt8] {
        var plaintext = secrets.encoded()
        defer { wipe(&plaintext) }
        let form: KeyshareRecordForm
        if case .plain = secrets.pin { form = .reference } else { form = .stretched }
        let nonce = random.bytes(Self.nonceSize)
        let key = keyring.writing
        do throws(CryptoError) {
            let sealed = try Self.cipher.sealCombined(
                plaintext,
                key: key.key,
                nonce: nonce,
                additionalData: Self.place(form, username)
            )
            return key.id.littleEndianBytes + nonce + sealed
        } catch {
            throw KeyshareServerError(.invalidStorageKey, "the record could not be sealed", cause: error)
        }
    }

    /// Opens an account's record, in whichever form it is.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/unknownStorageKey``,
    ///   ``KeyshareServerError/Code-swift.struct/damagedRecord``.
    func open(_ record: [UInt8], of username: String) throws(KeyshareServerError) -> Record {
        guard record.count > 4 + Self.nonceSize, let keyID = UInt32(littleEndianBytes: record.prefix(4)) else {
            throw KeyshareServerError(.damagedRecord, "a record of \(record.count) bytes")
        }
        let key = try keyring.key(keyID)
        let nonce = Array(record.dropFirst(4).prefix(Self.nonceSize))
        let ciphertext = Array(record.dropFirst(4 + Self.nonceSize))
        // What a record was sealed with tells its form; no byte of it does.
        for form in [KeyshareRecordForm.stretched, .reference] {
            // The only copy, so that wiping it leaves none.
            guard
                var plaintext = try? Self.cipher.openCombined(
                    ciphertext,
                    key: key.key,
                    nonce: nonce,
                    additionalData: Self.place(form, username)
                )
            else { continue }
            defer { wipe(&plaintext) }
            return Record(secrets: try UserSecrets(decoding: plaintext, form: form), form: form, keyID: keyID)
        }
        throw KeyshareServerError(.damagedRecord, "the record was not sealed with its key for this account")
    }

    /// The additional data of a record: none in the form of the reference.
    private static func place(_ form: KeyshareRecordForm, _ username: String) -> [UInt8] {
        switch form {
        case .reference: []
        case .stretched: Array("keyshare account\0".utf8) + Array(username.utf8)
        }
    }
}

extension SecretSeal {
    private static let saltSize = 32

    /// Seals a value for a session store: the key's identifier, a salt of 32 bytes, the ciphertext with its tag.
    ///
    /// Each value has a key of its own, derived with the salt, so that there may be any number of values.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - purpose: The kind of value.
    ///   - place: The account that it belongs to.
    func seal(
        session value: SecretBytes,
        purpose: String,
        place: SecretBytes
    ) throws(KeyshareServerError) -> [UInt8] {
        let salt = random.bytes(Self.saltSize)
        let key = keyring.writing
        do throws(CryptoError) {
            let sealed = try Self.cipher.sealCombined(
                value,
                key: Self.sessionKey(key, salt, purpose),
                nonce: [UInt8](repeating: 0, count: Self.nonceSize),
                additionalData: place
            )
            return key.id.littleEndianBytes + salt + sealed
        } catch {
            throw KeyshareServerError(.invalidStorageKey, "the session could not be sealed", cause: error)
        }
    }

    /// Opens a value of a session store; nil for one that was sealed for another purpose or place.
    func open(session sealed: [UInt8], purpose: String, place: SecretBytes) -> SecretBytes? {
        guard let id = UInt32(littleEndianBytes: sealed.prefix(4)), let key = try? keyring.key(id) else { return nil }
        let salt = Array(sealed.dropFirst(4).prefix(Self.saltSize))
        guard
            var value = try? Self.cipher.openCombined(
                Array(sealed.dropFirst(4 + Self.saltSize)),
                key: Self.sessionKey(key, salt, purpose),
                nonce: [UInt8](repeating: 0, count: Self.nonceSize),
                additionalData: place
            )
        else { return nil }
        defer { wipe(&value) }
        return SecretBytes(value)
    }

    private static func sessionKey(
        _ key: StorageKey,
        _ salt: [UInt8],
        _ purpose: String
    ) throws(CryptoError) -> SecretBytes {
        try HKDF.deriveKey(
            hash: .sha256,
            inputKeyMaterial: key.key,
            salt: salt,
            info: Array("keyshare session\0\(purpose)".utf8),
            length: Self.cipher.keySize
        )
    }
}

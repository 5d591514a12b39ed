import CBORKit
import CryptoCore
import IdemixCore

/// The content of an account's record, once it is open.
struct UserSecrets: Sendable {
    /// The length of an account's identifier in bytes.
    static let idSize = 32

    /// The PIN.
    var pin: StoredPIN
    /// The server's share of the secret key.
    let keyshareSecret: KeyshareSecret
    /// The identifier that tokens name; a new one makes them worthless.
    var id: SecretBytes
    /// The device's key, or nil for old accounts.
    var publicKey: PublicKey?

    /// Reads a device's key: P-256, as ES256 needs it; nil for any other.
    static func deviceKey(_ bytes: some Collection<UInt8>) -> PublicKey? {
        guard bytes.count <= 512, let key = try? PublicKey(subjectPublicKeyInfo: Array(bytes)), key.curve == .p256
        else {
            return nil
        }
        return key
    }
}

/// The form in which a record keeps the PIN.
public enum KeyshareRecordForm: Hashable, Sendable {
    /// The form of this server: the PIN is stretched by scrypt, and the record is bound to the account's name.
    ///
    /// The reference's server does not read it.
    case stretched
    /// The form of the reference, with the PIN as the wallet sends it: as long as a server of the reference uses the same
    /// table.
    case reference
}

extension UserSecrets {
    /// The version of this server's form.
    private static let version: UInt64 = 1

    /// The map of CBOR that is sealed; the caller wipes it.
    ///
    /// The form follows from that of the PIN.
    func encoded() -> [UInt8] {
        // As much as the longest record has, so that the writer makes no second copy.
        var writer = CBORWriter(capacity: 1024)
        switch pin {
        case .plain(let bytes): writeReferenceForm(bytes, to: &writer)
        case .stretched(let pin): writeOwnForm(pin, to: &writer)
        }
        return writer.finish()
    }

    private func writeReferenceForm(_ pin: SecretBytes, to writer: inout CBORWriter) {
        writer.beginMap(count: publicKey == nil ? 3 : 4)
        writer.write(text: "Pin")
        writer.write(secret: pin)
        writer.write(text: "KeyshareSecret")
        writer.write(secret: keyshareSecret.secretInteger.secretBytes(paddedTo: 64))
        writer.write(text: "ID")
        writer.write(secret: id)
        guard let publicKey else { return }
        writer.write(text: "PublicKey")
        writer.write(bytes: publicKey.subjectPublicKeyInfo)
    }

    private func writeOwnForm(_ pin: StretchedPIN, to writer: inout CBORWriter) {
        writer.beginMap(count: publicKey == nil ? 4 : 5)
        writer.write(text: "version")
        writer.write(unsigned: Self.version)
        writer.write(text: "pin")
        writer.beginArray(count: 5)
        writer.write(integer: pin.parameters.cost)
        writer.write(integer: pin.parameters.blockSize)
        writer.write(integer: pin.parameters.parallelism)
        writer.write(bytes: pin.salt)
        writer.write(secret: pin.key)
        writer.write(text: "secret")
        writer.write(secret: keyshareSecret.encodedBytes)
        writer.write(text: "id")
        writer.write(secret: id)
        guard let publicKey else { return }
        writer.write(text: "publicKey")
        writer.write(bytes: publicKey.subjectPublicKeyInfo)
    }
}

extension UserSecrets {
    /// Reads the map of CBOR in a form; the caller wipes the bytes.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/damagedRecord``.
    init(decoding bytes: [UInt8], form: KeyshareRecordForm) throws(KeyshareServerError) {
        do {
            let map = try CBORDocument(bytes).root.map()
            switch form {
            case .reference: try self.init(reference: map)
            case .stretched: try self.init(own: map)
            }
        } catch {
            // The error underneath may quote the record.
            throw KeyshareServerError(.damagedRecord, "the record is not of the form \(form)")
        }
    }

    private init(reference map: CBORMapView) throws {
        let secret = try map.required("KeyshareSecret").bytes()
        guard secret.count <= 64 else { throw Self.malformed }
        let publicKey = map.value(forKey: "PublicKey")
        self.init(
            pin: .plain(try map.required("Pin").secret(count: PaddedPIN.size)),
            keyshareSecret: try KeyshareSecret(BigInteger(bytes: secret)),
            id: try map.required("ID").secret(count: Self.idSize),
            publicKey: try publicKey.flatMap { $0.isNull ? nil : try Self.readKey($0) }
        )
    }

    private init(own map: CBORMapView) throws {
        let found: UInt64 = try map.required("version").integer()
        guard found == Self.version else { throw Self.malformed }
        let pin = try map.required("pin").array(count: 5)
        let salt = try pin.element(at: 3).bytes()
        guard salt.count == StretchedPIN.saltSize else { throw Self.malformed }
        let stretched = StretchedPIN(
            salt: Array(salt),
            parameters: try Scrypt.Parameters(
                cost: pin.element(at: 0).integer(),
                blockSize: pin.element(at: 1).integer(),
                parallelism: pin.element(at: 2).integer()
            ),
            key: try pin.element(at: 4).secret(count: StretchedPIN.keySize)
        )
        self.init(
            pin: .stretched(stretched),
            keyshareSecret: try KeyshareSecret(decoding: map.required("secret").secret(count: 32)),
            id: try map.required("id").secret(count: Self.idSize),
            publicKey: try map.value(forKey: "publicKey").flatMap { try Self.readKey($0) }
        )
    }

    /// The device's key; empty for no key.
    private static func readKey(_ view: CBORView) throws -> PublicKey? {
        let bytes = try view.bytes()
        guard !bytes.isEmpty else { return nil }
        guard let key = deviceKey(bytes) else { throw malformed }
        return key
    }

    private static var malformed: KeyshareServerError {
        KeyshareServerError(.damagedRecord, "the record holds what no record has")
    }
}

extension CBORWriter {
    fileprivate mutating func write(secret: SecretBytes) {
        secret.withUnsafeBytes { write(bytes: $0) }
    }
}

extension CBORView {
    /// The byte string in storage that is wiped.
    fileprivate func secret(count: Int) throws -> SecretBytes {
        let bytes = try bytes()
        guard bytes.count == count else {
            throw KeyshareServerError(.damagedRecord, "\(bytes.count) bytes where \(count) belong")
        }
        return SecretBytes(bytes)
    }
}

import CBORKit
import CryptoCore
import IRMAMessages
import IdemixCore

/// An issuance whose signatures have not come, as a storage keeps it: what was sent and to whom, and the wallet's secrets.
///
/// The length of the open part in 4 bytes, the open part in CBOR, then the secrets, which are kept in wiped storage only.
struct StoredIssuance: Sendable {
    var url: String
    var authorization: String
    var body: [UInt8]
    /// The issuers' keys: a credential type with a counter for each commitment.
    var keys: [(type: CredentialTypeIdentifier, counter: UInt)]
    /// The log's entry, without what is issued.
    var entry: SessionLogEntry
    /// The scheme whose enrolment the session ends, or `nil`.
    var enrollment: SchemeIdentifier?
    /// The state of `PendingIdemixIssuance`.
    var pending: SecretBytes

    /// The value for the storage.
    func encoded() throws(WalletError) -> SecretBytes {
        let encodedEntry = try WalletError.converting { () throws(IRMAError) in try entry.encoded() }
        var writer = CBORWriter()
        writer.beginMap(count: 6)
        writer.write(text: "url")
        writer.write(text: url)
        writer.write(text: "authorization")
        writer.write(text: authorization)
        writer.write(text: "body")
        writer.write(bytes: body)
        writer.write(text: "keys")
        writer.beginArray(count: keys.count)
        for key in keys {
            writer.beginArray(count: 2)
            writer.write(text: key.type.text)
            writer.write(integer: key.counter)
        }
        writer.write(text: "entry")
        writer.write(bytes: encodedEntry)
        writer.write(text: "enrollment")
        if let enrollment { writer.write(text: enrollment.text) } else { writer.writeNull() }
        let open = writer.finish()
        guard let length = UInt32(exactly: open.count) else {
            throw WalletError(.storageFailed, "the message is too long", path: ["issuances"])
        }
        let head = withUnsafeBytes(of: length.bigEndian) { Array($0) } + open
        return SecretBytes(count: head.count + pending.count) { buffer in
            buffer.copyBytes(from: head)
            pending.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: buffer[head.count...]).copyMemory(from: $0)
            }
        }
    }

    /// Reads a stored value.
    ///
    /// - Throws: ``WalletError/Code/storageDamaged``.
    init(decoding value: SecretBytes) throws(WalletError) {
        let parts: (open: [UInt8], secret: SecretBytes)? = value.withUnsafeBytes { bytes in
            guard bytes.count >= 4 else { return nil }
            let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - 4 else { return nil }
            return (
                Array(bytes[4..<4 + length]), SecretBytes(UnsafeRawBufferPointer(rebasing: bytes[(4 + length)...]))
            )
        }
        do {
            guard let parts else { throw WalletError(.storageDamaged, "the value is too short") }
            let map = try CBORDocument(parts.open).root.map()
            url = try map.required("url").text()
            authorization = try map.required("authorization").text()
            body = Array(try map.required("body").bytes())
            keys = try map.required("keys").array().map { key in
                let pair = try key.array().map { $0 }
                guard pair.count == 2 else { throw WalletError(.storageDamaged, "no key") }
                return (CredentialTypeIdentifier(try pair[0].text()), try pair[1].integer())
            }
            entry = try SessionLogEntry(decoding: try map.required("entry").bytes())
            let scheme = try map.required("enrollment")
            enrollment = scheme.isNull ? nil : SchemeIdentifier(try scheme.text())
            pending = parts.secret
        } catch {
            throw WalletError(.storageDamaged, "the value is no issuance", path: ["issuances"], cause: error)
        }
    }

    init(
        url: String,
        authorization: String,
        body: [UInt8],
        keys: [(type: CredentialTypeIdentifier, counter: UInt)],
        entry: SessionLogEntry,
        enrollment: SchemeIdentifier?,
        pending: SecretBytes
    ) {
        self.url = url
        self.authorization = authorization
        self.body = body
        self.keys = keys
        self.entry = entry
        self.enrollment = enrollment
        self.pending = pending
    }
}

public import CBORKit

/// The key whose possession the presenter of a token proves: the `cnf` claim (RFC 8747 section 3.1, RFC 9679).
public enum CWTConfirmation: Sendable {
    /// The public key itself.
    case key(COSEKey)
    /// A symmetric key, encrypted in a COSE_Encrypt or COSE_Encrypt0.
    case encryptedKey(COSETaggedMessage)
    /// The identifier of a key that both sides know.
    case keyID([UInt8])
    /// The SHA-256 thumbprint of the key (RFC 9679 section 5.6).
    case thumbprint([UInt8])

    private static let keyLabel: COSELabel = 1
    private static let encryptedKeyLabel: COSELabel = 2
    private static let keyIDLabel: COSELabel = 3
    private static let thumbprintLabel: COSELabel = 5

    /// Reads the claim; members of other methods are skipped.
    ///
    /// - Throws: ``COSEError/Code/invalidClaim`` for no method or several, and the errors of reading a key.
    public init(cbor view: CBORView) throws(COSEError) {
        let members = try LabelMap(cbor: view, as: "map")
        let labels = [Self.keyLabel, Self.encryptedKeyLabel, Self.keyIDLabel, Self.thumbprintLabel]
        let present = labels.filter(members.contains)
        guard let label = present.first else {
            throw COSEError(.invalidClaim, "no method of confirmation that is implemented")
        }
        // RFC 8747 section 3.1: a key may come with its identifier, and with no other key.
        guard present.count == 1 || present == [Self.keyLabel, Self.keyIDLabel] else {
            throw COSEError(.invalidClaim, "several methods of confirmation")
        }
        guard let member = try members.view(label) else {
            throw COSEError(.invalidClaim, "no method of confirmation that is implemented")
        }
        switch label {
        case Self.keyLabel: self = .key(try COSEKey(cbor: member))
        case Self.encryptedKeyLabel: self = .encryptedKey(try Self.encryptedKey(member))
        case Self.keyIDLabel: self = .keyID(try Self.bytes(member, "kid"))
        default: self = .thumbprint(try Self.bytes(member, "ckt"))
        }
    }

    /// A COSE_Encrypt0 of three elements or a COSE_Encrypt of four, whose tag is optional (RFC 8747 section 3.1).
    private static func encryptedKey(_ view: CBORView) throws(COSEError) -> COSETaggedMessage {
        switch view.tag == nil ? try? view.array().count : nil {
        case 3: return .encrypt0(try COSEEncrypt0(cbor: view))
        case 4: return .encrypt(try COSEEncrypt(cbor: view))
        default: return try COSETaggedMessage(cbor: view)
        }
    }

    private static func bytes(_ view: CBORView, _ name: String) throws(COSEError) -> [UInt8] {
        do {
            return [UInt8](try view.bytes())
        } catch {
            throw COSEError(.invalidClaim, error.message, path: [name], cause: error)
        }
    }

    /// The claim's value.
    public func encoded() -> [UInt8] {
        var writer = CBORWriter()
        writer.beginMap(count: 1)
        switch self {
        case .key(let key):
            writer.write(Self.keyLabel.cbor)
            key.encode(to: &writer)
        case .encryptedKey(let message):
            writer.write(Self.encryptedKeyLabel.cbor)
            writer.write(encoded: message.encoded())
        case .keyID(let bytes):
            writer.write(Self.keyIDLabel.cbor)
            writer.write(bytes: bytes)
        case .thumbprint(let bytes):
            writer.write(Self.thumbprintLabel.cbor)
            writer.write(bytes: bytes)
        }
        return writer.finish()
    }
}

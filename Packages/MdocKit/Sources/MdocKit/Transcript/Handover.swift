package import CBORKit
internal import CryptoCore

/// The contact between the two sides: the third member of a ``SessionTranscript`` (ISO/IEC 18013-5, 12.7.1, and its
/// kin).
///
/// Every flow has its own form. A response does not show the form that its wallet used, so both sides must agree on it
/// beforehand. Each function's documentation names the document that defines its form.
public struct Handover: Hashable, Sendable {
    /// The handover as one encoded CBOR item.
    public let encodedBytes: [UInt8]

    /// Wraps an encoded item, as received.
    init(encodedBytes: some Collection<UInt8>) {
        self.encodedBytes = [UInt8](encodedBytes)
    }

    /// Builds an array of a given number of members.
    init(array count: Int, _ members: (inout CBORWriter) -> Void) {
        encodedBytes = CBORWriter.bytes { writer in
            writer.beginArray(count: count)
            members(&writer)
        }
    }

    /// `null`: the engagement came as a QR code.
    public static let qr = Handover(encodedBytes: CBORWriter.bytes { $0.writeNull() })

    /// `[Hs, Hr / null]`: the engagement came over NFC.
    ///
    /// - Parameters:
    ///   - select: The Handover Select message, the whole NDEF message as sent.
    ///   - request: The Handover Request message in negotiated handover, nil in static handover.
    public static func nfc(select: [UInt8], request: [UInt8]? = nil) -> Handover {
        Handover(array: 2) { writer in
            writer.write(bytes: select)
            writer.write(optionalBytes: request)
        }
    }

    /// The SHA-256 digest of ReaderEngagementBytes: website retrieval (ISO/IEC TS 18013-7, Annex A).
    ///
    /// - Parameter readerEngagementBytes: The tag-24 item as exchanged, its head included.
    public static func website(readerEngagementBytes: [UInt8]) -> Handover {
        Handover(encodedBytes: CBORWriter.bytes { $0.write(bytes: sha256(readerEngagementBytes)) })
    }

    /// `["dcapi", SHA-256 of [Base64EncryptionInfo, origin]]`: `org-iso-mdoc` over the Digital Credentials API
    /// (ISO/IEC TS 18013-7, Annex C).
    ///
    /// - Parameters:
    ///   - encryptionInfo: The base64url text of the request's `encryptionInfo`, exactly as sent.
    ///   - origin: The origin of the page that asks, such as `https://example.com`.
    public static func digitalCredentialsAPI(encryptionInfo: String, origin: String) -> Handover {
        hashed("dcapi") { writer in
            writer.beginArray(count: 2)
            writer.write(text: encryptionInfo)
            writer.write(text: origin)
        }
    }

    /// `[name, SHA-256 of an encoded item]`, the form of the newer handovers.
    package static func hashed(_ name: String, _ info: (inout CBORWriter) -> Void) -> Handover {
        Handover(array: 2) { writer in
            writer.write(text: name)
            writer.write(bytes: sha256(CBORWriter.bytes(info)))
        }
    }

    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        HashAlgorithm.sha256.digest(of: bytes)
    }
}

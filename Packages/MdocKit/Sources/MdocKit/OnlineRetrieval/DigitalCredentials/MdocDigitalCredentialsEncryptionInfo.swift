import CBORKit
import COSEKit
public import CryptoCore

/// EncryptionInfo of `org-iso-mdoc`: a nonce, and the key that the response is encrypted to (ISO/IEC TS 18013-7, C.3).
///
/// The session is bound to its base64url text exactly as sent, ``text``.
public struct MdocDigitalCredentialsEncryptionInfo: Sendable {
    /// At least 16 random bytes, new for every request.
    public let nonce: [UInt8]
    /// The reader's key on P-256, new for every request.
    public let recipientPublicKey: PublicKey
    /// Base64EncryptionInfo: the base64url text exactly as built or received.
    public let text: String
    /// The deviations from the standard that were tolerated in reading the content of the text.
    public let deviations: [MdocDeviation]

    /// The fewest bytes of a nonce.
    public static let minimumNonceSize = 16
    private static let name = "dcapi"

    /// Builds the structure.
    ///
    /// - Parameters:
    ///   - recipientKey: The reader's key on P-256, new for every request.
    ///   - nonce: At least 16 random bytes.
    /// - Throws: ``MdocError`` with code `unsupportedKey` for a key on another curve, or `invalidValue` for a shorter
    ///   nonce.
    public init(recipientKey: PublicKey, nonce: [UInt8] = SystemRandomSource().bytes(32)) throws(MdocError) {
        try MdocHPKE.requireRecipient(recipientKey)
        let key = try MdocAlgorithms.coseKey(recipientKey)
        let encoded = CBORWriter.bytes { writer in
            writer.beginArray(count: 2)
            writer.write(text: Self.name)
            writer.beginMap(count: 2)
            writer.write(text: "nonce")
            writer.write(bytes: nonce)
            writer.write(text: "recipientPublicKey")
            writer.write(encoded: key.encoded())
        }
        try self.init(text: MdocBase64URL.encode(encoded))
    }

    /// Reads the base64url text of a request.
    ///
    /// - Throws: ``MdocError`` if it is not the structure, `unsupportedKey` if the key is not on P-256, or
    ///   `invalidValue` if the nonce is shorter than 16 bytes.
    public init(text: String, options: MdocReadingOptions = .strict) throws(MdocError) {
        let (content, deviations) = try Content.read(MdocBase64URL.dcapiContent(text, options.limits)[...], options)
        nonce = content.nonce
        recipientPublicKey = content.recipientPublicKey
        self.text = text
        self.deviations = deviations
    }

    /// The transcript of a session that this request begins.
    ///
    /// - Parameter origin: The origin of the page that asks, such as `https://example.com`: for a reader its own, for a
    ///   wallet as the API gives it.
    public func sessionTranscript(origin: String) -> SessionTranscript {
        SessionTranscript(handover: .digitalCredentialsAPI(encryptionInfo: text, origin: origin))
    }

    /// The content of the text.
    private struct Content: MdocReadable {
        let nonce: [UInt8]
        let recipientPublicKey: PublicKey

        package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
            let content = try reading.dcapiMember(view)
            let map = try cbor(content.map())
            let nonce = try cbor(map.required("nonce"))
            self.nonce = [UInt8](try cbor(nonce.bytes()))
            guard self.nonce.count >= MdocDigitalCredentialsEncryptionInfo.minimumNonceSize else {
                throw MdocError(.invalidValue, "a nonce has at least 16 bytes, not \(self.nonce.count)", at: nonce)
            }
            recipientPublicKey = try reading.recipientKey(try cbor(map.required("recipientPublicKey"))).key
        }
    }
}

extension Reading {
    /// The second member of `["dcapi", …]`.
    func dcapiMember(_ view: CBORView) throws(MdocError) -> CBORView {
        let members = Array(try cbor(view.array()))
        guard members.count == 2, try cbor(members[0].text()) == "dcapi" else {
            throw MdocError(.invalidValue, "not an array of \"dcapi\" and one other member", at: view)
        }
        return members[1]
    }
}

extension MdocBase64URL {
    /// The bytes of a text from the Digital Credentials API, within the limit of a message.
    static func dcapiContent(_ text: String, _ limits: MdocLimits) throws(MdocError) -> [UInt8] {
        guard text.utf8.count / 4 <= limits.messageSize / 3 + 1 else {
            throw MdocError(.limitExceeded, "a message exceeds the limit of \(limits.messageSize) bytes")
        }
        guard let bytes = decode(text.utf8) else {
            throw MdocError(.malformedJSON, "a member is not base64url without padding")
        }
        return bytes
    }
}

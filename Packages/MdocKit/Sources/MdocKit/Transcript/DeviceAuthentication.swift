import CBORKit

/// The structure that the device key authenticates: the session, the document type and the device-signed elements
/// (ISO/IEC 18013-5, 12.4.4).
public struct DeviceAuthentication: Sendable {
    /// DeviceAuthenticationBytes: the structure in a tag-24 byte string, the detached payload of the signature or MAC.
    public let taggedBytes: [UInt8]

    /// Puts the structure together.
    ///
    /// - Parameters:
    ///   - sessionTranscript: The transcript of this session.
    ///   - docType: The document's own type.
    ///   - deviceNameSpacesBytes: The document's own DeviceNameSpacesBytes, byte for byte as sent or received.
    public init(
        sessionTranscript: SessionTranscript,
        docType: DocType,
        deviceNameSpacesBytes: some Collection<UInt8>
    ) {
        taggedBytes = CBORWriter.embedding(
            Self.content(sessionTranscript.encodedBytes, docType, deviceNameSpacesBytes)
        )
    }

    /// The structure itself, of parts that are encoded already.
    package static func content(
        _ sessionTranscript: [UInt8],
        _ docType: DocType,
        _ deviceNameSpaces: some Collection<UInt8>
    ) -> [UInt8] {
        let context = "DeviceAuthentication"
        let texts = context.utf8.count + docType.text.utf8.count
        // The three heads take at most nine bytes each.
        let capacity = 27 + texts + sessionTranscript.count + deviceNameSpaces.count
        return CBORWriter.bytes(capacity: capacity) { writer in
            writer.beginArray(count: 4)
            writer.write(text: context)
            writer.write(encoded: sessionTranscript)
            writer.write(text: docType.text)
            writer.write(encoded: deviceNameSpaces)
        }
    }
}

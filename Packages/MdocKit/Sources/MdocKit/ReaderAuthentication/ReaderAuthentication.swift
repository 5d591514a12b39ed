import CBORKit

/// The structure that a reader signs: the session, and one or all items requests (ISO/IEC 18013-5, 12.5.4).
public struct ReaderAuthentication: Sendable {
    /// ReaderAuthenticationBytes or ReaderAuthenticationAllBytes: the structure in a tag-24 byte string, the detached
    /// payload of the signature.
    public let taggedBytes: [UInt8]

    /// The structure for one document request.
    public init(sessionTranscript: SessionTranscript, itemsRequest: ItemsRequest) {
        let content = CBORWriter.bytes { writer in
            writer.beginArray(count: 3)
            writer.write(text: "ReaderAuthentication")
            writer.write(encoded: sessionTranscript.encodedBytes)
            writer.write(encoded: itemsRequest.taggedBytes)
        }
        taggedBytes = CBORWriter.embedding(content)
    }

    /// The structure for a whole request (second edition).
    ///
    /// - Parameters:
    ///   - sessionTranscript: The transcript of this session.
    ///   - itemsRequests: Those of all document requests, in the order of the request.
    ///   - deviceRequestInfo: That of the request.
    public init(
        sessionTranscript: SessionTranscript,
        allOf itemsRequests: [ItemsRequest],
        deviceRequestInfo: DeviceRequestInfo?
    ) {
        let content = CBORWriter.bytes { writer in
            writer.beginArray(count: 4)
            writer.write(text: "ReaderAuthenticationAll")
            writer.write(encoded: sessionTranscript.encodedBytes)
            writer.beginArray(count: itemsRequests.count)
            for itemsRequest in itemsRequests { writer.write(encoded: itemsRequest.taggedBytes) }
            if let deviceRequestInfo {
                writer.write(encoded: deviceRequestInfo.taggedBytes)
            } else {
                writer.writeNull()
            }
        }
        taggedBytes = CBORWriter.embedding(content)
    }
}

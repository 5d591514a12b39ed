import CBORKit

/// Decrypted documents, which their recipient has to verify.
///
/// ```swift
/// let decrypted = try await encrypted.decrypted(with: key, parameters: parameters, sessionTranscript: transcript)
/// let verification = try await verifier.verify(
///     decrypted.response,
///     sessionTranscript: decrypted.sessionTranscript
/// )
/// ```
public struct DecryptedDocuments: Sendable {
    /// The documents, in a response of their own with status 0.
    public let response: DeviceResponse
    /// The transcript that they are bound to.
    public let sessionTranscript: SessionTranscript

    /// The plaintext: `{ ? "documents", ? "zkDocuments" }`.
    struct Content: MdocReadable {
        /// A DeviceResponse around the members as received.
        let encodedResponse: [UInt8]

        package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
            let map = try cbor(view.map())
            let members = ["documents", "zkDocuments"].compactMap { name in
                map.value(forKey: name).map { (name: name, bytes: $0.encodedBytes) }
            }
            guard !members.isEmpty else {
                throw MdocError(.missingMember, "there are neither documents nor zkDocuments", at: view)
            }
            encodedResponse = CBORWriter.bytes { writer in
                writer.beginMap(count: 2 + members.count)
                writer.write(text: "version")
                writer.write(text: MdocVersion.v1_0.description)
                for (name, bytes) in members {
                    writer.write(text: name)
                    writer.write(encoded: bytes)
                }
                writer.write(text: "status")
                writer.write(unsigned: DeviceResponse.Status.ok.rawValue)
            }
        }
    }
}

extension DeviceResponse {
    /// The same response with encrypted documents besides (second edition).
    ///
    /// - Throws: ``MdocError`` with code `invalidValue` if the response has some already or its status is not 0.
    public func adding(_ encryptedDocuments: [EncryptedDocument]) throws(MdocError) -> DeviceResponse {
        guard !encryptedDocuments.isEmpty else { return self }
        guard self.encryptedDocuments.isEmpty, status == .ok else {
            throw MdocError(.invalidValue, "the response cannot take encrypted documents")
        }
        var reading = Reading(.building)
        let message = try reading.message(encodedBytes)
        let members = try cbor(message.map())
        let encoded = CBORWriter.bytes { writer in
            writer.beginMap(count: members.count + 1)
            for (key, value) in members {
                writer.write(encoded: key.encodedBytes)
                writer.write(encoded: value.encodedBytes)
            }
            writer.write(text: "encryptedDocuments")
            writer.beginArray(count: encryptedDocuments.count)
            for document in encryptedDocuments { document.encode(to: &writer) }
        }
        return try DeviceResponse(decoding: encoded, options: .building)
    }
}

extension EncryptedDocument {
    /// Writes the structure.
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.beginMap(count: 3)
        writer.write(text: "enc")
        writer.write(bytes: enc)
        writer.write(text: "cipherText")
        writer.write(bytes: cipherText)
        writer.write(text: "docRequestID")
        writer.write(unsigned: docRequestID)
    }
}

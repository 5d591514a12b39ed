import CBORKit
public import CryptoCore

extension EncryptedDocument {
    /// Encrypts documents to the recipient that a document request names, for a wallet.
    ///
    /// - Parameters:
    ///   - documents: The documents; each prepared with ``SessionTranscript/encrypting(to:)`` of the session's
    ///     transcript.
    ///   - zkDocuments: Zero-knowledge proofs in place of documents, made for that transcript; at least one of both kinds.
    ///   - docRequestID: The document request that they answer, counted from 0.
    ///   - parameters: That of the document request.
    ///   - sessionTranscript: The transcript of the session itself.
    ///   - random: The source of the ephemeral key.
    /// - Throws: ``MdocError`` with code `invalidValue` if there is no document, or `unsupportedKey`.
    public init(
        encrypting documents: [MdocDocument],
        zkDocuments: [ZkDocument] = [],
        answering docRequestID: UInt64,
        to parameters: EncryptionParameters,
        sessionTranscript: SessionTranscript,
        using random: some RandomSource = .system
    ) throws(MdocError) {
        guard !documents.isEmpty || !zkDocuments.isEmpty else {
            throw MdocError(.invalidValue, "there must be at least one document to encrypt")
        }
        let plaintext = CBORWriter.bytes { writer in
            let lists = ["documents": documents.map(\.encodedBytes), "zkDocuments": zkDocuments.map(\.encodedBytes)]
            let members = lists.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            writer.beginMap(count: members.count)
            for (name, documents) in members {
                writer.write(text: name)
                writer.beginArray(count: documents.count)
                for document in documents { writer.write(encoded: document) }
            }
        }
        let sealed = try MdocHPKE.seal(
            plaintext,
            to: parameters.recipientPublicKey,
            sessionTranscript.encrypting(to: parameters),
            random
        )
        self.init(
            enc: sealed.encapsulatedKey[...],
            cipherText: sealed.ciphertext[...],
            docRequestID: docRequestID
        )
    }

    /// Decrypts the documents, for the recipient.
    ///
    /// - Parameters:
    ///   - key: The private part of the recipient's key.
    ///   - parameters: That of the document request.
    ///   - sessionTranscript: The transcript of the session itself.
    ///   - options: The options for reading the content.
    /// - Returns: The documents, and the transcript to verify them with.
    /// - Throws: ``MdocError`` with code `decryptionFailed` if they were not encrypted to this key for this request in
    ///   this session, or with another code if the content is not the structure.
    public func decrypted(
        with key: any KeyAgreement,
        parameters: EncryptionParameters,
        sessionTranscript: SessionTranscript,
        options: MdocReadingOptions = .strict
    ) async throws(MdocError) -> DecryptedDocuments {
        let transcript = sessionTranscript.encrypting(to: parameters)
        let plaintext = try await MdocHPKE.open(enc: enc, cipherText: cipherText, with: key, transcript)
        let (content, deviations) = try DecryptedDocuments.Content.read(plaintext[...], options)
        let response = try DeviceResponse(decoding: content.encodedResponse, options: options)
        // A part of the content that deviates is met in the content and in the response made of it.
        let new = deviations.filter { !response.deviations.contains($0) }
        return DecryptedDocuments(
            response: response.reporting(new + response.deviations),
            sessionTranscript: transcript
        )
    }
}

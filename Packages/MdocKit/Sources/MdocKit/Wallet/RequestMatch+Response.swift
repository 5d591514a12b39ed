import COSEKit
public import CryptoCore
import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The key of a credential, in the form that its use needs.
public enum DeviceKeyHandle: Sendable {
    /// For signatures.
    case signer(any Signer)
    /// For MACs.
    case keyAgreement(any KeyAgreement)
}

extension RequestMatch {
    /// A document that the holder agreed to, not yet authenticated by the device key.
    public struct ConsentedDocument: Sendable {
        /// The document request that it answers, by index from 0.
        public let docRequest: Int
        /// The credential that it comes from.
        public let credential: StoredMdoc
        /// The document, to be signed or to get its MAC.
        public let prepared: PreparedMdocDocument
        /// The reader's system by which the document is proven, once it is authenticated, in place of being returned; nil to return
        /// it.
        public let zkSystem: ZkRequest.SystemSpec?
    }

    /// The documents of a decision, for wallets that sign elsewhere; see
    /// ``response(documents:zkDocuments:to:reportsErrors:)``.
    ///
    /// - Parameters:
    ///   - decision: The holder's decision.
    ///   - sessionTranscript: The transcript of this session.
    ///   - time: The time, later than that of the match if the holder took a while.
    ///   - encryptedTranscript: The transcript of a document to encrypt, see
    ///     ``DocRequestMatch/encryptionParametersBytes``. With nil such documents are refused, since they must not be
    ///     returned in the clear.
    ///   - reportsErrors: `true` to list the missing elements in the response.
    /// - Throws: ``MdocError`` with code `requestUnsatisfied` if the standard forbids to return this much and no more,
    ///   `outsideValidity` for a credential outside its validity period, or `invalidValue` for an element that was not
    ///   requested or that the device key is not authorized to sign.
    public func documents(
        for decision: ConsentDecision,
        sessionTranscript: SessionTranscript,
        at time: Date,
        encryptedTranscript: ((DocRequestMatch) -> SessionTranscript)? = nil,
        reportsErrors: Bool = false
    ) throws(MdocError) -> [ConsentedDocument] {
        let check = try ConsentCheck(decision, self)
        try check.run()
        var documents: [ConsentedDocument] = []
        for (entry, match) in check.documents {
            guard match.credential.isValid(at: time) else {
                let validity = match.credential.issuerSigned.mobileSecurityObject.validityInfo
                let text = VerificationTime.text
                throw MdocError(
                    .outsideValidity,
                    "the credential \(entry.credential) is valid from \(text(validity.validFrom)) to "
                        + "\(text(validity.validUntil)), and it is \(text(time))"
                )
            }
            let docRequest = docRequests[entry.docRequest]
            let isEncrypted = docRequest.encryptionParametersBytes != nil
            guard let transcript = isEncrypted ? encryptedTranscript?(docRequest) : sessionTranscript else {
                throw MdocError(
                    .requestUnsatisfied,
                    "the answer to document request \(docRequest.index) is to be encrypted"
                )
            }
            let selected = try match.credential.issuerSigned.limitDisclosures { entry.elements.contains($0) }
            let prepared = try PreparedMdocDocument(
                selected,
                deviceNameSpaces: entry.deviceElements,
                errors: reportsErrors ? match.errors(for: entry) : DataElements(),
                sessionTranscript: transcript
            )
            documents.append(
                ConsentedDocument(
                    docRequest: entry.docRequest,
                    credential: match.credential,
                    prepared: prepared,
                    zkSystem: match.zkSystem
                )
            )
        }
        return documents
    }

    /// Puts a response together, of documents that the device keys authenticated and of proofs about others.
    ///
    /// - Throws: ``MdocError`` with code `limitExceeded` if the response is larger than the reader takes.
    public func response(
        documents: [MdocDocument],
        zkDocuments: [ZkDocument] = [],
        to decision: ConsentDecision,
        reportsErrors: Bool = false
    ) throws(MdocError) -> DeviceResponse {
        let answered = Set(decision.entries.map(\.docRequest))
        let unanswered = docRequests.filter { !answered.contains($0.index) }.map(\.docRequest.itemsRequest.docType)
        let response = try DeviceResponse(
            documents: documents,
            zkDocuments: zkDocuments,
            documentErrors: reportsErrors ? unanswered.map { ($0, .dataNotReturned) } : []
        )
        let limit = docRequests.filter { answered.contains($0.index) }
            .compactMap(\.docRequest.itemsRequest.requestInfo?.maximumResponseSize).min()
        if let limit, UInt64(response.encodedBytes.count) > limit {
            throw MdocError(
                .limitExceeded,
                "the response has \(response.encodedBytes.count) bytes, the reader takes \(limit)"
            )
        }
        return response
    }

    /// Answers the request as the holder decided, with proofs in place of documents where the match has a system for them.
    ///
    /// - Parameters:
    ///   - decision: The holder's decision.
    ///   - sessionTranscript: The transcript of this session.
    ///   - time: The time, later than that of the match if the holder took a while.
    ///   - readerKeys: The reader's keys for MACs if the request brings none: its ephemeral key.
    ///   - reportsErrors: `true` to list the missing elements and types in the response.
    ///   - deviceKey: The key of a credential, for the use in ``StoredMdoc/deviceKeyUsage``.
    /// - Throws: ``MdocError`` as ``documents(for:sessionTranscript:at:encryptedTranscript:reportsErrors:)`` and
    ///   ``response(documents:zkDocuments:to:reportsErrors:)`` do, with code `keyMismatch` for a key of the other use or if no key
    ///   of the reader is on its curve, or `signingFailed`.
    public func response(
        to decision: ConsentDecision,
        sessionTranscript: SessionTranscript,
        at time: Date,
        readerKeys: [PublicKey] = [],
        reportsErrors: Bool = false,
        deviceKey: @Sendable (StoredMdoc) async throws -> DeviceKeyHandle
    ) async throws(MdocError) -> DeviceResponse {
        let consented = try documents(
            for: decision,
            sessionTranscript: sessionTranscript,
            at: time,
            reportsErrors: reportsErrors
        )
        var documents: [MdocDocument] = []
        var proofs: [ZkDocument] = []
        for document in consented {
            let key: DeviceKeyHandle
            do {
                key = try await deviceKey(document.credential)
            } catch {
                throw MdocError(.signingFailed, "the device key cannot be used", cause: error)
            }
            let authenticated = try await authenticated(document, with: key, readerKeys: readerKeys)
            guard let zkProver, let system = document.zkSystem else {
                documents.append(authenticated)
                continue
            }
            let transcript = document.prepared.sessionTranscript
            proofs.append(
                try await zkProver.checkedProof(of: authenticated, by: system, sessionTranscript: transcript, at: time)
            )
        }
        return try response(
            documents: documents,
            zkDocuments: proofs,
            to: decision,
            reportsErrors: reportsErrors
        )
    }

    private func authenticated(
        _ document: ConsentedDocument,
        with key: DeviceKeyHandle,
        readerKeys: [PublicKey]
    ) async throws(MdocError) -> MdocDocument {
        switch (document.credential.deviceKeyUsage, key) {
        case (.signature, .signer(let signer)):
            return try await document.prepared.signed(with: signer)
        case (.mac, .keyAgreement(let keyAgreement)):
            let readerKey = try macKey(on: keyAgreement.publicKey.curve, or: readerKeys)
            return try await document.prepared.authenticated(with: keyAgreement, readerKey: readerKey)
        case (.signature, .keyAgreement), (.mac, .signer):
            throw MdocError(.keyMismatch, "a device key signs or makes MACs, never both")
        }
    }

    /// The reader's key on a curve: one of those that the request brings for MACs, else one of those given.
    func macKey(on curve: EllipticCurve?, or readerKeys: [PublicKey]) throws(MdocError) -> PublicKey {
        for macKey in request.macKeys {
            do throws(COSEError) {
                let key = try macKey.publicKey()
                if key.curve == curve { return key }
            } catch {
                // A key on an unknown curve does not match the device key.
                continue
            }
        }
        guard request.macKeys.isEmpty, let key = readerKeys.first(where: { $0.curve == curve }) else {
            throw MdocError(.keyMismatch, "no key of the reader is on the device key's curve")
        }
        return key
    }
}

extension MdocMatch {
    /// The requested elements that are not returned.
    func errors(for entry: ConsentDecision.Entry) -> DataElements<MdocErrorCode> {
        var errors = DataElements<MdocErrorCode>()
        for match in elements {
            let (nameSpace, identifier) = (match.element.nameSpace, match.element.identifier)
            let isReturned = !match.returned.isEmpty && entry.elements.isSuperset(of: match.returned)
            guard !isReturned, entry.deviceElements[nameSpace, identifier] == nil else { continue }
            errors[nameSpace, identifier] = .dataNotReturned
        }
        return errors
    }
}

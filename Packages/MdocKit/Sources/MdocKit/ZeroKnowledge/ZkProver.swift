#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A wallet's maker of zero-knowledge proofs, such as a library for the circuits of one system (ISO/IEC 18013-5 second edition,
/// 10.3.4).
///
/// The standard leaves the proofs to their systems. ``RequestMatch`` asks for one wherever the reader's request has a system that the
/// prover picks, and returns it in place of the document.
public protocol ZkProver: Sendable {
    /// The first of a reader's systems by which elements of a credential can be proven; nil for none.
    ///
    /// - Parameters:
    ///   - systems: The systems of the request, in its order.
    ///   - credential: The credential.
    ///   - elements: The elements that the credential has in answer to the request.
    func system(
        among systems: [ZkRequest.SystemSpec],
        for credential: StoredMdoc,
        proving elements: [DataElementReference]
    ) -> ZkRequest.SystemSpec?

    /// Proves a document that the device key has authenticated for a session.
    ///
    /// - Parameters:
    ///   - document: The document as it would be returned without a proof, with the elements that the holder agreed to.
    ///   - system: The system that ``system(among:for:proving:)`` picked.
    ///   - sessionTranscript: The transcript of the session.
    ///   - time: The time of the proof.
    /// - Returns: The proof, see ``ZkDocument/init(docType:zkSystemID:timestamp:issuerSigned:deviceSigned:msoX5chain:proof:)``.
    func proof(
        of document: MdocDocument,
        by system: ZkRequest.SystemSpec,
        sessionTranscript: SessionTranscript,
        at time: Date
    ) async throws -> ZkDocument
}

extension ZkProver {
    /// Proves a document, and refuses a result about another document or by another system.
    func checkedProof(
        of document: MdocDocument,
        by system: ZkRequest.SystemSpec,
        sessionTranscript: SessionTranscript,
        at time: Date
    ) async throws(MdocError) -> ZkDocument {
        let proof: ZkDocument
        do {
            proof = try await self.proof(of: document, by: system, sessionTranscript: sessionTranscript, at: time)
        } catch {
            throw MdocError(.signingFailed, "the proof cannot be made", cause: error)
        }
        guard proof.docType == document.docType, proof.zkSystemID.hasSameBytes(as: system.zkSystemID) else {
            throw MdocError(.signingFailed, "the proof is about another document, or by another system")
        }
        return proof
    }
}

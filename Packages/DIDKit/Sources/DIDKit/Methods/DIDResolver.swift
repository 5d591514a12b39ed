#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds the document of a DID, by one method or by several.
public protocol DIDResolver: Sendable {
    /// The document of a DID.
    ///
    /// - Parameters:
    ///   - did: The DID.
    ///   - time: The time, for documents that are kept.
    /// - Throws: ``DIDError/Code/unsupportedMethod`` for an unknown method, and the errors of the method.
    func document(of did: DID, at time: Date) async throws(DIDError) -> DIDDocument

    /// The verification method of a name.
    ///
    /// - Parameters:
    ///   - url: The name, such as `did:web:issuer.example#key-1`.
    ///   - relationship: The purpose. A method that the document does not list for it is refused.
    ///   - time: The time, for documents that are kept.
    /// - Throws: ``DIDError/Code/verificationMethodNotFound``, ``DIDError/Code/verificationMethodRevoked``,
    ///   ``DIDError/Code/verificationMethodExpired``, and the errors of ``document(of:at:)``.
    func verificationMethod(
        _ url: DIDURL,
        for relationship: VerificationRelationship,
        at time: Date
    ) async throws(DIDError) -> VerificationMethod

    /// The document of a DID, asked for again where a kept one may be out of date, such as after a signature by none of its
    /// keys.
    ///
    /// A resolver that keeps documents limits the rate of requests, and returns the kept one meanwhile. One that keeps none
    /// and fetches each should limit the rate, too: a sender causes a call with every signature by an unknown key.
    ///
    /// - Parameters:
    ///   - did: The DID.
    ///   - time: The time, for documents that are kept.
    /// - Throws: As ``document(of:at:)``.
    func renewedDocument(of did: DID, at time: Date) async throws(DIDError) -> DIDDocument
}

extension DIDResolver {
    /// The document of a DID, for a resolver that keeps none.
    public func renewedDocument(of did: DID, at time: Date) async throws(DIDError) -> DIDDocument {
        try await document(of: did, at: time)
    }

    /// The method of a DID for a purpose, if there is exactly one; for signatures that name none.
    ///
    /// A kept document that has not exactly one is asked for again.
    ///
    /// - Throws: ``DIDError/Code/verificationMethodNotFound``, ``DIDError/Code/verificationMethodRevoked``,
    ///   ``DIDError/Code/verificationMethodExpired``, and the errors of ``document(of:at:)``.
    public func onlyVerificationMethod(
        of did: DID,
        for relationship: VerificationRelationship,
        at time: Date
    ) async throws(DIDError) -> VerificationMethod {
        let document = try await document(of: did, at: time)
        do throws(DIDError) {
            return try document.onlyVerificationMethod(for: relationship, at: time)
        } catch {
            let renewed = try await renewedDocument(of: did, at: time)
            return try renewed.onlyVerificationMethod(for: relationship, at: time)
        }
    }

    /// The verification method of a name in the document of its DID.
    public func verificationMethod(
        _ url: DIDURL,
        for relationship: VerificationRelationship,
        at time: Date
    ) async throws(DIDError) -> VerificationMethod {
        try await document(of: url.did, at: time).verificationMethod(url, for: relationship, at: time)
    }
}

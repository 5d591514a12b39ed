public import VerificationCore

/// A source of type metadata documents: a server, a registry, the recipient's own store.
public protocol TypeMetadataSource: Sendable {
    /// The document of a type, as published; integrity is checked by the caller.
    ///
    /// - Parameter type: The type (`vct`).
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/typeMetadataNotFound`` or ``SDJWTError/Code/retrievalFailed``.
    func document(for type: String) async throws(SDJWTError) -> [UInt8]

    /// The document of a type, for a source that keeps documents: one without the digests may be out of date.
    ///
    /// - Parameters:
    ///   - type: The type (`vct`).
    ///   - integrity: The digests that the caller will require, or nil.
    /// - Throws: As ``document(for:)``.
    func document(for type: String, matching integrity: IntegrityMetadata?) async throws(SDJWTError) -> [UInt8]
}

extension TypeMetadataSource {
    /// The document of a type, whatever its digests.
    public func document(
        for type: String,
        matching integrity: IntegrityMetadata?
    ) async throws(SDJWTError) -> [UInt8] {
        try await document(for: type)
    }
}

/// Type metadata documents that are at hand.
public struct LocalTypeMetadata: TypeMetadataSource {
    private let documents: [ExactText: [UInt8]]

    /// Takes documents as published, by type.
    public init(_ documents: [ExactText: [UInt8]]) {
        self.documents = documents
    }

    /// The document of a type.
    ///
    /// - Throws: ``SDJWTError/Code/typeMetadataNotFound``.
    public func document(for type: String) throws(SDJWTError) -> [UInt8] {
        guard let document = documents[ExactText(type)] else {
            throw SDJWTError(.typeMetadataNotFound, "there is no document of the type \"\(type)\" here")
        }
        return document
    }
}

/// Several sources of type metadata, asked one after the other until one has the document.
public struct TypeMetadataSources: TypeMetadataSource {
    private let sources: [any TypeMetadataSource]

    /// Takes sources in the order in which they are asked.
    public init(_ sources: [any TypeMetadataSource]) {
        self.sources = sources
    }

    /// The document from the first source that has it.
    ///
    /// - Throws: ``SDJWTError/Code/typeMetadataNotFound`` if none has it, and any other error of a source.
    public func document(for type: String) async throws(SDJWTError) -> [UInt8] {
        try await document(for: type, matching: nil)
    }

    /// The document from the first source that has it, whatever its digests.
    public func document(
        for type: String,
        matching integrity: IntegrityMetadata?
    ) async throws(SDJWTError) -> [UInt8] {
        for source in sources {
            do throws(SDJWTError) {
                return try await source.document(for: type, matching: integrity)
            } catch {
                guard error.code == .typeMetadataNotFound else { throw error }
            }
        }
        throw SDJWTError(.typeMetadataNotFound, "no source has a document of the type \"\(type)\"")
    }
}

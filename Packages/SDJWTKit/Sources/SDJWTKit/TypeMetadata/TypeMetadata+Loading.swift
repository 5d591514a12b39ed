extension TypeMetadata {
    /// The default for the largest number of documents in a chain of types.
    public static let defaultMaximumDepth = 8

    /// Loads the metadata of a type and of all types that it extends.
    ///
    /// - Parameters:
    ///   - type: The type (`vct`).
    ///   - integrity: The digests that its document must have (`vct#integrity`), or nil.
    ///   - source: The source of documents.
    ///   - maximumDepth: The largest number of documents in the chain.
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/typeMetadataNotFound`` or
    ///   ``SDJWTError/Code/retrievalFailed`` if a document cannot be retrieved, ``SDJWTError/Code/integrityMismatch``,
    ///   ``SDJWTError/Code/malformedTypeMetadata`` if one is not type metadata or another type's,
    ///   ``SDJWTError/Code/circularExtension``, ``SDJWTError/Code/limitExceeded``, or
    ///   ``SDJWTError/Code/invalidExtension``.
    public static func load(
        _ type: String,
        integrity: IntegrityMetadata? = nil,
        from source: any TypeMetadataSource,
        maximumDepth: Int = defaultMaximumDepth
    ) async throws(SDJWTError) -> TypeMetadata {
        var documents: [TypeMetadataDocument] = []
        var next: (type: String, integrity: IntegrityMetadata?)? = (type, integrity)
        while let (type, integrity) = next {
            guard !documents.contains(where: { $0.vct.hasSameBytes(as: type) }) else {
                throw SDJWTError(.circularExtension, "\"\(type)\" extends itself", path: documents.map(\.vct))
            }
            guard documents.count < maximumDepth else {
                throw SDJWTError(.limitExceeded, "the chain of types has more than \(maximumDepth)")
            }
            let document = try await load(type, integrity, from: source)
            documents.append(document)
            next = document.extends.map { ($0, document.extendsIntegrity) }
        }
        return try TypeMetadata(documents)
    }

    private static func load(
        _ type: String,
        _ integrity: IntegrityMetadata?,
        from source: any TypeMetadataSource
    ) async throws(SDJWTError) -> TypeMetadataDocument {
        do throws(SDJWTError) {
            let bytes = try await source.document(for: type, matching: integrity)
            try integrity?.requireMatch(of: bytes)
            return try TypeMetadataDocument(decoding: bytes, of: type)
        } catch {
            throw error.inside(type)
        }
    }
}

/// A source of type metadata documents: a server, a registry, the recipient's own store.
public protocol TypeMetadataSource: Sendable {
    /// The document of a type, as published; integrity is checked by the caller.
    ///
    /// - Parameter type: The type (`vct`).
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/typeMetadataNotFound`` or ``SDJWTError/Code/retrievalFailed``.
    func document(for type: String) async throws(SDJWTError) -> [UInt8]
}

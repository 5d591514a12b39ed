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
        for source in sources {
            do throws(SDJWTError) {
                return try await source.document(for: type)
            } catch {
                guard error.code == .typeMetadataNotFound else { throw error }
            }
        }
        throw SDJWTError(.typeMetadataNotFound, "no source has a document of the type \"\(type)\"")
    }
}

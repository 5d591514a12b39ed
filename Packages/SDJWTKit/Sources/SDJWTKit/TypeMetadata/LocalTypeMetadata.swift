public import VerificationCore

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

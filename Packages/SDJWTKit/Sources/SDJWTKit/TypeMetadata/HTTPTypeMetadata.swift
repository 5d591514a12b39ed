public import CredentialTransport

/// Type metadata documents that are fetched from the URL that is their type's name.
///
/// The publisher learns that somebody looks at such a credential: documents of one's own, asked first, spare that; see
/// ``TypeMetadataSources``.
public struct HTTPTypeMetadata: TypeMetadataSource {
    private let transport: any HTTPTransport
    private let limits: HTTPLimits

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - transport: Fetches the documents.
    ///   - limits: How large a document may be and how long it may take.
    public init(transport: any HTTPTransport, limits: HTTPLimits = HTTPLimits(maximumBodySize: 256 * 1024)) {
        self.transport = transport
        self.limits = limits
    }

    /// The document of a type whose name is an https URL.
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/typeMetadataNotFound`` for another name, or
    ///   ``SDJWTError/Code/retrievalFailed``.
    public func document(for type: String) async throws(SDJWTError) -> [UInt8] {
        guard let url = try? HTTPURL(type), url.scheme == .https else {
            throw SDJWTError(.typeMetadataNotFound, "the type \"\(type)\" is no https URL")
        }
        return try await transport.document(at: url, limits: limits)
    }
}

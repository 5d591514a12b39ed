public import CredentialTransport

/// Type metadata documents that are fetched from the URL in their type's name.
///
/// A request tells the publisher that such a credential is in use. Local documents avoid the request if they come
/// first; see ``TypeMetadataSources``.
public struct HTTPTypeMetadata: TypeMetadataSource {
    private let transport: any HTTPTransport
    private let limits: HTTPLimits

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - transport: Fetches the documents.
    ///   - limits: The limits for the size of a document and the time of its request.
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
        return try await transport.document(at: url, limits: limits).body
    }
}

public import CredentialTransport
public import JOSEKit
import JSONKit

/// The DID method `web`: the DID names a document at an https URL (did:web Method Specification).
///
/// The owner of the name owns the DID, so the caller decides whether that name is trusted. Documents are requested anew
/// each time.
public struct DIDWebMethod: DIDKeyResolver {
    private static let mediaTypes = ["application/did+json", "application/did+ld+json", "application/ld+json"]

    private let transport: any HTTPTransport
    private let limits: HTTPLimits

    /// Makes a resolver.
    ///
    /// - Parameters:
    ///   - transport: Fetches the documents.
    ///   - limits: The limits for the size of a document and the time of its request.
    public init(transport: any HTTPTransport, limits: HTTPLimits = .default) {
        self.transport = transport
        self.limits = limits
    }

    /// The key of a verification method that the DID's document lists for a relationship.
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/invalidDID`` for another method, for a malformed name, for
    ///   a document of another DID or of another form, ``SDJWTError/Code/retrievalFailed``,
    ///   ``SDJWTError/Code/verificationMethodNotFound`` if the document lists no such key for the relationship, or
    ///   several and the URL names none, ``SDJWTError/Code/unsupportedDID`` for a key in a form that is not
    ///   implemented.
    public func key(
        for url: String,
        relationship: VerificationRelationship
    ) async throws(SDJWTError) -> JWK {
        let url = try DIDURL(url)
        guard url.method == "web" else { throw DIDURL.invalid("it is not of the method web") }
        let body = try await fetch(try DIDWebLocation(url.identifier).documentURL)
        let document = try reading(.invalidDID) { () throws(JSONError) in
            try JSONDocument(body, limits: JSONLimits(size: limits.maximumBodySize, depth: 64)).root.object().value()
        }
        return try DIDDocument(document, of: url.did).key(for: url, relationship)
    }

    private func fetch(_ url: HTTPURL) async throws(SDJWTError) -> [UInt8] {
        do throws(TransportError) {
            let types = try Self.mediaTypes.map { name throws(TransportError) in try MediaType(name) }
            return try await transport.response(
                to: .get(url, accepting: AcceptedContent([.json] + types), limits: limits)
            ).body
        } catch {
            throw SDJWTError(.retrievalFailed, "\(url) cannot be fetched: \(error.message)", cause: error)
        }
    }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Several DID methods, of which the DID names one.
///
/// ```swift
/// let resolver = DIDMethods([
///     "key": DIDKeyMethod(), "jwk": DIDJWKMethod(), "web": DIDWebMethod(transport: transport),
/// ])
/// ```
public struct DIDMethods: DIDResolver {
    private let methods: [String: any DIDResolver]

    /// Makes a resolver.
    ///
    /// - Parameter methods: A resolver for each name of a method, such as `web`.
    public init(_ methods: [String: any DIDResolver]) {
        self.methods = methods
    }

    /// The methods that nothing is fetched for: `key` and `jwk`.
    public static let local = DIDMethods(["key": DIDKeyMethod(), "jwk": DIDJWKMethod()])

    /// The document of a DID.
    ///
    /// - Throws: ``DIDError/Code/unsupportedMethod``, and the errors of the resolver of the method.
    public func document(of did: DID, at time: Date) async throws(DIDError) -> DIDDocument {
        try await resolver(of: did).document(of: did, at: time)
    }

    /// The verification method of a name.
    ///
    /// - Throws: ``DIDError/Code/unsupportedMethod``, and the errors of the resolver of the method.
    public func verificationMethod(
        _ url: DIDURL,
        for relationship: VerificationRelationship,
        at time: Date
    ) async throws(DIDError) -> VerificationMethod {
        try await resolver(of: url.did).verificationMethod(url, for: relationship, at: time)
    }

    /// The document of a DID, asked for again where the method keeps documents.
    ///
    /// - Throws: ``DIDError/Code/unsupportedMethod``, and the errors of the resolver of the method.
    public func renewedDocument(of did: DID, at time: Date) async throws(DIDError) -> DIDDocument {
        try await resolver(of: did).renewedDocument(of: did, at: time)
    }

    private func resolver(of did: DID) throws(DIDError) -> any DIDResolver {
        guard let resolver = methods[did.method] else {
            throw DIDError(.unsupportedMethod, "there is no resolver for the method \(did.method)")
        }
        return resolver
    }
}

extension DID {
    /// Refuses a DID of another method.
    func requireMethod(_ name: String) throws(DIDError) {
        guard method == name else {
            throw DIDError(.unsupportedMethod, "the method is \(method) and not \(name)")
        }
    }
}

public import JSONKit
public import SDJWTKit

/// A credential as queries see it, of any format: in a wallet one that may answer, at a verifier one that was presented.
///
/// A property that the format lacks stays empty. Nothing here verifies anything.
public protocol QueryableCredential: Sendable {
    /// The name of the credential in the wallet or in the response; results refer to it.
    var credentialName: CredentialName { get }
    /// The format.
    var format: CredentialFormat { get }
    /// The types that a query can ask for: the `vct` of an SD-JWT VC and the types that it extends, the document type of
    /// an mdoc, the expanded types of a W3C credential.
    var types: [ExactText] { get }
    /// The claims: the processed payload of an SD-JWT, the elements of an mdoc by namespace and identifier, a W3C
    /// credential.
    var claims: JSONObject { get }
    /// The claims set of the JWT around the credential; nil unless there is one beside ``claims``.
    var envelope: JSONObject? { get }
    /// Indicates that a presentation can prove possession of a key that the issuer bound to the credential.
    var isHolderBound: Bool { get }
    /// Indicates that a presentation can leave claims of the credential out.
    var disclosesSelectively: Bool { get }
    /// The key identifiers of the AuthorityKeyIdentifier extensions in the issuer's certificate chain.
    var authorityKeyIdentifiers: [[UInt8]] { get }
    /// The names under which a list of algorithms can name the issuer's signature: JOSE names, the type or the
    /// cryptosuite of a linked-data proof, COSE numbers as text.
    var issuerAlgorithms: [ExactText] { get }
    /// The names under which a list of algorithms can name the signatures of the holder's key; nil if the credential does
    /// not say which key it is.
    var holderAlgorithms: [ExactText]? { get }
    /// The time in which the credential may be presented.
    var validity: CredentialValidity { get }

    /// The values that a path of a DCQL query selects; none where it leads nowhere.
    func values(at path: ClaimPath) -> [JSONValue]
}

extension QueryableCredential {
    /// Nil: no JWT around the credential.
    public var envelope: JSONObject? { nil }
    /// That of the format.
    public var disclosesSelectively: Bool { format.disclosesSelectively }
    /// None.
    public var authorityKeyIdentifiers: [[UInt8]] { [] }
    /// None, so that the credential fits no list of algorithms.
    public var issuerAlgorithms: [ExactText] { [] }
    /// Nil: a key that is not known.
    public var holderAlgorithms: [ExactText]? { nil }
    /// No limits.
    public var validity: CredentialValidity { .unlimited }

    /// Those in ``claims``; a step that meets a value of the wrong kind makes the claim absent (OpenID4VP 1.0, section 7.1).
    public func values(at path: ClaimPath) -> [JSONValue] { (try? path.values(in: .object(claims))) ?? [] }
}

/// The name of a credential in a wallet or in a response.
public struct CredentialName: ExactName {
    /// The name.
    public let text: String

    /// Takes a name.
    public init(_ text: String) {
        self.text = text
    }
}

public import DIDKit
public import JOSEKit
public import JSONKit
public import VerificationCore

/// The way in which a verified credential or presentation was secured.
public enum W3CCredentialSecuring: Sendable {
    /// Linked-data proofs.
    case linkedData(VerifiedSecuredDocument)
    /// The signature of a token.
    case token(VerifiedJWS)
}

/// A credential whose every check passed.
///
/// Only ``W3CCredentialVerifier`` makes values of this type.
public struct VerifiedW3CCredential: Sendable {
    /// The content: exactly the document that was hashed, or the credential in a token.
    ///
    /// Members that a VC-JWT has only as claims are added, as the data model 1.1 says (section 6.3.1).
    public let content: W3CCredentialContent
    /// The party that controls the key of the issuer's signature.
    public let controller: DID
    /// The way in which the credential was secured.
    public let securing: W3CCredentialSecuring
    /// The status, if it was asked for.
    public let status: CredentialStatus?
    /// Indicates that the issuer has an updated credential ready (`refresh` in Bitstring Status List 1.0); `false` if the status
    /// was not asked for.
    public let isUpdateAvailable: Bool

    init(
        content: W3CCredentialContent,
        controller: DID,
        securing: W3CCredentialSecuring,
        status: CredentialStatus?,
        isUpdateAvailable: Bool
    ) {
        self.content = content
        self.controller = controller
        self.securing = securing
        self.status = status
        self.isUpdateAvailable = isUpdateAvailable
    }

    /// The claims that a path leads to in the JSON of the credential; none if it leads nowhere.
    ///
    /// A linked-data proof covers their names only if the policy lists the contexts: ``W3CCredentialPolicy/contexts``. It covers
    /// neither the order of an array that is no list, nor whether a single value stands in an array.
    public func values(at path: W3CCredentialPath) -> [JSONValue] { path.values(in: content.members) }

    /// The values that a path of properties leads to, in expanded form: nodes and value objects.
    ///
    /// Graphs are not entered, so that nothing of an embedded credential is found. A node has all that the document says of
    /// it, wherever it stands. Truth values, integers and doubles are JSON values, and any other literal is a text with its
    /// datatype, however the document writes them.
    ///
    /// - Parameters:
    ///   - properties: The IRIs of the properties, from the credential on.
    ///   - processor: Expands a credential from a token, or one that had an unknown context; others are expanded already.
    ///   - options: The options of JSON-LD for such a credential.
    /// - Throws: The codes of JSON-LD, of safe mode and of limits, for such a credential.
    public func values(
        ofProperties properties: [ExactText],
        using processor: JSONLDProcessor = JSONLDProcessor(),
        options: JSONLDOptions = .proofs
    ) throws(LinkedDataError) -> [JSONValue] {
        try securing.node(of: content.members, processor, options).values(at: properties)
    }

    /// The IRIs of the credential's own types; those of embedded nodes do not count.
    ///
    /// - Parameters:
    ///   - processor: Expands a credential from a token, or one that had an unknown context; others are expanded already.
    ///   - options: The options of JSON-LD for such a credential.
    /// - Throws: The codes of JSON-LD, of safe mode and of limits, for such a credential.
    public func expandedTypes(
        using processor: JSONLDProcessor = JSONLDProcessor(),
        options: JSONLDOptions = .proofs
    ) throws(LinkedDataError) -> [ExactText] {
        try securing.node(of: content.members, processor, options).types
    }
}

/// A presentation whose every check passed, those of its credentials included.
///
/// Only ``W3CCredentialVerifier`` makes values of this type.
public struct VerifiedW3CPresentation: Sendable {
    /// The content: exactly the document that was hashed, or the presentation in a token.
    public let content: W3CPresentationContent
    /// The holder: the party that controls the key of the presentation's signature.
    public let holder: DID
    /// The way in which the presentation was secured.
    public let securing: W3CCredentialSecuring
    /// The credentials, in their order.
    public let credentials: [VerifiedW3CCredential]

    init(
        content: W3CPresentationContent,
        holder: DID,
        securing: W3CCredentialSecuring,
        credentials: [VerifiedW3CCredential]
    ) {
        self.content = content
        self.holder = holder
        self.securing = securing
        self.credentials = credentials
    }

    /// The IRIs of the presentation's own types; those of its credentials do not count.
    ///
    /// - Parameters:
    ///   - processor: Expands a presentation from a token, or one that had an unknown context; others are expanded already.
    ///   - options: The options of JSON-LD for such a presentation.
    /// - Throws: The codes of JSON-LD, of safe mode and of limits, for such a presentation.
    public func expandedTypes(
        using processor: JSONLDProcessor = JSONLDProcessor(),
        options: JSONLDOptions = .proofs
    ) throws(LinkedDataError) -> [ExactText] {
        // Tokens among the credentials are text that no vocabulary gives a meaning to.
        var members = content.members
        members["verifiableCredential"] = nil
        return try securing.node(of: members, processor, options).types
    }
}

extension W3CCredentialSecuring {
    /// The IRIs of the types of a document whose proofs verified; nil for a token, and for a document that is not expanded.
    var expandedTypes: [ExactText]? {
        guard case .linkedData(let document) = self else { return nil }
        return (try? document.node())?.types
    }

    /// The expanded node of a verified document, which is expanded here if it was not before.
    func node(
        of members: JSONObject,
        _ processor: JSONLDProcessor,
        _ options: JSONLDOptions
    ) throws(LinkedDataError) -> ExpandedNode {
        if case .linkedData(let document) = self, document.expanded != nil { return try document.node() }
        return try ExpandedNode(try processor.expand(.object(members), options: options))
    }
}

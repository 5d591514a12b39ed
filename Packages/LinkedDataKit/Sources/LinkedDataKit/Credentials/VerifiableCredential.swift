public import JOSEKit
public import JSONKit
import VerificationCore

/// A credential as received, with a linked-data proof or as a token; not verified.
///
/// ``W3CCredentialVerifier`` gives its claims.
public struct VerifiableCredential: Sendable {
    /// The forms of a credential.
    public enum Form: Sendable {
        /// A document with linked-data proofs.
        case linkedData(SecuredDocument)
        /// A token: VC-JWT of the data model 1.1, or `vc+jwt` of 2.0.
        case token(JWT)
    }

    /// The form.
    public let form: Form

    /// The type of the object that carries a token in a presentation of the data model 2.0.
    static let envelopeType = "EnvelopedVerifiableCredential"
    /// The media type of tokens in an envelope.
    static let mediaType = "application/vc+jwt"

    /// Takes a form.
    public init(_ form: Form) {
        self.form = form
    }

    /// Reads a JSON document, an envelope, or a token in the compact serialization.
    ///
    /// - Throws: ``LinkedDataError/Code/malformedDocument``, ``LinkedDataError/Code/invalidCredential`` for an envelope
    ///   of something else, ``LinkedDataError/Code/limitExceeded``.
    public init(decoding text: some Collection<UInt8>, limits: DocumentLimits = .default) throws(LinkedDataError) {
        guard text.isToken else {
            try self.init(SecuredDocument(decoding: text, limits: limits), limits: limits)
            return
        }
        self.init(.token(try JWT(document: text, limits: limits)))
    }

    /// Takes the members of a document or of an envelope.
    ///
    /// - Throws: As for a text.
    public init(json members: JSONObject, limits: DocumentLimits = .default) throws(LinkedDataError) {
        try self.init(SecuredDocument(json: members, limits: limits), limits: limits)
    }

    private init(_ document: SecuredDocument, limits: DocumentLimits) throws(LinkedDataError) {
        let token = try document.unverifiedMembers.envelopedToken(type: Self.envelopeType, mediaType: Self.mediaType)
        if let token {
            form = .token(try JWT(enveloped: token, limits: limits))
        } else {
            form = .linkedData(document)
        }
    }

    /// Reads a credential in a presentation: an object or, in version 1.1, a token as a text (version 2.0, section 4.13).
    init(
        embedded value: JSONValue,
        in version: DataModelVersion,
        limits: DocumentLimits
    ) throws(LinkedDataError) {
        switch value {
        case .string(let text) where version == .v1: self.init(.token(try JWT(document: text.utf8, limits: limits)))
        case .string: throw LinkedDataError(.invalidCredential, "version 2.0 has tokens in envelopes, not as texts")
        case .object(let members): try self.init(json: members, limits: limits)
        default: throw LinkedDataError(.invalidCredential, "it is neither an object nor a text")
        }
    }

    /// The credential as a presentation holds it.
    func embedded(in version: DataModelVersion) throws(LinkedDataError) -> JSONValue {
        switch form {
        case .linkedData(let document): return .object(document.unverifiedMembers)
        case .token(let token):
            let text: String
            do throws(JOSEError) {
                text = try token.compactSerialization()
            } catch {
                throw LinkedDataError(.invalidCredential, error.message, path: error.path, cause: error)
            }
            guard version == .v2 else { return .string(text) }
            try token.requireEnvelopable()
            return [
                "@context": .string(version.contextURL), "id": .string("data:\(Self.mediaType),\(text)"),
                "type": .string(Self.envelopeType),
            ]
        }
    }
}

/// A presentation as received, with a linked-data proof or as a token; not verified.
public struct VerifiablePresentation: Sendable {
    /// The forms of a presentation.
    public enum Form: Sendable {
        /// A document with linked-data proofs.
        case linkedData(SecuredDocument)
        /// A token: VP-JWT of the data model 1.1, or `vp+jwt` of 2.0.
        case token(JWT)
    }

    /// The form.
    public let form: Form

    /// Takes a form.
    public init(_ form: Form) {
        self.form = form
    }

    /// Reads a JSON document, an envelope, or a token in the compact serialization.
    ///
    /// - Throws: ``LinkedDataError/Code/malformedDocument``, ``LinkedDataError/Code/invalidCredential`` for an envelope
    ///   of something else, ``LinkedDataError/Code/limitExceeded``.
    public init(decoding text: some Collection<UInt8>, limits: DocumentLimits = .default) throws(LinkedDataError) {
        guard !text.isToken else {
            form = .token(try JWT(document: text, limits: limits))
            return
        }
        let document = try SecuredDocument(decoding: text, limits: limits)
        let token = try document.unverifiedMembers.envelopedToken(
            type: "EnvelopedVerifiablePresentation",
            mediaType: "application/vp+jwt"
        )
        if let token {
            form = .token(try JWT(enveloped: token, limits: limits))
        } else {
            form = .linkedData(document)
        }
    }

    /// Takes the members of a document.
    ///
    /// - Throws: ``LinkedDataError/Code/limitExceeded``.
    public init(json members: JSONObject, limits: DocumentLimits = .default) throws(LinkedDataError) {
        try self.init(decoding: JSONValue.object(members).encoded(), limits: limits)
    }
}

extension JSONObject {
    /// The token in an envelope; nil for a document of another type (Securing Credentials using JOSE and COSE;
    /// Verifiable Credentials Data Model 2.0, section 4.13).
    ///
    /// Further members of an envelope are not read. Claims and credentials beside the token are refused: its signature does not
    /// cover them, and readers could take them for what it says.
    fileprivate func envelopedToken(type: String, mediaType: String) throws(LinkedDataError) -> String? {
        let types = self["type"].map { $0.arrayValue ?? [$0] } ?? []
        guard types.contains(where: { $0.stringValue?.hasSameBytes(as: type) == true }) else { return nil }
        guard try DataModelReader(self).version() == .v2 else {
            throw DataModelReader.invalid("envelopes are of version 2.0", "@context")
        }
        guard types.count == 1, let token = self["id"]?.stringValue?.data(ofType: mediaType) else {
            throw DataModelReader.invalid("the envelope does not hold a \(mediaType)", "id")
        }
        for name in ["credentialSubject", "verifiableCredential"] where contains(name) {
            throw DataModelReader.invalid("the envelope has it beside the token", name)
        }
        return token
    }
}

extension String {
    /// The data of a `data:` URL of a media type, with any parameters (RFC 2397); nil for another text, and for data in base64.
    fileprivate func data(ofType mediaType: String) -> String? {
        let parts = utf8.split(separator: UInt8(ascii: ","), maxSplits: 1, omittingEmptySubsequences: false)
        let head = parts[0].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { Substring($0).lowercased() }
        guard parts.count == 2, head[0] == "data:" + mediaType, !head.contains("base64") else { return nil }
        return String(Substring(parts[1]))
    }
}

extension Collection<UInt8> {
    /// Returns `true` for text that is not a JSON object but may be a token: base64url with periods.
    ///
    /// The header of a token is an object, whose base64url starts with the letter `e`.
    fileprivate var isToken: Bool { first == UInt8(ascii: "e") }
}

extension JWT {
    /// Reads a token in an envelope.
    fileprivate init(enveloped text: String, limits: DocumentLimits) throws(LinkedDataError) {
        try self.init(document: text.utf8, limits: limits)
        try requireEnvelopable()
    }

    /// Refuses a token of the data model 1.1, which has another media type than those in envelopes.
    fileprivate func requireEnvelopable() throws(LinkedDataError) {
        guard W3CTokenForm(self).version == .v2 else {
            throw DataModelReader.invalid("an envelope holds no token of version 1.1", "id")
        }
    }

    /// Reads a token in the compact serialization.
    init(document text: some Collection<UInt8>, limits: DocumentLimits) throws(LinkedDataError) {
        do throws(JOSEError) {
            try self.init(JWS(compact: text, limits: JOSELimits(size: limits.size, depth: limits.depth)))
        } catch {
            let code: LinkedDataError.Code = error.code == .limitExceeded ? .limitExceeded : .malformedDocument
            throw LinkedDataError(code, error.message, path: error.path, cause: error)
        }
    }
}

/// A version of the Verifiable Credentials Data Model.
public enum DataModelVersion: String, Hashable, Sendable, CaseIterable {
    /// Version 1.1.
    case v1 = "1.1"
    /// Version 2.0.
    case v2 = "2.0"

    /// The URL of the context that every document of the version names first.
    public var contextURL: String {
        switch self {
        case .v1: "https://www.w3.org/2018/credentials/v1"
        case .v2: "https://www.w3.org/ns/credentials/v2"
        }
    }

    /// The member that says from when on a credential is valid.
    var validFromMember: String { self == .v1 ? "issuanceDate" : "validFrom" }

    /// The member that says from when on a credential is no longer valid.
    var validUntilMember: String { self == .v1 ? "expirationDate" : "validUntil" }
}

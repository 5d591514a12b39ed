import DIDKit
import JOSEKit
import JSONKit
@_spi(Layers) import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A token that holds a credential or a presentation, read and not verified.
///
/// In the data model 1.1 the document is the claim `vc` or `vp`; in 2.0 the payload is the document.
struct CredentialToken {
    /// The kinds of documents in tokens.
    enum Kind {
        case credential
        case presentation

        var claim: String { self == .credential ? "vc" : "vp" }
        /// `typ` of the data model 2.0.
        var type: String { self == .credential ? "vc+jwt" : "vp+jwt" }
        /// The member of a document that names its signer.
        var signer: String { self == .credential ? "issuer" : "holder" }
        /// The purpose of the key by default.
        var purpose: VerificationRelationship { self == .credential ? .assertionMethod : .authentication }
    }

    /// The claims of JWT that may stand beside the members of a document of the data model 2.0.
    private static let registered = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti", "cnf", "nonce"]

    let token: JWT
    let header: JOSEHeader
    let claims: JWTClaims
    let version: DataModelVersion
    let kind: Kind
    /// The document as it stands in the token, without claims of the token.
    let document: JSONObject

    init(_ token: JWT, _ kind: Kind, limits: DocumentLimits) throws(LinkedDataError) {
        self.token = token
        self.kind = kind
        do throws(JOSEError) {
            header = try token.unverifiedHeader()
            let limits = JOSELimits(size: limits.size, depth: limits.depth)
            claims = try JWTClaims(decoding: token.jws.unverifiedPayload ?? [], limits: limits)
            version = try Self.version(header, claims, kind)
        } catch {
            let code: LinkedDataError.Code = error.code == .limitExceeded ? .limitExceeded : .malformedDocument
            throw LinkedDataError(code, error.message, path: error.path, cause: error)
        }
        let inner = claims[kind.claim]
        switch version {
        case .v1:
            guard let members = inner?.objectValue else {
                throw LinkedDataError(.invalidCredential, "the claim is missing or no object", path: [kind.claim])
            }
            document = members
        case .v2:
            guard !claims.contains("vc"), !claims.contains("vp") else {
                throw LinkedDataError(.invalidCredential, "a \(kind.type) has no claims vc and vp", path: [kind.claim])
            }
            var members = claims.members
            for name in Self.registered { members[name] = nil }
            document = members
        }
    }

    /// The version by `typ`, which should but need not be there (Securing VCs using JOSE and COSE, section 3.1.1); with `JWT`
    /// or none, a payload that is a document of 2.0 itself.
    private static func version(
        _ header: JOSEHeader,
        _ claims: JWTClaims,
        _ kind: Kind
    ) throws(JOSEError) -> DataModelVersion {
        func versionOfPayload() -> DataModelVersion {
            claims.members.isDocumentOfVersion2 && !claims.contains(kind.claim) ? .v2 : .v1
        }
        guard let type = try header.type() else { return versionOfPayload() }
        switch W3CTokenForm.mediaType(type) {
        case "jwt": return versionOfPayload()
        case kind.type: return .v2
        default: throw JOSEError(.invalidHeader, "the token is neither a JWT nor a \(kind.type)", path: ["typ"])
        }
    }

    /// A document with what the claims of its token say.
    struct CompletedDocument {
        var members: JSONObject
        /// The claims that say something else than the document, and are let pass.
        var deviations: [Deviation] = []
    }

    /// The document with what a token of the data model 1.1 says in claims alone (section 6.3.1), or the error with code
    /// ``LinkedDataError/Code/claimMismatch`` for a claim that says something else than the document.
    func completedDocument(
        tolerating tolerances: Set<W3CCredentialTolerance> = []
    ) -> Result<CompletedDocument, LinkedDataError> {
        do throws(LinkedDataError) {
            return .success(try completed(tolerances))
        } catch {
            return .failure(error)
        }
    }

    private func completed(
        _ tolerances: Set<W3CCredentialTolerance>
    ) throws(LinkedDataError) -> CompletedDocument {
        let pairs: TokenPairs
        do throws(JOSEError) {
            pairs = try TokenPairs(claims, version, tolerances)
        } catch {
            throw LinkedDataError(.claimMismatch, error.message, path: error.path, cause: error)
        }
        var document = CompletedDocument(members: document)
        switch kind {
        case .credential: try pairs.complete(credential: &document)
        case .presentation: try pairs.complete(presentation: &document)
        }
        return document
    }

    /// The name of the key: `kid`, alone or relative to the signer, or nil if the signer has to have exactly one.
    ///
    /// A `kid` that is the signer's DID names none of its keys (data model 1.1, section 6.3.1: `kid` may be used if there are
    /// several). That of another DID is refused: the document of a DID can hold methods in the name of others.
    func keyName(of signer: String?) throws(CheckFault) -> (url: DIDURL?, signer: DID?) {
        let keyID = try CheckFault.converting { () throws(JOSEError) in try header.keyID() }
        let did = signer.flatMap { try? DID($0) }
        guard let keyID else {
            guard let did else {
                throw .failed(.issuerKeyNotFound, "neither kid nor the signer names a key", path: ["kid"])
            }
            return (nil, did)
        }
        let isRelative = !keyID.utf8.starts(with: "did:".utf8)
        let text = isRelative && keyID.utf8.first != UInt8(ascii: "#") ? "#" + keyID : keyID
        let url = try CheckFault.converting { () throws(DIDError) in
            try DIDURL(text, relativeTo: isRelative ? did : nil)
        }
        guard url.isDID else { return (url, did) }
        guard url.did == did else {
            throw .failed(.controllerMismatch, "\(url) is a DID, and not that of the signer", path: ["kid"])
        }
        return (nil, did)
    }
}

/// The claims of a token that stand for members of its document (data model 1.1, section 6.3.1).
///
/// In 1.1 a claim alone gives the member its value, and a claim beside a member says the same. In 2.0 the document says
/// everything itself. There `iss` must match (Securing VCs using JOSE and COSE, section 4.1.2), and conflicts of `sub` and `jti`
/// should be avoided (section 3.1.3). Applications may take `sub` for the subject, so it must be one of those that the
/// document names. Another `jti` is reported.
///
/// The check of the structure names malformed members, which are left alone here.
struct TokenPairs {
    private let issuer: String?
    private let subject: String?
    private let tokenID: String?
    private let notBefore: Date?
    private let expiration: Date?
    private let version: DataModelVersion
    private let tolerances: Set<W3CCredentialTolerance>

    init(
        _ claims: JWTClaims,
        _ version: DataModelVersion,
        _ tolerances: Set<W3CCredentialTolerance>
    ) throws(JOSEError) {
        self.version = version
        self.tolerances = tolerances
        issuer = try claims.issuer()
        subject = try claims.subject()
        tokenID = try claims.tokenID()
        notBefore = try claims.notBefore()
        expiration = try claims.expirationTime()
    }

    func complete(credential: inout CredentialToken.CompletedDocument) throws(LinkedDataError) {
        try pair("issuer", "iss", issuer, in: &credential.members)
        try pairTokenID(in: &credential)
        try pair(subject, in: &credential.members)
        // In 2.0 the claims are about the signature alone, and need not agree with the credential.
        guard version == .v1 else { return }
        try pair("issuanceDate", "nbf", notBefore, in: &credential)
        try pair("expirationDate", "exp", expiration, in: &credential)
    }

    func complete(presentation: inout CredentialToken.CompletedDocument) throws(LinkedDataError) {
        try pair("holder", "iss", issuer, in: &presentation.members)
        try pairTokenID(in: &presentation)
    }

    /// An identifier, or an object with one.
    private func pair(
        _ member: String,
        _ claim: String,
        _ value: String?,
        in document: inout JSONObject
    ) throws(LinkedDataError) {
        guard let value else { return }
        guard let found = document[member] else {
            if version == .v1 { document[member] = .string(value) }
            return
        }
        guard let text = (found["id"] ?? found).stringValue else { return }
        guard text.hasSameBytes(as: value) else { throw Self.mismatch(claim, member) }
    }

    /// The identifier of the document, and in 2.0 perhaps another one of the token.
    private func pairTokenID(in document: inout CredentialToken.CompletedDocument) throws(LinkedDataError) {
        do throws(LinkedDataError) {
            try pair("id", "jti", tokenID, in: &document.members)
        } catch {
            guard version == .v2 else { throw error }
            document.deviations.append(Deviation("tokenID", at: error.path, error.message))
        }
    }

    /// The subject: in 1.1 the only one, in 2.0 one of them, unless none has an identifier.
    private func pair(_ subject: String?, in credential: inout JSONObject) throws(LinkedDataError) {
        guard let subject, let values = credential["credentialSubject"]?.elements else { return }
        let objects = values.compactMap(\.objectValue)
        guard !values.isEmpty, objects.count == values.count else { return }
        guard version == .v1 else {
            let names = objects.compactMap { $0["id"] }
            guard names.isEmpty || names.contains(where: { $0.stringValue?.hasSameBytes(as: subject) == true }) else {
                throw Self.mismatch("sub", "credentialSubject.id")
            }
            return
        }
        guard objects.count == 1, var object = objects.first else { throw Self.mismatch("sub", "credentialSubject") }
        guard let id = object["id"] else {
            object["id"] = .string(subject)
            credential["credentialSubject"] = .object(object)
            return
        }
        guard let text = id.stringValue else { return }
        guard text.hasSameBytes(as: subject) else { throw Self.mismatch("sub", "credentialSubject.id") }
    }

    /// A time, to the second.
    private func pair(
        _ member: String,
        _ claim: String,
        _ value: Date?,
        in document: inout CredentialToken.CompletedDocument
    ) throws(LinkedDataError) {
        guard let value else { return }
        if let found = document.members[member] {
            guard let date = found.stringValue.flatMap(XMLDateTime.dateAssumingUTC),
                date.timeIntervalSince1970.rounded(.down) != value.timeIntervalSince1970.rounded(.down)
            else { return }
            let tolerance = W3CCredentialTolerance.claimTimes
            let finding = Self.finding(claim, member)
            guard tolerances.contains(tolerance) else {
                throw LinkedDataError(.claimMismatch, "\(finding) (tolerance \(tolerance))", path: [claim])
            }
            document.deviations.append(Deviation(tolerance.description, at: [claim], finding))
        }
        document.members[member] = .string(XMLDateTime.text(value))
    }

    private static func mismatch(_ claim: String, _ member: String) -> LinkedDataError {
        LinkedDataError(.claimMismatch, finding(claim, member), path: [claim])
    }

    private static func finding(_ claim: String, _ member: String) -> String {
        "the claim \(claim) says something else than \(member)"
    }
}

import CBORKit
import COSEKit
import CommandSupport
import CredentialTransport
import JOSEKit
import MdocKit
import StatusListKit

extension InputFile {
    /// A list as it would be fetched.
    struct StatusListAnswer {
        /// The URI that credentials name it by.
        let uri: String
        /// The media type.
        let type: MediaType
        /// The token.
        let token: [UInt8]
    }

    /// The lists of a file: those of a snapshot, or one token, which is named by its own unverified `sub`.
    ///
    /// Nothing is verified; the user of a list does that.
    func statusLists() throws(ToolError) -> [StatusListAnswer] {
        let bytes = try decoded().bytes
        return try reading("status list, identifier list or snapshot") {
            let text = TextClass.trimmed(bytes)
            if text.first == UInt8(ascii: "e") { return [try Self.jwt(Array(text))] }
            if let head = bytes.first, head >> 5 == 4 { return try Self.snapshot(bytes) }
            return [try Self.cwt(bytes)]
        }
    }

    /// A snapshot with a list of the file.
    func snapshot(of list: StatusListAnswer) throws(ToolError) -> MdocStatusSnapshot {
        var snapshot = MdocStatusSnapshot()
        if list.type == .statusListJWT || list.type == .statusListCWT {
            snapshot.statusLists.insert(try token(list), for: list.uri)
        } else {
            let token = try reading("identifier list token") { try IdentifierListToken(cwt: list.token) }
            snapshot.identifierLists.insert(token, for: list.uri)
        }
        return snapshot
    }

    private static func jwt(_ bytes: [UInt8]) throws -> StatusListAnswer {
        let token = try JWT(compact: bytes)
        let claims = try JWTClaims(decoding: token.jws.unverifiedPayload ?? [])
        return try answer(try claims.subject(), .statusListJWT, Array(token.compactSerialization().utf8))
    }

    private static func cwt(_ bytes: [UInt8]) throws -> StatusListAnswer {
        guard case .sign1(let message) = try COSETaggedMessage(decoding: bytes) else {
            throw ToolError("the token is no COSE_Sign1")
        }
        let claims = try CWTClaims(decoding: message.unverifiedPayload ?? [])
        let isIdentifierList =
            switch try message.headers.protected.type() {
            case .mediaType(let type): type.lowercased().contains("identifier")
            default: false
            }
        let type = try isIdentifierList ? MediaType(IdentifierListToken.mediaType) : .statusListCWT
        return try answer(try claims.subject(), type, bytes)
    }

    private static func answer(_ uri: String?, _ type: MediaType, _ token: [UInt8]) throws -> StatusListAnswer {
        guard let uri else { throw ToolError("the token does not say which list it is: sub is missing") }
        return StatusListAnswer(uri: uri, type: type, token: token)
    }

    /// An array of `[uri, media type, token]`.
    private static func snapshot(_ bytes: [UInt8]) throws -> [StatusListAnswer] {
        try CBORDocument(bytes).root.array().map { entry in
            let parts = try entry.array(count: 3)
            return StatusListAnswer(
                uri: try parts.element(at: 0).text(),
                type: try MediaType(parts.element(at: 1).text()),
                token: Array(try parts.element(at: 2).bytes())
            )
        }
    }
}

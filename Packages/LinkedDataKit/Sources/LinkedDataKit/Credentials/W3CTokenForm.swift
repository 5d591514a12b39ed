public import JOSEKit
import JSONKit
import VerificationCore

/// The kind and the version of the document that a token claims to hold, not verified.
///
/// `typ` tells them in the data model 2.0, where it should but need not be there (Securing VCs using JOSE and COSE, section
/// 3.1.1). Otherwise the claims do: `vp` or `vc` in 1.1, and in 2.0 the document itself by its context and types.
@_spi(Layers) public struct W3CTokenForm: Hashable, Sendable {
    /// Indicates that the document is a presentation, and not a credential.
    public let isPresentation: Bool
    /// The version of the data model; 1.1 for a token that holds no document at all.
    public let version: DataModelVersion

    /// Reads a token's header and claims.
    public init(_ token: JWT) {
        let type = try? token.unverifiedHeader().type()
        switch type.map(Self.mediaType) {
        case "vc+jwt"?: (isPresentation, version) = (false, .v2)
        case "vp+jwt"?: (isPresentation, version) = (true, .v2)
        default:
            let claims = (try? JSONValue(parsing: token.jws.unverifiedPayload ?? []).objectValue) ?? [:]
            if claims.contains("vp") || claims.contains("vc") || !claims.isDocumentOfVersion2 {
                (isPresentation, version) = (claims.contains("vp"), .v1)
            } else {
                let types = claims["type"]?.elements ?? []
                (isPresentation, version) = (types.contains(.string(W3CPresentationContent.type.text)), .v2)
            }
        }
    }

    /// A `typ` in lower case, without `application/` (RFC 7515, section 4.1.9).
    static func mediaType(_ type: String) -> String {
        let name = type.lowercased()
        return name.hasPrefix("application/") ? String(name.dropFirst("application/".count)) : name
    }
}

extension JSONObject {
    /// Returns `true` for a document of the data model 2.0, by its first context.
    var isDocumentOfVersion2: Bool {
        self["@context"]?.elements.first?.stringValue?.hasSameBytes(as: DataModelVersion.v2.contextURL) == true
    }
}

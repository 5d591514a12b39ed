/// A credential format identifier (OpenID4VP 1.0, appendix B), such as `mso_mdoc`.
public struct CredentialFormat: ExactName {
    /// The identifier as transmitted.
    public let text: String

    /// Takes an identifier.
    public init(_ text: String) {
        self.text = text
    }

    /// An mdoc of ISO/IEC 18013-5.
    public static let mdoc: CredentialFormat = "mso_mdoc"
    /// An SD-JWT VC.
    public static let sdJWT: CredentialFormat = "dc+sd-jwt"
    /// An SD-JWT VC, by its name in drafts before 23.
    public static let olderSDJWT: CredentialFormat = "vc+sd-jwt"
    /// A W3C credential with a linked-data proof.
    public static let linkedData: CredentialFormat = "ldp_vc"
    /// A W3C credential as a JWT.
    public static let jwt: CredentialFormat = "jwt_vc_json"

    /// The format, with the older name of SD-JWT VC replaced by the present one.
    public var current: CredentialFormat { self == .olderSDJWT ? .sdJWT : self }

    /// The format of the credentials in a presentation of this format: drafts name those of envelopes, too.
    package var credential: CredentialFormat {
        switch text {
        case "ldp_vp", "ldp_vc": .linkedData
        case "jwt_vp_json", "jwt_vc_json", "jwt_vp", "jwt_vc": .jwt
        default: current
        }
    }

    /// Indicates that drafts name presentations by it, and not the credentials in them.
    package var isEnvelope: Bool { ["ldp_vp", "jwt_vp_json", "jwt_vp"].contains(text) }

    /// Indicates that a presentation can leave claims of any credential of the format out.
    ///
    /// One with a linked-data proof may permit it, too: see ``QueryableCredential/disclosesSelectively``.
    public var disclosesSelectively: Bool { self == .mdoc || current == .sdJWT }
}

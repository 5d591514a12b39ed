/// The way back for the response (section 8.2 and appendix A; JARM; Interactive Authorization).
public struct ResponseMode: ExactName {
    /// The parameter that has the address of the response.
    public enum Address: Hashable, Sendable {
        /// `redirect_uri`.
        case redirectURI
        /// `response_uri`.
        case responseURI
        /// `response_uri`, if present; the caller has the address otherwise.
        case optionalResponseURI
        /// None: the platform takes the response.
        case platform
    }

    /// The mode as transmitted.
    public let text: String

    /// Takes a mode.
    public init(_ text: String) {
        self.text = text
    }

    /// A redirect with the response in the fragment.
    public static let fragment: ResponseMode = "fragment"
    /// A redirect with the response in the query.
    public static let query: ResponseMode = "query"
    /// A form that submits itself.
    public static let formPost: ResponseMode = "form_post"
    /// A POST by the wallet.
    public static let directPost: ResponseMode = "direct_post"
    /// A POST by the wallet, encrypted.
    public static let directPostJWT: ResponseMode = "direct_post.jwt"
    /// The Digital Credentials API.
    public static let digitalCredentials: ResponseMode = "dc_api"
    /// The Digital Credentials API, encrypted.
    public static let digitalCredentialsJWT: ResponseMode = "dc_api.jwt"

    private static let addresses: [ResponseMode: Address] = [
        fragment: .redirectURI, query: .redirectURI, formPost: .redirectURI, "fragment.jwt": .redirectURI,
        "query.jwt": .redirectURI, "form_post.jwt": .redirectURI, "jwt": .redirectURI, directPost: .responseURI,
        directPostJWT: .responseURI, digitalCredentials: .platform, digitalCredentialsJWT: .platform,
        "w3c_dc_api": .platform, "w3c_dc_api.jwt": .platform, "iar-post": .optionalResponseURI,
        "iar-post.jwt": .optionalResponseURI, "iae_post": .optionalResponseURI, "iae_post.jwt": .optionalResponseURI,
        "ia_post": .optionalResponseURI, "ia_post.jwt": .optionalResponseURI,
    ]

    /// The parameter that has the address; nil for an unknown mode.
    public var address: Address? { Self.addresses[self] }

    /// The prefix of the audience for presentations to an authorization server during issuance: `iar:` and the later
    /// `iae:` and `ia:`; nil for other modes.
    public var interactivePrefix: String? {
        guard address == .optionalResponseURI else { return nil }
        return text.prefix { $0 != "-" && $0 != "_" } + ":"
    }

    /// Indicates a mode of the Digital Credentials API that drafts have alone.
    package var isOfPlatformDrafts: Bool { base == "w3c_dc_api" }

    /// The mode without `.jwt`.
    package var base: ResponseMode { text.hasSuffix(".jwt") ? ResponseMode(String(text.dropLast(".jwt".count))) : self }

    /// Indicates that the response is a JWT: encrypted, or signed by the older rules of JARM.
    public var isJWT: Bool { text == "jwt" || text.utf8.suffix(4).elementsEqual(".jwt".utf8) }
}

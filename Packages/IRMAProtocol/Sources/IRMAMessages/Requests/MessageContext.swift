/// The value of `@context`, which names the kind of a message: an open set.
public struct MessageContext: Hashable, Sendable {
    /// The URL.
    public let text: String

    /// Names a kind.
    public init(_ text: String) {
        self.text = text
    }

    /// A disclosure request.
    public static let disclosureRequest = MessageContext("https://irma.app/ld/request/disclosure/v2")
    /// A request for an attribute-based signature.
    public static let signatureRequest = MessageContext("https://irma.app/ld/request/signature/v2")
    /// An issuance request.
    public static let issuanceRequest = MessageContext("https://irma.app/ld/request/issuance/v2")
    /// A request to revoke a credential.
    public static let revocationRequest = MessageContext("https://irma.app/ld/request/revocation/v1")
    /// A frontend's options for a session.
    public static let frontendOptions = MessageContext("https://irma.app/ld/request/frontendoptions/v1")
    /// The first message of a server to a wallet.
    public static let clientRequest = MessageContext("https://irma.app/ld/request/client/v1")
    /// The options of a session.
    public static let sessionOptions = MessageContext("https://irma.app/ld/options/v1")
    /// A signed message.
    public static let signedMessage = MessageContext("https://irma.app/ld/signature/v2")
}

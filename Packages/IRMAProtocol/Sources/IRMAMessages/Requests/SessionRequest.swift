public import JSONKit

/// A request for a session: what to show, what to sign, what to issue.
///
/// A requestor sends it to its server, which completes it and sends it to the wallet.
public struct SessionRequest: Hashable, IRMAMessage {
    /// The purpose of a session.
    public enum Purpose: Hashable, Sendable {
        /// Attributes are shown to the requestor.
        case disclosing
        /// A message is signed with attributes.
        case signing(message: String)
        /// Credentials are issued, and attributes may be shown before.
        case issuing([CredentialRequest])
    }

    /// The purpose.
    public var purpose: Purpose
    /// The attributes to show.
    public var disclose: Condiscon
    /// Texts for the disjunctions, by their position; nil stands for `null`.
    public var labels: [Int: TranslatedText?]
    /// The credential types of which expired credentials are accepted.
    public var skipExpiryCheck: [CredentialTypeIdentifier]
    /// The members that all requests share.
    public var parameters: SessionParameters
    /// Indicates a request that was read from the older form, or that has its member `type`.
    public var isFromLegacyRequest: Bool

    /// Describes a request.
    public init(
        _ purpose: Purpose,
        disclose: Condiscon = [],
        labels: [Int: TranslatedText?] = [:],
        skipExpiryCheck: [CredentialTypeIdentifier] = [],
        parameters: SessionParameters = SessionParameters(),
        isFromLegacyRequest: Bool = false
    ) {
        self.purpose = purpose
        self.disclose = disclose
        self.labels = labels
        self.skipExpiryCheck = skipExpiryCheck
        self.parameters = parameters
        self.isFromLegacyRequest = isFromLegacyRequest
    }

    /// The kind of session.
    public var kind: SessionKind {
        switch purpose {
        case .disclosing: .disclosing
        case .signing: .signing
        case .issuing: .issuing
        }
    }

    /// The credentials to issue; empty for another purpose.
    public var credentials: [CredentialRequest] {
        if case .issuing(let credentials) = purpose { credentials } else { [] }
    }

    /// The message to sign, or nil for another purpose.
    public var message: String? {
        if case .signing(let message) = purpose { message } else { nil }
    }

    /// Reads a request whose `@context` names its kind.
    ///
    /// - Throws: ``IRMAError/Code/malformed``, also for a request in the older form, which ``RequestorMessage`` reads.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        self.init(
            try Self.purpose(members),
            disclose: try members.message("disclose") ?? [],
            labels: try members.map("labels", key: JSONValue.index) { json throws(IRMAError) in
                json.isNull ? nil : try TranslatedText(json: json)
            } ?? [:],
            skipExpiryCheck: try members.list("skipExpiryCheck") { json throws(IRMAError) in
                try CredentialTypeIdentifier(json: json)
            } ?? [],
            parameters: try SessionParameters(members)
        )
        isFromLegacyRequest = try members.text("type") != nil
    }

    private static func purpose(_ members: MessageMembers) throws(IRMAError) -> Purpose {
        switch MessageContext(try members.requiredText("@context")) {
        case .disclosureRequest: return .disclosing
        case .signatureRequest: return .signing(message: try members.text("message") ?? "")
        case .issuanceRequest:
            return .issuing(
                try members.credentialRequests()
            )
        default: throw IRMAError(.malformed, "not the context of a session request", path: ["@context"])
        }
    }

    /// The request as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object: JSONObject = ["@context": .string(context.text)]
        try parameters.write(to: &object)
        if isFromLegacyRequest { try object.write("type", kind) }
        if !disclose.disjunctions.isEmpty { try object.write("disclose", disclose) }
        if !labels.isEmpty {
            let label = { (label: TranslatedText?) throws(IRMAError) -> JSONValue in try label?.json() ?? .null }
            object["labels"] = try .map(labels, name: { String($0) }, label)
        }
        if !skipExpiryCheck.isEmpty { try object.write("skipExpiryCheck", list: skipExpiryCheck) }
        switch purpose {
        case .disclosing: break
        case .signing(let message): object["message"] = .string(message)
        case .issuing(let credentials): try object.write("credentials", list: credentials)
        }
        return .object(object)
    }

    private var context: MessageContext {
        switch purpose {
        case .disclosing: .disclosureRequest
        case .signing: .signatureRequest
        case .issuing: .issuanceRequest
        }
    }

    /// The form in which a server sends the request to a wallet: without the keys for revocation.
    public func forWallet() -> SessionRequest {
        var request = self
        if case .issuing(let credentials) = purpose { request.purpose = .issuing(credentials.map { $0.forWallet() }) }
        return request
    }
}

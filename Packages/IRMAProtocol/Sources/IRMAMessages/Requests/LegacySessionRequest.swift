public import JSONKit

/// A session request in the form before protocol 2.5, which has no conjunctions of attributes.
public struct LegacySessionRequest: Hashable, IRMAMessage {
    /// The kind of session.
    public var kind: SessionKind
    /// The disjunctions: `content`, or `disclose` of an issuance request.
    public var content: [LegacyDisjunction]
    /// The message to sign, or nil.
    public var message: String?
    /// The credentials to issue.
    public var credentials: [CredentialRequest]
    /// The members that all requests share.
    public var parameters: SessionParameters

    /// Describes a request.
    public init(
        _ kind: SessionKind,
        content: [LegacyDisjunction],
        message: String? = nil,
        credentials: [CredentialRequest] = [],
        parameters: SessionParameters = SessionParameters()
    ) {
        self.kind = kind
        self.content = content
        self.message = message
        self.credentials = credentials
        self.parameters = parameters
    }

    /// Reads the object `{"type"?, "content" or "disclose", "message"?, "credentials"?}`.
    ///
    /// If the type is omitted, as in signed requests whose claim names it, it follows from the other members.
    ///
    /// - Throws: ``IRMAError/Code/malformed``, also for a type that is not a kind of session.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        kind = if let named: SessionKind = try members.message("type") { named } else { try Self.kind(of: members) }
        guard [.disclosing, .signing, .issuing].contains(kind) else {
            throw IRMAError(.malformed, "\(kind) is no kind of session request", path: ["type"])
        }
        content =
            try members.list(kind == .issuing ? "disclose" : "content") { json throws(IRMAError) in
                try LegacyDisjunction(json: json)
            } ?? []
        message = kind == .signing ? try members.text("message") ?? "" : nil
        credentials = kind == .issuing ? try members.credentialRequests() : []
        parameters = try SessionParameters(members)
    }

    private static func kind(of members: MessageMembers) throws(IRMAError) -> SessionKind {
        if try members.value("credentials") != nil { return .issuing }
        guard try members.value("content") != nil else {
            throw IRMAError(.malformed, "neither a present nor an older form of a session request")
        }
        return try members.value("message") == nil ? .disclosing : .signing
    }

    /// The request as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        try parameters.write(to: &object)
        try object.write("type", kind)
        if kind == .issuing {
            if !content.isEmpty { try object.write("disclose", list: content) }
            try object.write("credentials", list: credentials)
        } else {
            try object.write("content", list: content)
        }
        if kind == .signing { object["message"] = .string(message ?? "") }
        return .object(object)
    }
}

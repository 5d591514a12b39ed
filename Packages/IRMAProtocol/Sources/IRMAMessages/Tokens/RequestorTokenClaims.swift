public import JSONKit

/// The claims of a requestor's signed message: a request for a session, or a revocation.
///
/// Nothing of a token is verified here: the requestor is the one whose key verified the token, whatever ``issuer`` says.
public struct RequestorTokenClaims: Hashable, IRMAMessage {
    /// The content of a requestor's token.
    public enum Content: Hashable, Sendable {
        /// A request for a session.
        case session(RequestorMessage)
        /// A revocation.
        case revocation(RevocationRequest)
    }

    /// The name of the requestor (`iss`), or nil if the header's `kid` has it.
    public var issuer: String?
    /// The time of issuance (`iat`) in seconds since 1970; 0 for a token that names none, which is too old for every server.
    public var issuedAt: Int64
    /// The content.
    public var content: Content

    /// Describes a token.
    ///
    /// A bare request gets the default options: the existing server takes none without them from a token.
    public init(issuer: String?, issuedAt: Int64, content: Content) {
        self.issuer = issuer
        self.issuedAt = issuedAt
        self.content = content.withOptions
    }

    /// Reads the claims `{"iss"?, "iat", "sub", …}`, of which `sub` names the member with the content.
    ///
    /// Beside a revocation `sub` may be empty, as the existing command leaves it.
    ///
    /// - Throws: ``IRMAError/Code/malformed``, also for a request of another kind than `sub` says.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        issuer = try members.text("iss")
        issuedAt = try members.number("iat") ?? 0
        let subject = try members.text("sub") ?? ""
        let revocation = try members.value(Form.revoking.member)
        let named = Form.allCases.first { $0.rawValue.hasSameBytes(as: subject) }
        guard let form = subject.isEmpty && revocation != nil ? .revoking : named else {
            throw IRMAError(.malformed, "not the subject of a requestor's token", path: ["sub"])
        }
        guard let kind = form.kind else {
            content = .revocation(try members.requiredMessage(form.member))
            return
        }
        let message: RequestorMessage = try members.requiredMessage(form.member)
        guard message.kind == kind else {
            throw IRMAError(.malformed, "a request of the kind \(message.kind) under \(subject)", path: [form.member])
        }
        content = Content.session(message).withOptions
    }

    /// The claims as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        object.write("iss", ifPresent: issuer)
        object["iat"] = .integer(issuedAt)
        switch content.withOptions {
        case .session(let message):
            let form = Form.allCases.first { $0.kind == message.kind } ?? .disclosing
            object["sub"] = .string(form.rawValue)
            try object.write(form.member, message)
        case .revocation(let request):
            object["sub"] = .string(Form.revoking.rawValue)
            try object.write(Form.revoking.member, request)
        }
        return .object(object)
    }

    /// The subjects, with the member that has the content.
    private enum Form: String, CaseIterable {
        case disclosing = "verification_request"
        case signing = "signature_request"
        case issuing = "issue_request"
        case revoking = "revocation_request"

        var member: String {
            switch self {
            case .disclosing: "sprequest"
            case .signing: "absrequest"
            case .issuing: "iprequest"
            case .revoking: "revrequest"
            }
        }

        var kind: SessionKind? {
            switch self {
            case .disclosing: .disclosing
            case .signing: .signing
            case .issuing: .issuing
            case .revoking: nil
            }
        }
    }
}

extension RequestorTokenClaims.Content {
    /// The same content, in which a request has options.
    fileprivate var withOptions: RequestorTokenClaims.Content {
        guard case .session(var message) = self else { return self }
        message.options = message.options ?? RequestorOptions()
        return .session(message)
    }
}

extension RequestorMessage {
    /// The kind of session.
    public var kind: SessionKind {
        switch body {
        case .present(let request): request.kind
        case .legacy(let request): request.kind
        }
    }
}

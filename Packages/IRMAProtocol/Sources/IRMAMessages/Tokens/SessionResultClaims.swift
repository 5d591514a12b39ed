public import JSONKit

/// The claims of a signed result (`result-jwt`): those of the token beside the members of the result.
public struct SessionResultClaims: Hashable, IRMAMessage {
    /// The server's name.
    public var issuer: String?
    /// The time of issuance, in seconds since 1970.
    public var issuedAt: Int64
    /// The time of expiry, in seconds since 1970.
    public var expiresAt: Int64
    /// The result.
    public var result: SessionResult

    /// Describes a token.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - issuer: The server's name.
    ///   - issuedAt: The time, in seconds since 1970.
    ///   - validity: The validity in seconds.
    public init(
        _ result: SessionResult,
        issuer: String?,
        issuedAt: Int64,
        validity: UInt64 = RequestorOptions.defaultResultValidity
    ) {
        self.result = result
        self.issuer = issuer
        self.issuedAt = issuedAt
        let (sum, isOverflow) = issuedAt.addingReportingOverflow(Int64(clamping: validity))
        expiresAt = isOverflow ? .max : sum
    }

    /// Reads the claims.
    ///
    /// - Throws: ``IRMAError/Code/malformed``, also for a `sub` of another kind of session than the result's.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        issuer = try members.text("iss")
        issuedAt = try members.number("iat") ?? 0
        guard let expiresAt: Int64 = try members.number("exp") else {
            throw IRMAError(.malformed, "the member is missing", path: ["exp"])
        }
        self.expiresAt = expiresAt
        result = try SessionResult(json: json)
        guard try members.requiredText("sub").hasSameBytes(as: subject) else {
            throw IRMAError(.malformed, "not the subject of this kind of session", path: ["sub"])
        }
    }

    /// The claims as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object: JSONObject = ["exp": .integer(expiresAt), "iat": .integer(issuedAt)]
        object.write("iss", ifPresent: issuer)
        object["sub"] = .string(subject)
        object["token"] = .string(result.token)
        try result.write(to: &object)
        return .object(object)
    }

    private var subject: String { "\(result.kind.name)_result" }
}

/// The claims of a signed result in the layout of the older API server (`getproof`).
public struct LegacyResultClaims: Hashable, IRMAMessage {
    /// The server's name.
    public var issuer: String?
    /// The time of issuance, in seconds since 1970.
    public var issuedAt: Int64
    /// The time of expiry, in seconds since 1970.
    public var expiresAt: Int64
    /// `disclosure_result`, `abs_result` or `issue_result`.
    public var subject: String
    /// The status of the proofs; of an empty name if the session ended without any.
    public var status: ProofStatus
    /// The disclosed attributes; an absent optional one has the empty text, as the existing server's.
    public var attributes: [AttributeIdentifier: String?]
    /// The signed message, or nil.
    public var signature: SignedMessage?

    /// The claims for a result.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - issuer: The server's name.
    ///   - issuedAt: The time, in seconds since 1970.
    ///   - validity: The validity in seconds.
    public init(
        _ result: SessionResult,
        issuer: String?,
        issuedAt: Int64,
        validity: UInt64 = RequestorOptions.defaultResultValidity
    ) {
        let claims = SessionResultClaims(result, issuer: issuer, issuedAt: issuedAt, validity: validity)
        self.issuer = issuer
        self.issuedAt = issuedAt
        expiresAt = claims.expiresAt
        subject =
            switch result.kind {
            case .signing: "abs_result"
            case .issuing: "issue_result"
            default: "disclosure_result"
            }
        status = result.proofStatus ?? ProofStatus("")
        let pairs = result.disclosed.compactMap(\.self).joined().map { ($0.id, $0.rawValue ?? "") }
        // Of two credentials with the attribute, the reference tells the last.
        attributes = Dictionary(pairs, uniquingKeysWith: { $1 })
        signature = result.signature
    }

    /// Reads the claims.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        issuer = try members.text("iss")
        issuedAt = try members.number("iat") ?? 0
        guard let expiresAt: Int64 = try members.number("exp") else {
            throw IRMAError(.malformed, "the member is missing", path: ["exp"])
        }
        self.expiresAt = expiresAt
        subject = try members.requiredText("sub")
        status = try members.requiredMessage("status")
        attributes =
            try members.map("attributes", key: AttributeIdentifier.init) { json throws(IRMAError) in
                try json.optionalText()
            } ?? [:]
        signature = try members.message("signature")
    }

    /// The claims as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object: JSONObject = ["exp": .integer(expiresAt), "iat": .integer(issuedAt)]
        object.write("iss", ifPresent: issuer)
        object["sub"] = .string(subject)
        try object.write("status", status)
        object["attributes"] = try .map(attributes, name: \.text) { value throws(IRMAError) in
            value.map { .string($0) } ?? .null
        }
        try object.write("signature", ifPresent: signature)
        return .object(object)
    }
}

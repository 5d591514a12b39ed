public import JSONKit

/// A credential that an issuance request asks for.
public struct CredentialRequest: Hashable, IRMAMessage {
    /// The expiry in seconds since 1970, rounded down to weeks; nil for the server's default.
    public var validity: Int64?
    /// The counter of the issuer's key.
    ///
    /// Nil and 0 are the same on the wire; in a requestor's message they mean the newest.
    public var keyCounter: UInt?
    /// The credential type.
    public var credential: CredentialTypeIdentifier
    /// The values of the attributes, by their own names.
    public var attributes: [ExactText: String]
    /// The issuer's name for the credential when it is to be revoked; never sent to wallets.
    public var revocationKey: String?
    /// Indicates to the wallet that the credential comes with a witness.
    public var isRevocationSupported: Bool
    /// The names by which the server announces random-blind attributes; see
    /// ``CredentialTypeDescription/announcedRandomBlindNames``.
    public var randomBlindNames: [String]
    /// The number of SD-JWT copies that are asked for; 200 at most.
    public var sdJWTBatchSize: UInt?
    /// The number of SD-JWT copies, 0 for none and at most ``maximumBatchSize``.
    package var copyCount: Int { Int(min(sdJWTBatchSize ?? 0, Self.maximumBatchSize)) }

    /// Describes a credential.
    public init(
        _ credential: CredentialTypeIdentifier,
        attributes: [ExactText: String],
        validity: Int64? = nil,
        keyCounter: UInt? = nil,
        revocationKey: String? = nil
    ) {
        self.validity = validity
        self.keyCounter = keyCounter
        self.credential = credential
        self.attributes = attributes
        self.revocationKey = revocationKey
        isRevocationSupported = false
        randomBlindNames = []
        sdJWTBatchSize = nil
    }

    /// Reads the object; a key counter of 0 is read as none, and `null` as an empty value of an attribute, as the reference does.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        self.init(
            try members.requiredMessage("credential"),
            attributes: try members.map("attributes", atMost: MessageMembers.maximumCount, key: ExactText.init) {
                json throws(IRMAError) in
                json == .null ? "" : try json.text()
            } ?? [:],
            validity: try members.number("validity"),
            keyCounter: try members.number("keyCounter").flatMap { $0 == 0 ? nil : $0 },
            revocationKey: try members.nonEmptyText("revocationKey")
        )
        isRevocationSupported = try members.flag("revocationSupported")
        randomBlindNames =
            try members.list("randomblindIDs") { json throws(IRMAError) in try json.text() } ?? []
        sdJWTBatchSize = try members.number("sdJwtBatchSize")
    }

    /// The credential as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        object.write("validity", ifPresent: validity)
        object.write("keyCounter", ifPresent: keyCounter == 0 ? nil : keyCounter)
        try object.write("credential", credential)
        object["attributes"] = try .map(attributes, name: \.text) { value throws(IRMAError) in .string(value) }
        object.write("revocationKey", ifPresent: revocationKey)
        object.write("revocationSupported", flag: isRevocationSupported)
        if !randomBlindNames.isEmpty { object["randomblindIDs"] = .array(randomBlindNames.map { .string($0) }) }
        object.write("sdJwtBatchSize", ifPresent: sdJWTBatchSize)
        return .object(object)
    }

    /// The form in which a server sends the credential to a wallet: without the revocation key, of which only the presence
    /// is told.
    public func forWallet() -> CredentialRequest {
        var request = self
        request.isRevocationSupported = revocationKey != nil
        request.revocationKey = nil
        return request
    }
}

extension MessageMembers {
    /// The credentials to issue, none of which is read if there are too many.
    func credentialRequests() throws(IRMAError) -> [CredentialRequest] {
        try optional("credentials") { json throws(IRMAError) in
            guard json.arrayValue?.count ?? 0 <= SessionRequest.maximumCredentials else {
                throw IRMAError(.limitExceeded, "more than \(SessionRequest.maximumCredentials) credentials")
            }
            return try json.elements { json throws(IRMAError) in try CredentialRequest(json: json) }
        } ?? []
    }
}

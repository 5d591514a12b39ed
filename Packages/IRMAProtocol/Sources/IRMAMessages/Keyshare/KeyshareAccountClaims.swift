import CryptoCore
public import JSONKit

/// The PIN of a keyshare account, as it leaves the wallet.
public enum KeysharePIN {
    /// The base64 of the SHA-256 of the wallet's 32-byte nonce and the PIN, with a newline behind it as the servers keep it.
    public static func hashed(_ pin: String, nonce: [UInt8]) -> String {
        JSONBase64.base64.encode(HashAlgorithm.sha256.digest(of: nonce + Array(pin.utf8))) + "\n"
    }
}

/// The claims of an enrolment at a keyshare server, signed with the device's key.
public struct KeyshareEnrollmentClaims: Hashable, IRMAMessage {
    /// The hashed PIN; see ``KeysharePIN/hashed(_:nonce:)``.
    public var pin: String
    /// The e-mail address, or nil.
    public var email: String?
    /// The language of messages to the user.
    public var language: String
    /// The device's public key, a SubjectPublicKeyInfo.
    public var publicKey: [UInt8]

    /// Describes an enrolment.
    public init(pin: String, email: String?, language: String, publicKey: [UInt8]) {
        self.pin = pin
        self.email = email
        self.language = language
        self.publicKey = publicKey
    }

    /// Reads the claims `{"pin", "email"?, "language", "publickey"}`.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        pin = try members.requiredText("pin")
        email = try members.text("email")
        language = try members.text("language") ?? ""
        publicKey = try members.required("publickey") { json throws(IRMAError) in try json.base64() }
    }

    /// The claims as an object.
    public func json() -> JSONValue {
        var object: JSONObject = ["pin": .string(pin)]
        object.write("email", ifPresent: email)
        object["language"] = .string(language)
        object["publickey"] = .string(JSONBase64.base64.encode(publicKey))
        return .object(object)
    }
}

/// The claims of the beginning of a login: `{"id", "exp"}`.
public struct KeyshareLoginClaims: Hashable, IRMAMessage {
    /// The account's name.
    public var id: String
    /// The expiry in seconds since 1970, at most six minutes ahead.
    public var expiresAt: Int64

    /// Describes a login.
    public init(id: String, expiresAt: Int64) {
        self.id = id
        self.expiresAt = expiresAt
    }

    /// Reads the claims.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        id = try members.requiredText("id")
        guard let expiresAt: Int64 = try members.number("exp") else {
            throw IRMAError(.malformed, "the member is missing", path: ["exp"])
        }
        self.expiresAt = expiresAt
    }

    /// The claims as an object.
    public func json() -> JSONValue { ["id": .string(id), "exp": .integer(expiresAt)] }
}

/// The claims of an answer to a challenge: `{"id", "pin", "challenge"}`.
public struct KeyshareChallengeClaims: Hashable, IRMAMessage {
    /// The account's name.
    public var id: String
    /// The hashed PIN.
    public var pin: String
    /// The server's challenge.
    public var challenge: [UInt8]

    /// Describes an answer.
    public init(id: String, pin: String, challenge: [UInt8]) {
        self.id = id
        self.pin = pin
        self.challenge = challenge
    }

    /// Reads the claims.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        id = try members.requiredText("id")
        pin = try members.requiredText("pin")
        challenge = try members.required("challenge") { json throws(IRMAError) in try json.base64() }
    }

    /// The claims as an object.
    public func json() -> JSONValue {
        ["id": .string(id), "pin": .string(pin), "challenge": .string(JSONBase64.base64.encode(challenge))]
    }
}

/// The claims of a change of the PIN: `{"id", "oldpin", "newpin"}`.
public struct KeysharePINChangeClaims: Hashable, IRMAMessage {
    /// The account's name.
    public var id: String
    /// The present hashed PIN.
    public var oldPIN: String
    /// The new hashed PIN.
    public var newPIN: String

    /// Describes a change.
    public init(id: String, oldPIN: String, newPIN: String) {
        self.id = id
        self.oldPIN = oldPIN
        self.newPIN = newPIN
    }

    /// Reads the claims.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        id = try members.requiredText("id")
        oldPIN = try members.requiredText("oldpin")
        newPIN = try members.requiredText("newpin")
    }

    /// The claims as an object.
    public func json() -> JSONValue {
        ["id": .string(id), "oldpin": .string(oldPIN), "newpin": .string(newPIN)]
    }
}

/// The claims of the registration of a device's key for an old account: `{"id", "pin", "publickey"}`.
public struct KeyshareKeyRegistrationClaims: Hashable, IRMAMessage {
    /// The account's name.
    public var id: String
    /// The hashed PIN.
    public var pin: String
    /// The device's public key, a SubjectPublicKeyInfo.
    public var publicKey: [UInt8]

    /// Describes a registration.
    public init(id: String, pin: String, publicKey: [UInt8]) {
        self.id = id
        self.pin = pin
        self.publicKey = publicKey
    }

    /// Reads the claims.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        id = try members.requiredText("id")
        pin = try members.requiredText("pin")
        publicKey = try members.required("publickey") { json throws(IRMAError) in try json.base64() }
    }

    /// The claims as an object.
    public func json() -> JSONValue {
        ["id": .string(id), "pin": .string(pin), "publickey": .string(JSONBase64.base64.encode(publicKey))]
    }
}

/// The claims of an account's token: `{"iss", "iat", "exp", "sub": "auth_tok", "token_id"}`.
public struct KeyshareAccountClaims: Hashable, IRMAMessage {
    /// The server's name.
    public var issuer: String?
    /// The time of issuance, in seconds since 1970.
    public var issuedAt: Int64
    /// The expiry, in seconds since 1970.
    public var expiresAt: Int64
    /// The account's identifier of 32 bytes, which changes with the PIN.
    public var tokenID: [UInt8]

    /// Describes a token.
    public init(issuer: String?, issuedAt: Int64, expiresAt: Int64, tokenID: [UInt8]) {
        self.issuer = issuer
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.tokenID = tokenID
    }

    /// Reads the claims.
    ///
    /// - Throws: ``IRMAError/Code/malformed``, also for another subject.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        guard try members.requiredText("sub").hasSameBytes(as: Self.subject) else {
            throw IRMAError(.malformed, "not the subject of an account's token", path: ["sub"])
        }
        issuer = try members.text("iss")
        issuedAt = try members.number("iat") ?? 0
        guard let expiresAt: Int64 = try members.number("exp") else {
            throw IRMAError(.malformed, "the member is missing", path: ["exp"])
        }
        self.expiresAt = expiresAt
        tokenID = try members.required("token_id") { json throws(IRMAError) in try json.base64() }
    }

    /// The claims as an object.
    public func json() -> JSONValue {
        var object: JSONObject = ["exp": .integer(expiresAt), "iat": .integer(issuedAt)]
        object.write("iss", ifPresent: issuer)
        object["sub"] = .string(Self.subject)
        object["token_id"] = .string(JSONBase64.base64.encode(tokenID))
        return .object(object)
    }

    private static let subject = "auth_tok"
}

public import JSONKit

/// A body with one signed token, as a wallet sends it to a keyshare server for its account.
public struct KeyshareTokenMessage: Hashable, IRMAMessage {
    /// The member that has the token.
    public enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// Enrolment (`/client/register`): the claims are ``KeyshareEnrollmentClaims``.
        case enrollment = "enrollment_jwt"
        /// The beginning of a login (`/users/verify_start`): ``KeyshareLoginClaims``.
        case login = "auth_request_jwt"
        /// The change of a PIN (`/users/change/pin`): ``KeysharePINChangeClaims``.
        case pinChange = "change_pin_jwt"
        /// The registration of a key for an old account (`/users/register_publickey`): ``KeyshareKeyRegistrationClaims``.
        case keyRegistration = "jwt"
    }

    /// The purpose.
    public var purpose: Purpose
    /// The token in its compact form.
    public var token: String

    /// Describes a message.
    public init(_ purpose: Purpose, token: String) {
        self.purpose = purpose
        self.token = token
    }

    /// Reads an object with exactly one of the members.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        var found: [(Purpose, String)] = []
        for purpose in Purpose.allCases {
            if let token = try members.text(purpose.rawValue) { found.append((purpose, token)) }
        }
        guard found.count == 1, let (purpose, token) = found.first else {
            throw IRMAError(.malformed, "\(found.count) tokens where one was expected")
        }
        self.init(purpose, token: token)
    }

    /// The message as an object.
    public func json() -> JSONValue { .object(JSONObject([(purpose.rawValue, .string(token))])) }
}

/// A wallet's answer to a keyshare server's challenge: `{"id", "pin", "auth_response_jwt"}`.
///
/// Older wallets send the identifier and the PIN without a token.
public struct KeyshareLoginResponse: Hashable, IRMAMessage {
    /// The account's name; empty beside a token.
    public var id: String
    /// The hashed PIN; empty beside a token.
    public var pin: String
    /// The token with ``KeyshareChallengeClaims``, or nil from older wallets.
    public var token: String?

    /// Describes an answer.
    public init(id: String = "", pin: String = "", token: String?) {
        self.id = id
        self.pin = pin
        self.token = token
    }

    /// Reads the object.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        id = try members.text("id") ?? ""
        pin = try members.text("pin") ?? ""
        token = try members.text("auth_response_jwt")
    }

    /// The answer as an object.
    public func json() -> JSONValue {
        var object: JSONObject = ["id": .string(id), "pin": .string(pin)]
        object.write("auth_response_jwt", ifPresent: token)
        return .object(object)
    }
}

/// A keyshare server's challenge: `{"candidates", "challenge"}`.
public struct KeyshareChallenge: Hashable, IRMAMessage {
    /// The methods that the account can log in with.
    public var candidates: [String]
    /// The challenge, or nil for accounts without a key.
    public var challenge: [UInt8]?

    /// The only present method: a PIN in a token that answers the challenge.
    public static let pinChallengeResponse = "pin_challengeresponse"

    /// Describes a challenge.
    public init(candidates: [String] = [pinChallengeResponse], challenge: [UInt8]?) {
        self.candidates = candidates
        self.challenge = challenge
    }

    /// Reads the object.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        candidates = try members.list("candidates") { json throws(IRMAError) in try json.text() } ?? []
        challenge = try members.optional("challenge") { json throws(IRMAError) in try json.base64() }
    }

    /// The challenge as an object.
    public func json() -> JSONValue {
        var object: JSONObject = ["candidates": .array(candidates.map { .string($0) })]
        object.write("challenge", ifPresent: challenge.map(JSONBase64.base64.encode))
        return .object(object)
    }
}

/// A keyshare server's answer to a PIN: `{"status", "message"}`.
public struct KeysharePINStatus: Hashable, IRMAMessage {
    /// The kinds of answers: an open set.
    public struct Status: Hashable, Sendable {
        /// The name in lower case.
        public let name: String

        /// Names a kind.
        public init(_ name: String) {
            self.name = name
        }

        /// The PIN is right; the message is the account's token.
        public static let success = Status("success")
        /// The PIN is wrong; the message is the number of attempts that are left.
        public static let failure = Status("failure")
        /// The account is blocked; the message is the number of seconds.
        public static let error = Status("error")
    }

    /// The kind of answer.
    public var status: Status
    /// A token or a number, depending on the kind.
    public var message: String

    /// Describes an answer.
    public init(_ status: Status, message: String) {
        self.status = status
        self.message = message
    }

    /// The attempts that are left, or the seconds for which the account is blocked; nil for another answer.
    public var number: Int? { status == .success ? nil : Int(message) }

    /// Reads the object.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        status = Status(try members.requiredText("status"))
        message = try members.text("message") ?? ""
    }

    /// The answer as an object.
    public func json() -> JSONValue { ["status": .string(status.name), "message": .string(message)] }
}

/// The words of a keyshare server for what has no name of its own among errors.
package enum KeyshareWords {
    /// A token that another key than the account's has signed.
    package static let otherKey = "the token is not signed with the account's key"
}

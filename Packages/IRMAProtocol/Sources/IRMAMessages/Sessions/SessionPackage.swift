public import JSONKit

/// A server's answer to the requestor that started a session.
public struct SessionPackage: Hashable, IRMAMessage {
    /// The pointer for the wallet.
    public var pointer: SessionPointer
    /// The requestor's token, the only credential for the result.
    public var token: String
    /// The frontend's access, or nil from an older server.
    public var frontend: FrontendAccess?

    /// Describes an answer.
    public init(pointer: SessionPointer, token: String, frontend: FrontendAccess?) {
        self.pointer = pointer
        self.token = token
        self.frontend = frontend
    }

    /// Reads the object `{"sessionPtr", "token", "frontendRequest"?}`.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        pointer = try members.requiredMessage("sessionPtr")
        token = try members.requiredText("token")
        frontend = try members.message("frontendRequest")
    }

    /// The answer as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        try object.write("sessionPtr", pointer)
        object["token"] = .string(token)
        try object.write("frontendRequest", ifPresent: frontend)
        return .object(object)
    }
}

/// A frontend's access to a session.
public struct FrontendAccess: Hashable, IRMAMessage {
    /// The value of the header `Authorization` for the frontend's endpoints.
    public var authorization: String
    /// Indicates that pairing is advisable.
    public var isPairingAdvised: Bool
    /// The oldest version of the frontend protocol that the server speaks.
    public var minimumVersion: ProtocolVersion
    /// The newest version of the frontend protocol that the server speaks.
    public var maximumVersion: ProtocolVersion

    /// Describes an access.
    public init(
        authorization: String,
        isPairingAdvised: Bool,
        minimumVersion: ProtocolVersion = ProtocolVersion(1, 0),
        maximumVersion: ProtocolVersion = ProtocolVersion(1, 1)
    ) {
        self.authorization = authorization
        self.isPairingAdvised = isPairingAdvised
        self.minimumVersion = minimumVersion
        self.maximumVersion = maximumVersion
    }

    /// Reads the object `{"authorization", "pairingHint"?, "minProtocolVersion", "maxProtocolVersion"}`.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        authorization = try members.requiredText("authorization")
        isPairingAdvised = try members.flag("pairingHint")
        minimumVersion = try members.requiredMessage("minProtocolVersion")
        maximumVersion = try members.requiredMessage("maxProtocolVersion")
    }

    /// The access as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object: JSONObject = ["authorization": .string(authorization)]
        object.write("pairingHint", flag: isPairingAdvised)
        try object.write("minProtocolVersion", minimumVersion)
        try object.write("maxProtocolVersion", maximumVersion)
        return .object(object)
    }
}

/// The state of a session as frontends see it.
public struct FrontendSessionStatus: Hashable, IRMAMessage {
    /// The state.
    public var status: SessionStatus
    /// The pointer of the next session of a chain, or nil.
    public var nextSession: SessionPointer?

    /// Describes a state.
    public init(_ status: SessionStatus, nextSession: SessionPointer? = nil) {
        self.status = status
        self.nextSession = nextSession
    }

    /// Reads the object `{"status", "nextSession"?}`.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        status = try members.requiredMessage("status")
        nextSession = try members.message("nextSession")
    }

    /// The state as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        try object.write("status", status)
        try object.write("nextSession", ifPresent: nextSession)
        return .object(object)
    }
}

public import JSONKit

/// The result of a session.
public struct SessionResult: Hashable, IRMAMessage {
    /// The requestor's token.
    public var token: String
    /// The state of the session.
    public var status: SessionStatus
    /// The kind of session.
    public var kind: SessionKind
    /// The status of the proofs, or nil if none were received.
    public var proofStatus: ProofStatus?
    /// The disclosed attributes, one list for each disjunction, then perhaps one of attributes that were not asked for; an
    /// unanswered disjunction has nil.
    ///
    /// Includes the attributes of expired credentials, and of proofs that do not answer the request:
    /// ``verifiedAttributes`` has them only where they are proved.
    public var disclosed: [[DisclosedAttribute]?]
    /// The signed message, or nil.
    public var signature: SignedMessage?
    /// The error that ended the session, or nil.
    public var error: RemoteError?
    /// The requestor's token of the next session of a chain, or nil.
    public var nextSession: String?
    /// Indicates a result of which ``disclosed`` is flat in its JSON, with one attribute for each disjunction.
    ///
    /// Earlier releases of the reference's server gave such a result after a request in the older form. Its present ones give
    /// none, nor does the server of these packages, whatever the request.
    public var isFlat: Bool

    /// The attributes of ``disclosed``, or nil unless the session is done and its proofs are valid.
    public var verifiedAttributes: [[DisclosedAttribute]?]? {
        status == .done && proofStatus == .valid ? disclosed : nil
    }

    /// Describes a result.
    public init(token: String, status: SessionStatus, kind: SessionKind) {
        self.token = token
        self.status = status
        self.kind = kind
        disclosed = []
        isFlat = false
    }

    /// Reads the object.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        token = try members.requiredText("token")
        status = try members.requiredMessage("status")
        kind = try members.requiredMessage("type")
        proofStatus = try members.message("proofStatus")
        signature = try members.message("signature")
        error = try members.message("error")
        nextSession = try members.text("nextSession")
        isFlat = try members.value("disclosed")?.arrayValue?.first?.objectValue != nil
        let isFlat = isFlat
        disclosed =
            try members.list("disclosed") { json throws(IRMAError) in
                guard !isFlat else { return [try DisclosedAttribute(json: json)] }
                guard !json.isNull else { return nil }
                return try json.elements { json throws(IRMAError) in try DisclosedAttribute(json: json) }
            } ?? []
    }

    /// The result as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object: JSONObject = ["token": .string(token)]
        try write(to: &object)
        return .object(object)
    }

    func write(to object: inout JSONObject) throws(IRMAError) {
        try object.write("status", status)
        try object.write("type", kind)
        try object.write("proofStatus", ifPresent: proofStatus)
        if !disclosed.isEmpty { object["disclosed"] = try disclosedJSON() }
        try object.write("signature", ifPresent: signature)
        try object.write("error", ifPresent: error)
        if !isFlat { object.write("nextSession", ifPresent: nextSession) }
    }

    private func disclosedJSON() throws(IRMAError) -> JSONValue {
        var lists: [JSONValue] = []
        for list in disclosed {
            if isFlat {
                if let first = list?.first { lists.append(try first.json()) }
            } else {
                lists.append(try list.map { list throws(IRMAError) in try .list(list) } ?? .null)
            }
        }
        return .array(lists)
    }
}

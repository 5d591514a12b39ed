public import JSONKit

extension KeyshareResponse: IdemixJSON {
    /// Reads the object `{"P"?, "c", "s_response"}`, the claim `ProofP` of a keyshare server's JWT.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        self.init(
            P: try members.optional("P") { json throws(IdemixError) in try BigInteger(json: json) },
            challenge: try members.integer("c"),
            secretKeyResponse: try members.integer("s_response")
        )
    }

    /// The answer as an object; without P it has no such member.
    public func json() throws(IdemixError) -> JSONValue {
        var object = JSONObject()
        try object.write("P", ifPresent: P)
        try object.write("c", challenge)
        try object.write("s_response", secretKeyResponse)
        return .object(object)
    }
}

extension KeyshareKeyIdentifier: IdemixJSON {
    /// Reads the text `scheme.issuer-counter`.
    public init(json: JSONValue) throws(IdemixError) {
        guard let identifier = KeyshareKeyIdentifier(try json.text()) else {
            throw IdemixError(.malformedJSON, "a key is named by its issuer, a hyphen and its counter")
        }
        self = identifier
    }

    /// The text `scheme.issuer-counter`.
    public func json() -> JSONValue { .string(description) }
}

extension KeyshareChallengeInput: IdemixJSON {
    /// Reads the object `{"key"?, "val", "comm", "otherComms"?}`.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        self.init(
            key: try members.optional("key") { json throws(IdemixError) in try KeyshareKeyIdentifier(json: json) },
            contributions: IdemixProofContributions(
                value: try members.integer("val"),
                commitment: try members.integer("comm"),
                others: try members.list("otherComms") { json throws(IdemixError) in try BigInteger(json: json) }
            )
        )
    }

    /// The input as an object.
    public func json() throws(IdemixError) -> JSONValue {
        var object = JSONObject()
        try object.write("key", ifPresent: key)
        try object.write("val", contributions.value)
        try object.write("comm", contributions.commitment)
        if !contributions.others.isEmpty { try object.write("otherComms", list: contributions.others) }
        return .object(object)
    }
}

extension KeyshareCommitment.ChallengeRequest: IdemixJSON {
    /// Reads the object `{"context"?, "nonce", "resp", "sig", "UserChallengeInput"}`; without a context it is 1.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        let isSignature = try members.required("sig") { json throws(IdemixError) in
            guard let value = json.boolValue else {
                throw IdemixError(.malformedJSON, "\(json.kind) where a Boolean was expected")
            }
            return value
        }
        self.init(
            challenge: IdemixChallenge(
                context: try members.optional("context") { json throws(IdemixError) in
                    try BigInteger(json: json)
                } ?? 1,
                nonce: try members.integer("nonce"),
                kind: isSignature ? .signature : .proof
            ),
            userResponse: try members.integer("resp"),
            inputs: try members.list("UserChallengeInput") { json throws(IdemixError) in
                try KeyshareChallengeInput(json: json)
            }
        )
    }

    /// The request as an object.
    public func json() throws(IdemixError) -> JSONValue {
        var object = JSONObject()
        try object.write("context", challenge.context)
        try object.write("nonce", challenge.nonce)
        try object.write("resp", userResponse)
        object["sig"] = .bool(challenge.kind == .signature)
        try object.write("UserChallengeInput", list: inputs)
        return .object(object)
    }
}

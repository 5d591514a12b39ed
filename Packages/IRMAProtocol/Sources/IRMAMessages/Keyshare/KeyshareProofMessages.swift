public import IdemixCore
public import JSONKit

/// The keys of a proof, as a wallet names them to a keyshare server (`prove/getCommitments`, `prove/getPs`): an array.
public struct KeyshareKeyList: Hashable, IRMAMessage {
    /// The keys, one for each proof that the server takes part in.
    public var keys: [KeyshareKeyIdentifier]

    /// Collects keys.
    public init(_ keys: [KeyshareKeyIdentifier]) {
        self.keys = keys
    }

    /// Reads an array of names.
    public init(json: JSONValue) throws(IRMAError) {
        keys = try json.elements { json throws(IRMAError) in try KeyshareKeyIdentifier(idemix: json) }
    }

    /// The names as an array.
    public func json() -> JSONValue { .array(keys.map { $0.json() }) }
}

/// A keyshare server's commitments: `{"c": {key: {"P", "Pcommit"}}}`, or `{"c": {key: Pcommit}}` in the newer protocol.
public struct KeyshareCommitments: Hashable, IRMAMessage {
    /// The commitment for a key.
    public struct Commitment: Hashable, Sendable {
        /// P = R_0^s; nil in the newer protocol.
        public var share: BigInteger?
        /// R_0^ρ.
        public var commitment: BigInteger

        /// Describes a commitment.
        public init(share: BigInteger?, commitment: BigInteger) {
            self.share = share
            self.commitment = commitment
        }
    }

    /// The commitments by key.
    public var commitments: [KeyshareKeyIdentifier: Commitment]

    /// Collects commitments.
    public init(_ commitments: [KeyshareKeyIdentifier: Commitment]) {
        self.commitments = commitments
    }

    /// Reads the object.
    public init(json: JSONValue) throws(IRMAError) {
        commitments =
            try MessageMembers(json).map("c", key: KeyshareKeyIdentifier.named) { json throws(IRMAError) in
                guard json.objectValue != nil else {
                    return Commitment(share: nil, commitment: try BigInteger(idemix: json))
                }
                let members = try MessageMembers(json)
                return Commitment(
                    share: try members.requiredIdemix("P"),
                    commitment: try members.requiredIdemix("Pcommit")
                )
            } ?? [:]
    }

    /// The commitments as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        for (key, commitment) in commitments.sorted(by: { $0.key.description < $1.key.description }) {
            guard let share = commitment.share else {
                try object.write(key.description, idemix: commitment.commitment)
                continue
            }
            var pair = JSONObject()
            try pair.write("P", idemix: share)
            try pair.write("Pcommit", idemix: commitment.commitment)
            object[key.description] = .object(pair)
        }
        return ["c": .object(object)]
    }
}

/// A keyshare server's shares of the secret keys: `{"ps": {key: P}}`.
public struct KeyshareShares: Hashable, IRMAMessage {
    /// P = R_0^s by key.
    public var shares: [KeyshareKeyIdentifier: BigInteger]

    /// Collects shares.
    public init(_ shares: [KeyshareKeyIdentifier: BigInteger]) {
        self.shares = shares
    }

    /// Reads the object.
    public init(json: JSONValue) throws(IRMAError) {
        shares =
            try MessageMembers(json).map("ps", key: KeyshareKeyIdentifier.named) { json throws(IRMAError) in
                try BigInteger(idemix: json)
            } ?? [:]
    }

    /// The shares as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        for (key, share) in shares.sorted(by: { $0.key.description < $1.key.description }) {
            try object.write(key.description, idemix: share)
        }
        return ["ps": .object(object)]
    }
}

/// A wallet's request for commitments in the newer protocol: `{"keys", "hw": {"hashedComms"}}`.
public struct KeyshareCommitmentRequest: Hashable, IRMAMessage {
    /// The keys, one for each proof that the server takes part in.
    public var keys: [KeyshareKeyIdentifier]
    /// h_W, the hash of the wallet's part of the proofs (`KeyshareChallengeInput.hash`).
    public var inputHash: [UInt8]

    /// Describes a request.
    public init(keys: [KeyshareKeyIdentifier], inputHash: [UInt8]) {
        self.keys = keys
        self.inputHash = inputHash
    }

    /// Reads the object.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        keys = try members.requiredMessage("keys", as: KeyshareKeyList.self).keys
        inputHash = try members.required("hw") { json throws(IRMAError) in
            try MessageMembers(json).required("hashedComms") { json throws(IRMAError) in try json.base64() }
        }
    }

    /// The request as an object.
    public func json() -> JSONValue {
        [
            "keys": KeyshareKeyList(keys).json(),
            "hw": ["hashedComms": .string(JSONBase64.base64.encode(inputHash))],
        ]
    }
}

/// The claims of a keyshare server's signed answer: `{"iss", "iat", "sub": "ProofP", "ProofP"}`.
public struct KeyshareProofClaims: Hashable, IRMAMessage {
    /// The server's name.
    public var issuer: String?
    /// The time of issuance, in seconds since 1970; nil if absent.
    public var issuedAt: Int64?
    /// The answer.
    public var response: KeyshareResponse

    /// Describes a token.
    public init(_ response: KeyshareResponse, issuer: String?, issuedAt: Int64?) {
        self.response = response
        self.issuer = issuer
        self.issuedAt = issuedAt
    }

    /// Reads the claims.
    ///
    /// - Throws: ``IRMAError/Code/malformed``, also for another subject.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        guard try members.requiredText("sub").hasSameBytes(as: Self.subject) else {
            throw IRMAError(.malformed, "not the subject of a keyshare server's answer", path: ["sub"])
        }
        issuer = try members.text("iss")
        issuedAt = try members.number("iat")
        response = try members.requiredIdemix("ProofP")
    }

    /// The claims as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        object.write("iss", ifPresent: issuer)
        object.write("iat", ifPresent: issuedAt)
        object["sub"] = .string(Self.subject)
        try object.write("ProofP", idemix: response)
        return .object(object)
    }

    private static let subject = "ProofP"
}

extension KeyshareKeyIdentifier {
    /// The key that the name of a member names.
    static func named(_ name: String) throws(IRMAError) -> KeyshareKeyIdentifier {
        guard let key = KeyshareKeyIdentifier(name) else {
            throw IRMAError(.malformed, "a key is named by its issuer, a hyphen and its counter")
        }
        return key
    }
}

public import JSONKit

/// A signature of a timestamp server over a time and a nonce.
public struct SignatureTimestamp: Hashable, IRMAMessage {
    /// The signature of a timestamp.
    public struct Signature: Hashable, IRMAMessage {
        /// The algorithm; only ``SignatureTimestamp/ed25519`` is supported.
        public var algorithm: String
        /// The bytes of the signature.
        public var data: [UInt8]
        /// The server's public key, which a verifier has to know from elsewhere.
        public var publicKey: [UInt8]

        /// Describes a signature.
        public init(algorithm: String, data: [UInt8], publicKey: [UInt8]) {
            self.algorithm = algorithm
            self.data = data
            self.publicKey = publicKey
        }

        /// Reads the object `{"Alg", "Data", "PublicKey"}`.
        public init(json: JSONValue) throws(IRMAError) {
            let members = try MessageMembers(json)
            algorithm = try members.requiredText("Alg")
            data = try members.required("Data") { json throws(IRMAError) in try json.base64() }
            publicKey = try members.required("PublicKey") { json throws(IRMAError) in try json.base64() }
        }

        /// The signature as an object.
        public func json() -> JSONValue {
            [
                "Alg": .string(algorithm), "Data": .string(JSONBase64.base64.encode(data)),
                "PublicKey": .string(JSONBase64.base64.encode(publicKey)),
            ]
        }
    }

    /// The name of the only supported algorithm.
    public static let ed25519 = "ed25519"

    /// The time, in seconds since 1970.
    public var time: Int64
    /// The URL of the server as the server gives it; verifiers take the scheme's.
    public var serverURL: String
    /// The signature.
    public var signature: Signature
    /// The hashing of the nonce before it was signed, which is kept and not supported; nil for none.
    public var hashing: JSONValue?

    /// Describes a timestamp.
    public init(time: Int64, serverURL: String, signature: Signature) {
        self.time = time
        self.serverURL = serverURL
        self.signature = signature
        hashing = nil
    }

    /// Reads the object `{"Time", "ServerUrl", "Sig", "Hashing"?}`.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        guard let time: Int64 = try members.number("Time") else {
            throw IRMAError(.malformed, "the member is missing", path: ["Time"])
        }
        self.time = time
        serverURL = try members.text("ServerUrl") ?? ""
        signature = try members.requiredMessage("Sig")
        hashing = try members.value("Hashing")
    }

    /// The timestamp as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object: JSONObject = ["Time": .integer(time), "ServerUrl": .string(serverURL)]
        try object.write("Sig", signature)
        object["Hashing"] = hashing
        return .object(object)
    }
}

/// A request to a timestamp server.
public struct TimestampRequest: Hashable, IRMAMessage {
    /// The nonce to sign.
    public var nonce: [UInt8]
    /// The proof of work that the server demanded, in its own form; nil for none.
    public var proofOfWork: JSONValue?
    /// The time to sign, in seconds since 1970; nil for now.
    public var time: Int64?
    /// The algorithm that the client prefers.
    public var preferredAlgorithm: String?

    /// Describes a request.
    public init(nonce: [UInt8], proofOfWork: JSONValue? = nil) {
        self.nonce = nonce
        self.proofOfWork = proofOfWork
        time = nil
        preferredAlgorithm = SignatureTimestamp.ed25519
    }

    /// Reads the object `{"Nonce", "ProofOfWork", "Time", "PreferredSigAlg"}`.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        nonce = try members.required("Nonce") { json throws(IRMAError) in try json.base64() }
        proofOfWork = try members.value("ProofOfWork")
        time = try members.number("Time")
        preferredAlgorithm = try members.text("PreferredSigAlg")
    }

    /// The request as an object; absent members are `null`.
    public func json() -> JSONValue {
        [
            "Nonce": .string(JSONBase64.base64.encode(nonce)), "ProofOfWork": proofOfWork ?? .null,
            "Time": time.map { .integer($0) } ?? .null,
            "PreferredSigAlg": preferredAlgorithm.map { .string($0) } ?? .null,
        ]
    }
}

/// The answer of a timestamp server.
public struct TimestampResponse: Hashable, IRMAMessage {
    /// The error, or nil.
    public var error: String?
    /// The timestamp, or nil after an error.
    public var stamp: SignatureTimestamp?
    /// The server's information, such as the proof of work that it demands, in its own form; nil for none.
    public var info: JSONValue?

    /// Describes an answer.
    public init(stamp: SignatureTimestamp?, error: String? = nil) {
        self.error = error
        self.stamp = stamp
        info = nil
    }

    /// Reads the object `{"Error", "Stamp", "Info"}`.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        error = try members.text("Error")
        stamp = try members.message("Stamp")
        info = try members.value("Info")
    }

    /// The answer as an object; absent members are `null`.
    public func json() throws(IRMAError) -> JSONValue {
        [
            "Error": error.map { .string($0) } ?? .null, "Stamp": try stamp?.json() ?? .null, "Info": info ?? .null,
        ]
    }
}

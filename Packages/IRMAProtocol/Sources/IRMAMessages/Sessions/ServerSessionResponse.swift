public import IdemixCore
public import JSONKit

/// A server's answer to a wallet's proofs or commitments.
public struct ServerSessionResponse: IRMAMessage {
    /// The status of the proofs; anything but ``ProofStatus/valid`` is an error for the wallet.
    public var proofStatus: ProofStatus
    /// The signatures of issued credentials, in the request's order; nil for another kind of session.
    public var signatures: [IssuedCLSignature]?
    /// The SD-JWT copies of issued credentials in compact form, in the order of the keys that the wallet sent; nil for none.
    public var sdJWTs: [String]?
    /// The pointer of the next session of a chain, or nil.
    public var nextSession: SessionPointer?

    /// Describes an answer.
    public init(
        proofStatus: ProofStatus,
        signatures: [IssuedCLSignature]? = nil,
        sdJWTs: [String]? = nil,
        nextSession: SessionPointer? = nil
    ) {
        self.proofStatus = proofStatus
        self.signatures = signatures
        self.sdJWTs = sdJWTs
        self.nextSession = nextSession
    }

    /// Reads the object `{"proofStatus", "sigs"?, "sdjwts"?, "nextSession"?}`; from servers below protocol 2.7 a bare status,
    /// or the bare array of signatures.
    public init(json: JSONValue) throws(IRMAError) {
        switch json {
        case .string: self.init(proofStatus: try ProofStatus(json: json))
        case .array: self.init(proofStatus: .valid, signatures: try Self.signatures(json))
        default:
            let members = try MessageMembers(json)
            self.init(
                proofStatus: try members.requiredMessage("proofStatus"),
                signatures: try members.optional("sigs") { json throws(IRMAError) in try Self.signatures(json) },
                sdJWTs: try members.list("sdjwts") { json throws(IRMAError) in try json.text() },
                nextSession: try members.message("nextSession")
            )
        }
    }

    private static func signatures(_ json: JSONValue) throws(IRMAError) -> [IssuedCLSignature] {
        try json.elements { json throws(IRMAError) in try IssuedCLSignature(idemix: json) }
    }

    /// The answer as an object, as protocol 2.7 and later have it.
    public func json() throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        try object.write("proofStatus", proofStatus)
        if let signatures { try object.write("sigs", idemix: signatures) }
        if let sdJWTs { object["sdjwts"] = .array(sdJWTs.map { .string($0) }) }
        try object.write("nextSession", ifPresent: nextSession)
        return .object(object)
    }

    /// The answer in the form of a version of the protocol: below 2.7 the bare array of signatures or the bare status.
    public func json(for version: ProtocolVersion) throws(IRMAError) -> JSONValue {
        guard version < .v2_7 else { return try json() }
        guard let signatures else { return proofStatus.json() }
        var object = JSONObject()
        try object.write("sigs", idemix: signatures)
        return object["sigs"] ?? []
    }
}

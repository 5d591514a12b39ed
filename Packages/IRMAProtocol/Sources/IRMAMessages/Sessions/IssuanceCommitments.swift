public import IdemixCore
public import JSONKit

/// A wallet's answer to an issuance request (`POST commitments`).
public struct IssuanceCommitments: Hashable, IRMAMessage {
    /// The disclosures, and then one commitment for each credential, in the request's order; not verified.
    public var combinedProofs: IdemixProofList
    /// The wallet's nonce n_2, which the issuer's proofs answer.
    public var nonce: BigInteger
    /// The commitment of wallets that send only one, apart from its proof; nil from present ones.
    public var U: BigInteger?
    /// The signed answers of keyshare servers, by scheme.
    public var keyshareTokens: [SchemeIdentifier: String]
    /// The signed answer of the only keyshare server, from older wallets; nil from present ones.
    public var keyshareToken: String?
    /// The places of the attributes that answer the request, one list for each disjunction; nil without disclosure.
    public var indices: [[AttributePosition]]?
    /// The keys that SD-JWT copies are to be bound to, in whatever form the wallet sent them; nil for none.
    public var keyBindingKeys: [JSONValue]?

    /// Describes an answer.
    public init(
        combinedProofs: IdemixProofList,
        nonce: BigInteger,
        keyshareTokens: [SchemeIdentifier: String] = [:],
        indices: [[AttributePosition]]? = nil
    ) {
        self.combinedProofs = combinedProofs
        self.nonce = nonce
        U = nil
        self.keyshareTokens = keyshareTokens
        keyshareToken = nil
        self.indices = indices
        keyBindingKeys = nil
    }

    /// Reads the object `{"combinedProofs", "n_2", "U"?, "proofPJwts"?, "proofPJwt"?, "indices"?, "keybinding_pub_keys"?}`.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        combinedProofs = try members.idemix("combinedProofs") ?? IdemixProofList([])
        nonce = try members.requiredIdemix("n_2")
        U = try members.idemix("U")
        keyshareTokens =
            try members.map("proofPJwts", key: SchemeIdentifier.init) { json throws(IRMAError) in try json.text() }
            ?? [:]
        keyshareToken = try members.text("proofPJwt")
        indices = try members.indices()
        keyBindingKeys = try members.list("keybinding_pub_keys") { json throws(IRMAError) in json }
    }

    /// The answer as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        try object.write("U", idemixIfPresent: U)
        try object.write("n_2", idemix: nonce)
        try object.write("combinedProofs", idemix: combinedProofs)
        if !keyshareTokens.isEmpty {
            object["proofPJwts"] = try .map(keyshareTokens, name: \.text) { token throws(IRMAError) in .string(token) }
        }
        object.write("proofPJwt", ifPresent: keyshareToken)
        if let indices { object.write(indices: indices) }
        if let keyBindingKeys { object["keybinding_pub_keys"] = .array(keyBindingKeys) }
        return .object(object)
    }
}

public import IdemixCore
public import JSONKit

/// A message signed with attributes: an attribute-based signature, of which nothing is verified.
public struct SignedMessage: Hashable, IRMAMessage {
    /// The versions of the form.
    public enum Version: Int, Hashable, Sendable {
        /// Without `@context`; the timestamp covers as many values as the credential type has.
        case version1 = 1
        /// With `@context`; the timestamp covers the disclosed values.
        case version2 = 2
    }

    /// The version.
    public var version: Version
    /// The proofs.
    public var signature: IdemixProofList
    /// The places of the attributes that answer the request, one list for each disjunction.
    public var indices: [[AttributePosition]]
    /// The nonce of the request, or nil.
    public var nonce: BigInteger?
    /// The context of the request, or nil.
    public var context: BigInteger?
    /// The message.
    public var message: String
    /// The timestamp, or nil.
    public var timestamp: SignatureTimestamp?

    /// Describes a signed message of version 2.
    public init(
        signature: IdemixProofList,
        indices: [[AttributePosition]],
        nonce: BigInteger?,
        context: BigInteger?,
        message: String,
        timestamp: SignatureTimestamp?
    ) {
        version = .version2
        self.signature = signature
        self.indices = indices
        self.nonce = nonce
        self.context = context
        self.message = message
        self.timestamp = timestamp
    }

    /// Reads the object.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        let context = try members.text("@context")
        if let context, !context.isEmpty {
            try members.requireContext(.signedMessage)
            version = .version2
        } else {
            version = .version1
        }
        signature = try members.idemix("signature") ?? IdemixProofList([])
        indices = try members.indices() ?? []
        nonce = try members.idemix("nonce")
        self.context = try members.idemix("context")
        message = try members.requiredText("message")
        timestamp = try members.message("timestamp")
    }

    /// The message as an object; an absent timestamp is `null`.
    public func json() throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        if version == .version2 { object["@context"] = .string(MessageContext.signedMessage.text) }
        try object.write("signature", idemix: signature)
        object.write(indices: indices)
        try object.write("nonce", idemixIfPresent: nonce)
        try object.write("context", idemixIfPresent: context)
        object["message"] = .string(message)
        object["timestamp"] = .null
        try object.write("timestamp", ifPresent: timestamp)
        return .object(object)
    }

    /// The challenge that the proofs answer.
    var challenge: IdemixChallenge {
        .signature(
            of: Array(message.utf8),
            context: context ?? 1,
            nonce: nonce ?? 0,
            timestampSignature: timestamp?.signature.data
        )
    }
}

import CBORKit

/// The information about one party that a key derivation binds: `PartyInfo` (RFC 9053 section 5.2).
public struct COSEPartyInfo: Hashable, Sendable {
    /// The party's contribution to the uniqueness of the derived key.
    public enum Nonce: Hashable, Sendable {
        /// A byte string.
        case bytes([UInt8])
        /// An integer.
        case integer(Int64)
    }

    /// The party's identity: its role in the protocol, or a name.
    public var identity: [UInt8]?
    /// The nonce.
    public var nonce: Nonce?
    /// Other information that the protocol defines.
    public var other: [UInt8]?

    /// Sets the members; those not given are null in the structure.
    public init(identity: [UInt8]? = nil, nonce: Nonce? = nil, other: [UInt8]? = nil) {
        self.identity = identity
        self.nonce = nonce
        self.other = other
    }

    func encode(to writer: inout CBORWriter) {
        writer.beginArray(count: 3)
        writer.write(optionalBytes: identity?[...])
        switch nonce {
        case .bytes(let bytes): writer.write(bytes: bytes)
        case .integer(let value): writer.write(integer: value)
        case nil: writer.writeNull()
        }
        writer.write(optionalBytes: other?[...])
    }
}

extension COSEPartyInfo {
    /// The labels of the header parameters that carry a party's information.
    struct Labels {
        let party: String
        let identity: COSELabel
        let nonce: COSELabel
        let other: COSELabel

        static let u = Labels(party: "PartyU", identity: .partyUIdentity, nonce: .partyUNonce, other: .partyUOther)
        static let v = Labels(party: "PartyV", identity: .partyVIdentity, nonce: .partyVNonce, other: .partyVOther)
    }

    /// The information of the headers, completed by the application's; both must agree where both speak.
    init(_ labels: Labels, in headers: COSEHeaders, known: COSEPartyInfo) throws(COSEError) {
        func agreed<Value: Equatable>(_ sent: Value?, _ known: Value?, _ field: String) throws(COSEError) -> Value? {
            if let sent, let known, sent != known {
                throw COSEError(
                    .invalidRecipient,
                    "the message has another value than the application",
                    path: ["\(labels.party) \(field)"]
                )
            }
            return sent ?? known
        }
        let identity = try headers.bytes(labels.identity, "\(labels.party) identity").map { [UInt8]($0) }
        let nonce = try Self.nonce(labels, in: headers)
        let other = try headers.bytes(labels.other, "\(labels.party) other").map { [UInt8]($0) }
        self.identity = try agreed(identity, known.identity, "identity")
        self.nonce = try agreed(nonce, known.nonce, "nonce")
        self.other = try agreed(other, known.other, "other")
    }

    private static func nonce(_ labels: Labels, in headers: COSEHeaders) throws(COSEError) -> Nonce? {
        guard let view = try headers.parameter(labels.nonce) else { return nil }
        return try headers.header("\(labels.party) nonce") { () throws(CBORError) in
            view.kind == .byteString ? .bytes([UInt8](try view.bytes())) : .integer(try view.integer())
        }
    }
}

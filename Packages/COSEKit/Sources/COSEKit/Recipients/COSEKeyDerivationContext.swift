public import CryptoCore

/// The shared context of a key derivation, known to both sides beside the message (RFC 9053 sections 5.1 and 5.2).
///
/// Header parameters of a recipient fill the members that are left out here. Where a member is given here and the message
/// carries another value, the recipient is refused.
public struct COSEKeyDerivationContext: Sendable {
    /// The sender, unless the protocol defines it otherwise.
    public var partyU: COSEPartyInfo
    /// The receiver, unless the protocol defines it otherwise.
    public var partyV: COSEPartyInfo
    /// Public information that the application defines (`SuppPubInfo.other`).
    public var suppPubOther: [UInt8]?
    /// Private information that both sides know (`SuppPrivInfo`).
    public var suppPrivInfo: [UInt8]?
    /// The salt of HKDF, where the message does not carry it.
    public var salt: [UInt8]?
    /// The sender's static public key, where the message only identifies it; a message that carries it must carry this one.
    public var senderKey: PublicKey?
    /// Indicates that a static-static key agreement, or a derivation from a shared secret, is accepted without salt and
    /// PartyU nonce.
    ///
    /// RFC 9053 sections 6.1.2 and 6.3 require one of them of the sender, because otherwise every message has the same
    /// key.
    public var allowsMissingSaltAndNonce: Bool

    /// Sets the members; those not given come from the message or are left out.
    public init(
        partyU: COSEPartyInfo = COSEPartyInfo(),
        partyV: COSEPartyInfo = COSEPartyInfo(),
        suppPubOther: [UInt8]? = nil,
        suppPrivInfo: [UInt8]? = nil,
        salt: [UInt8]? = nil,
        senderKey: PublicKey? = nil,
        allowsMissingSaltAndNonce: Bool = false
    ) {
        self.partyU = partyU
        self.partyV = partyV
        self.suppPubOther = suppPubOther
        self.suppPrivInfo = suppPrivInfo
        self.salt = salt
        self.senderKey = senderKey
        self.allowsMissingSaltAndNonce = allowsMissingSaltAndNonce
    }
}

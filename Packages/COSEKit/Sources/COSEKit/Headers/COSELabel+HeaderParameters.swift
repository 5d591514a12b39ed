/// The labels of the registry "COSE Header Parameters" that this library reads or writes.
extension COSELabel {
    /// The algorithm (RFC 9052 section 3.1).
    public static let alg: COSELabel = 1
    /// The labels that a receiver must understand (RFC 9052 section 3.1).
    public static let crit: COSELabel = 2
    /// The content type of the payload: a CoAP content format or a media type (RFC 9052 section 3.1).
    public static let contentType: COSELabel = 3
    /// The key identifier (RFC 9052 section 3.1).
    public static let kid: COSELabel = 4
    /// The full initialization vector (RFC 9052 section 3.1).
    public static let iv: COSELabel = 5
    /// The part of an initialization vector that changes (RFC 9052 section 3.1).
    public static let partialIV: COSELabel = 6
    /// Countersignatures of RFC 8152, deprecated by RFC 9338.
    public static let counterSignature: COSELabel = 7
    /// An abbreviated countersignature of RFC 8152, deprecated by RFC 9338.
    public static let counterSignature0: COSELabel = 9
    /// The context of the key identifier (RFC 8613).
    public static let kidContext: COSELabel = 10
    /// Countersignatures version 2 (RFC 9338).
    public static let counterSignatureV2: COSELabel = 11
    /// An abbreviated countersignature version 2 (RFC 9338).
    public static let counterSignature0V2: COSELabel = 12
    /// The claims of a CBOR Web Token (RFC 9597).
    public static let cwtClaims: COSELabel = 15
    /// The type of the whole COSE message (RFC 9596).
    public static let type: COSELabel = 16
    /// Certificates in no order (RFC 9360).
    public static let x5bag: COSELabel = 32
    /// A certificate chain, end entity first (RFC 9360).
    public static let x5chain: COSELabel = 33
    /// The hash of the end-entity certificate (RFC 9360).
    public static let x5t: COSELabel = 34
    /// A URI of the certificates (RFC 9360).
    public static let x5u: COSELabel = 35

    /// The sender's ephemeral public key, in an ECDH-ES recipient (RFC 9053 section 6.3.1).
    public static let ephemeralKey: COSELabel = -1
    /// The sender's static public key, in an ECDH-SS recipient (RFC 9053 section 6.3.1).
    public static let staticKey: COSELabel = -2
    /// The identifier of the sender's static public key (RFC 9053 section 6.3.1).
    public static let staticKeyID: COSELabel = -3
    /// The salt of HKDF (RFC 9053 section 5.1).
    public static let salt: COSELabel = -20
    /// The identity of party U, the sender (RFC 9053 section 5.2).
    public static let partyUIdentity: COSELabel = -21
    /// The nonce of party U (RFC 9053 section 5.2).
    public static let partyUNonce: COSELabel = -22
    /// Other information about party U (RFC 9053 section 5.2).
    public static let partyUOther: COSELabel = -23
    /// The identity of party V, the recipient (RFC 9053 section 5.2).
    public static let partyVIdentity: COSELabel = -24
    /// The nonce of party V (RFC 9053 section 5.2).
    public static let partyVNonce: COSELabel = -25
    /// Other information about party V (RFC 9053 section 5.2).
    public static let partyVOther: COSELabel = -26
    /// The hash of the certificate of the sender's static key (RFC 9360).
    public static let x5tSender: COSELabel = -27
    /// A URI of the certificates of the sender's static key (RFC 9360).
    public static let x5uSender: COSELabel = -28
    /// The certificate chain of the sender's static key (RFC 9360).
    public static let x5chainSender: COSELabel = -29
}

public import CryptoCore
public import JSONKit
public import LinkedDataKit
public import MdocKit
public import OID4VPMessages

/// A signature that a presentation still lacks.
public struct PendingSignature: Identifiable, Sendable {
    /// The structure that is signed.
    public enum Subject: Sendable {
        /// DeviceAuthenticationBytes of an mdoc; the bytes to sign are the Sig_structure around them.
        case deviceAuthentication(DocType, taggedBytes: [UInt8])
        /// The Key Binding JWT of an SD-JWT; the bytes to sign are its header and payload.
        case keyBinding
        /// A linked-data presentation without its proof; the bytes to sign are those of the suite.
        case linkedData(JSONObject, LinkedDataProofSuite)
        /// A presentation as a token; the bytes to sign are its header and payload.
        case token
    }

    /// The name of the signature, by which it is given back.
    public let id: String
    /// The format of the credentials.
    public let format: CredentialFormat
    /// The credentials that are presented.
    public let credentials: [CredentialName]
    /// The queries that are answered.
    public let queries: [QueryID]
    /// The key, as the credential or the holder names it.
    public let keyReference: HolderKeyReference
    /// The key; nil if the caller makes linked-data proofs by itself.
    public let key: PublicKey?
    /// The algorithm; nil if the key is unknown.
    public let algorithm: SignatureAlgorithm?
    /// The structure that is signed.
    public let subject: Subject
    /// The bytes to sign.
    public let bytesToSign: [UInt8]
}

/// A signature for a presentation.
public enum PresentationSignature: Hashable, Sendable {
    /// The signature itself; for ECDSA r‖s in fixed width, not DER.
    case bytes([UInt8])
    /// A detached JWS over the digests of a linked-data presentation, with a header of its own.
    case jws(String)
    /// The multibase text of the signature of a linked-data presentation.
    case proofValue(String)
}

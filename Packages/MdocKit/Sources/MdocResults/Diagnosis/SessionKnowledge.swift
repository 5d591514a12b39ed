public import CryptoCore
public import MdocKit
import MdocProximity

/// A reader's knowledge of a session, for finding the transcript that a wallet used; all of it may be unknown.
///
/// Give everything there is, whatever the flow seems to be.
public struct SessionKnowledge: Sendable {
    /// The transcript that verification used.
    public var sessionTranscript: SessionTranscript?

    // MARK: Proximity and website retrieval

    /// The device engagement as exchanged, in tag 24 or without.
    public var deviceEngagementBytes: [UInt8]?
    /// The reader's key as exchanged, in tag 24 or without.
    public var eReaderKeyBytes: [UInt8]?
    /// The Handover Select message.
    public var nfcHandoverSelect: [UInt8]?
    /// The Handover Request message.
    public var nfcHandoverRequest: [UInt8]?
    /// The reader engagement as exchanged, in tag 24 or without.
    public var readerEngagementBytes: [UInt8]?
    /// The encryption parameters of the request (second edition), in tag 24 or without.
    public var encryptionParametersBytes: [UInt8]?

    // MARK: OpenID4VP and the Digital Credentials API

    /// The `client_id` of the request.
    public var clientID: String?
    /// The `nonce` of the request.
    public var nonce: String?
    /// The `response_uri` of the request.
    public var responseURI: String?
    /// The `redirect_uri` of the request.
    public var redirectURI: String?
    /// The origin of the page that asked.
    public var origin: String?
    /// The wallet's own nonce, from the header `apu` of the encrypted response.
    public var mdocGeneratedNonce: String?
    /// The SHA-256 thumbprints of the keys that the response may be encrypted to, 32 bytes each.
    public var jwkThumbprints: [[UInt8]] = []
    /// The base64url text of the request's `encryptionInfo`.
    public var encryptionInfo: String?

    // MARK: Platforms

    /// The nonce of a platform's interface, in bytes.
    public var platformNonce: [UInt8]?
    /// The merchant identifier of Apple Wallet.
    public var merchantID: String?
    /// The team identifier of Apple Wallet.
    public var teamID: String?
    /// The name of the Android app that asked.
    public var packageName: String?
    /// The key that a platform's response is encrypted to.
    public var recipient: PublicKey?

    /// Knows nothing yet.
    public init() {}
}

import MdocKit

/// A peer's deviation from the reader's expectation of a session's values, in words; an open set.
public struct SessionVariation: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The words.
    public let rawValue: String

    /// Wraps words.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The words.
    public var description: String { rawValue }

    // MARK: The engagement and the reader's key

    /// DeviceEngagementBytes in a tag-24 item of its own.
    public static let engagementTaggedTwice = SessionVariation(rawValue: "DeviceEngagementBytes tagged twice")
    /// The engagement without tag 24.
    public static let engagementUntagged = SessionVariation(rawValue: "device engagement without tag 24")
    /// The engagement decoded and encoded anew, so that unknown members or the order of keys are lost.
    public static let engagementReencoded = SessionVariation(rawValue: "device engagement encoded anew")
    /// EReaderKeyBytes in a tag-24 item of its own.
    public static let readerKeyTaggedTwice = SessionVariation(rawValue: "EReaderKeyBytes tagged twice")
    /// The reader's key without tag 24.
    public static let readerKeyUntagged = SessionVariation(rawValue: "reader's key without tag 24")
    /// EncryptionParametersBytes in place of EReaderKeyBytes, as encrypted documents of the second edition have it.
    public static let encryptionParameters = SessionVariation(
        rawValue: "EncryptionParametersBytes in place of EReaderKeyBytes"
    )
    /// Handover Request before Handover Select.
    public static let nfcMessagesSwapped = SessionVariation(rawValue: "Handover Request before Handover Select")
    /// The digest of the reader engagement without tag 24.
    public static let readerEngagementUntagged = SessionVariation(
        rawValue: "reader engagement hashed without tag 24"
    )

    // MARK: The members of a handover

    /// The client identifier without its prefix.
    public static let clientIDWithoutPrefix = SessionVariation(rawValue: "client_id without its prefix")
    /// The client identifier with a prefix that it does not have in the request.
    public static func clientID(prefix: String) -> SessionVariation {
        SessionVariation(rawValue: "client_id with the prefix \(prefix)")
    }
    /// `null` although the response is encrypted.
    public static let withoutThumbprint = SessionVariation(rawValue: "null in place of the JWK thumbprint")
    /// The thumbprint as base64url text.
    public static let thumbprintAsText = SessionVariation(rawValue: "JWK thumbprint as text")
    /// The origin with or without a slash at its end, where the reader has it the other way.
    public static let originTrailingSlash = SessionVariation(rawValue: "origin with or without a slash at its end")
    /// The origin with a prefix.
    public static func origin(prefix: String) -> SessionVariation {
        SessionVariation(rawValue: "origin with the prefix \(prefix)")
    }
    /// The `redirect_uri` in place of the `response_uri`.
    public static let redirectURI = SessionVariation(rawValue: "redirect_uri in place of response_uri")
    /// The URI with or without a slash at its end, where the reader has it the other way.
    public static let responseURITrailingSlash = SessionVariation(
        rawValue: "response_uri with or without a slash at its end"
    )
    /// `mdocGeneratedNonce` as it stands in the header of the encrypted response.
    public static let generatedNonceEncoded = SessionVariation(rawValue: "mdocGeneratedNonce in base64url")
    /// `mdocGeneratedNonce` out of base64url, where the reader took the header as it stands.
    public static let generatedNonceDecoded = SessionVariation(rawValue: "mdocGeneratedNonce out of base64url")
    /// Client identifier and nonce in the other order.
    public static let clientIDAndNonceSwapped = SessionVariation(rawValue: "nonce before client_id")
    /// The encryption info with padding.
    public static let encryptionInfoPadded = SessionVariation(rawValue: "encryptionInfo with padding")
    /// The encryption info as bytes.
    public static let encryptionInfoAsBytes = SessionVariation(rawValue: "encryptionInfo as bytes")
    /// The digest of the handover's content in a tag-24 item.
    public static let handoverInfoTagged = SessionVariation(rawValue: "content of the handover hashed with tag 24")

    // MARK: Device authentication

    /// SessionTranscriptBytes in DeviceAuthentication, where the bare array belongs.
    public static let transcriptTagged = SessionVariation(rawValue: "session transcript in tag 24")
    /// DeviceAuthentication itself authenticated, without tag 24.
    public static let authenticationUntagged = SessionVariation(rawValue: "DeviceAuthentication without tag 24")
    /// The byte string that holds DeviceAuthentication authenticated, without the tag before it.
    public static let authenticationAsByteString = SessionVariation(
        rawValue: "DeviceAuthenticationBytes without the head of tag 24"
    )
    /// DeviceNameSpaces without tag 24.
    public static let nameSpacesUntagged = SessionVariation(rawValue: "DeviceNameSpaces without tag 24")
    /// The document type that the issuer signed, where the document states another.
    public static let issuersDocType = SessionVariation(rawValue: "document type of the mobile security object")
    /// The ephemeral key of the engagement used, where the key of the credential belongs.
    public static let engagementsKey = SessionVariation(
        rawValue: "ephemeral key of the engagement in place of the credential's device key"
    )
    /// The MAC key's salt over the bare transcript.
    public static let saltOverBareTranscript = SessionVariation(rawValue: "salt over the transcript without tag 24")
    /// The MAC key's salt not hashed.
    public static let saltNotHashed = SessionVariation(rawValue: "SessionTranscriptBytes as the salt, not hashed")
}

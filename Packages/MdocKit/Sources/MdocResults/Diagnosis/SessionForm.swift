import MdocKit

/// A way of presenting that has a session transcript of its own (ISO/IEC 18013-5, 12.7.1, and its kin), by name; an open
/// set.
public struct SessionForm: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Wraps a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name.
    public var description: String { rawValue }

    /// The transcript that the caller took to be the session's.
    public static let given = SessionForm(rawValue: "the given transcript")
    /// `Handover.qr`.
    public static let qr = SessionForm(rawValue: "QR code")
    /// `Handover.nfc(select:request:)` without a request.
    public static let nfcStatic = SessionForm(rawValue: "NFC, static handover")
    /// `Handover.nfc(select:request:)` with a request.
    public static let nfcNegotiated = SessionForm(rawValue: "NFC, negotiated handover")
    /// `Handover.website(readerEngagementBytes:)`.
    public static let website = SessionForm(rawValue: "website retrieval (ISO/IEC TS 18013-7, Annex A)")
    /// `Handover.openID4VPDraft23(clientID:responseURI:nonce:mdocGeneratedNonce:)`.
    public static let openID4VPDraft23 = SessionForm(
        rawValue: "OpenID4VP up to draft 23 (ISO/IEC TS 18013-7, Annex B)"
    )
    /// `Handover.openID4VPUnhashed(clientID:responseURI:nonce:mdocGeneratedNonce:)`.
    public static let openID4VPUnhashed = SessionForm(rawValue: "OpenID4VP, early form without hashes")
    /// `Handover.openID4VP(clientID:nonce:jwkThumbprint:responseURI:)`.
    public static let openID4VP = SessionForm(rawValue: "OpenID4VP 1.0, redirect or direct_post")
    /// `Handover.openID4VPDigitalCredentialsAPI(origin:nonce:jwkThumbprint:)`.
    public static let openID4VPDigitalCredentialsAPI = SessionForm(rawValue: "OpenID4VP 1.0, Digital Credentials API")
    /// `Handover.openID4VPDraft24DigitalCredentialsAPI(origin:clientID:nonce:)`.
    public static let openID4VPDraft24DigitalCredentialsAPI = SessionForm(
        rawValue: "OpenID4VP draft 24, Digital Credentials API"
    )
    /// `Handover.digitalCredentialsAPI(encryptionInfo:origin:)`.
    public static let digitalCredentialsAPI = SessionForm(
        rawValue: "org-iso-mdoc, Digital Credentials API (ISO/IEC TS 18013-7, Annex C)"
    )
    /// `Handover.appleWallet(nonce:merchantID:teamID:recipient:)`.
    public static let appleWallet = SessionForm(rawValue: "Apple Wallet")
    /// `Handover.androidPreview(nonce:packageName:recipient:)`.
    public static let androidPreview = SessionForm(rawValue: "preview of Android's credential manager")
    /// `Handover.browserPreview(nonce:origin:recipient:)`.
    public static let browserPreview = SessionForm(rawValue: "preview of browsers' credential interface")
}

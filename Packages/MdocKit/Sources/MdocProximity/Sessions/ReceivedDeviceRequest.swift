public import CryptoCore
public import MdocKit

/// A reader's request with what a wallet needs to answer it.
public struct ReceivedDeviceRequest: Sendable {
    /// The request; the reader's signatures are not verified.
    public let request: DeviceRequest
    /// The transcript of the session, which the answer is bound to.
    public let sessionTranscript: SessionTranscript
    /// The reader's ephemeral key, with which a device key may agree on a MAC.
    public let eReaderKey: PublicKey
}

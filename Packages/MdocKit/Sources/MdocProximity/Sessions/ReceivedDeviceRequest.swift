import COSEKit
public import CryptoCore
public import MdocKit

/// A reader's request with the transcript and the data for its answer.
public struct ReceivedDeviceRequest: Sendable {
    /// The request; the reader's signatures are not verified.
    public let request: DeviceRequest
    /// The transcript of the session, which the answer is bound to.
    public let sessionTranscript: SessionTranscript
    /// The reader's ephemeral key, with which a device key may agree on a MAC.
    public let eReaderKey: PublicKey
}

extension DeviceRequest {
    /// Refuses members that may be sent only to a wallet that offered to take them (ISO/IEC TS 18013-7, A.6;
    /// ISO/IEC 18013-5 second edition, 9.2).
    func requireAllowed(by capabilities: EngagementCapabilities?) throws(MdocError) {
        if !readerAuthAll.isEmpty, capabilities?.readerAuthAllSupport != true {
            throw MdocError(.invalidValue, "the wallet does not take readerAuthAll")
        }
        guard !macKeys.isEmpty else { return }
        guard capabilities?.macKeysSupport == true else {
            throw MdocError(.invalidValue, "the wallet does not take macKeys")
        }
        guard let curves = capabilities?.macKeysCurves else { return }
        for key in macKeys {
            guard let curve = (try? key.publicKey())?.curve?.coseIdentifier, curves.contains(curve) else {
                throw MdocError(.invalidValue, "the wallet does not take macKeys on one of their curves")
            }
        }
    }
}

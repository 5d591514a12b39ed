public import MdocKit

/// A handover that both sides have completed: what a session over NFC engagement is bound to (ISO/IEC 18013-5, 12.7.1).
public struct NFCHandover: Sendable {
    /// The wallet's message.
    public let select: HandoverSelect
    /// The reader's message; nil in static handover.
    public let request: HandoverRequest?

    /// Pairs the messages.
    public init(select: HandoverSelect, request: HandoverRequest?) {
        self.select = select
        self.request = request
    }

    /// The member of the session transcript: the messages as sent.
    public var handover: Handover { .nfc(select: select.encodedBytes, request: request?.encodedBytes) }

    /// The wallet's engagement.
    public var deviceEngagement: DeviceEngagement { select.deviceEngagement }

    /// The ways to retrieve data that the messages agree on, see ``HandoverSelect/retrievalMethods(answering:)``.
    public func retrievalMethods() throws(MdocError) -> [DeviceRetrievalMethod] {
        try select.retrievalMethods(answering: request)
    }
}

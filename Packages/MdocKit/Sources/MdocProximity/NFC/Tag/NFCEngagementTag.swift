public import MdocKit

/// The wallet's side of NFC engagement: a Type 4 tag that answers a reader's commands (ISO/IEC 18013-5, 9.2).
///
/// In static handover it shows a Handover Select message. In negotiated handover it offers the handover service, takes a
/// Handover Request message, and shows the answer once ``answer(with:)`` gives it; until then a reader finds that the
/// message is not ready.
///
/// ```swift
/// var tag = try NFCEngagementTag(negotiating: TNEPServiceParameters())
/// // For every command that comes in:
/// let (response, event) = tag.respond(to: command)
/// switch event {
/// case .requested(let request): try tag.answer(with: select(for: request))
/// case .completed(let handover): begin(handover)
/// case .failed(let error): report(error)
/// case nil: break
/// }
/// send(response)
/// ```
public struct NFCEngagementTag: Sendable {
    /// The effect of a command, beside its response.
    public enum Event: Sendable {
        /// A Handover Request message was written; ``NFCEngagementTag/answer(with:)`` is due.
        case requested(HandoverRequest)
        /// The reader has read the Handover Select message to its end.
        case completed(NFCHandover)
        /// An unexpected message was written. The reader receives an error and may select the service again.
        case failed(MdocError)
    }

    /// The message that is shown or awaited.
    enum Exchange {
        /// The Handover Select message of static handover is shown.
        case showing(HandoverSelect)
        /// The service is offered, and its selection awaited.
        case offering
        /// The service is selected, and a Handover Request message awaited.
        case selected
        /// The answer to a request is awaited from the wallet.
        case requested(HandoverRequest)
        /// The answer is shown.
        case answered(NFCHandover)
    }

    /// The file that is selected.
    enum File {
        case none
        case container
        case ndef
    }

    /// The description of the tag.
    public let container: CapabilityContainer
    let options: MdocReadingOptions
    let limits: NFCLimits
    let initialMessage: NDEFMessage
    let initialExchange: Exchange

    var isApplicationSelected = false
    var file = File.none
    var exchange: Exchange
    /// The NDEF file: two bytes of length, then the message.
    var content: [UInt8]
    /// Indicates that a message is being written.
    var isWriting = false
    /// Indicates that the reader has been notified that the handover is complete.
    var isComplete = false

    /// A tag for static handover.
    ///
    /// - Parameters:
    ///   - select: The message to show.
    ///   - container: The description of the tag; by default a file that cannot be written, and no limits of its own.
    /// - Throws: `MdocError` with code `limitExceeded` if the file cannot hold the message.
    public init(showing select: HandoverSelect, container: CapabilityContainer? = nil) throws(MdocError) {
        let container = if let container { container } else { try CapabilityContainer(isWritable: false) }
        try self.init(select.message, .showing(select), container, .strict, NFCLimits())
    }

    /// A tag for negotiated handover.
    ///
    /// - Parameters:
    ///   - service: The handover service with its parameters.
    ///   - container: The description of the tag; by default a file that can be written, and no limits of its own.
    ///   - options: The tolerances for a Handover Request message.
    ///   - limits: The limits for a Handover Request message.
    /// - Throws: `MdocError` with code `limitExceeded` if the file cannot hold the first message, or `invalidValue` if
    ///   it cannot be written or the service is another.
    public init(
        negotiating service: TNEPServiceParameters,
        container: CapabilityContainer? = nil,
        options: MdocReadingOptions = .strict,
        limits: NFCLimits = NFCLimits()
    ) throws(MdocError) {
        let container = if let container { container } else { try CapabilityContainer(isWritable: true) }
        guard container.isWritable, service.serviceName == TNEPServiceParameters.handoverServiceName else {
            throw MdocError(.invalidValue, "negotiated handover needs the handover service and a file that is written")
        }
        try self.init(try NDEFMessage([service.record()]), .offering, container, options, limits)
    }

    private init(
        _ message: NDEFMessage,
        _ exchange: Exchange,
        _ container: CapabilityContainer,
        _ options: MdocReadingOptions,
        _ limits: NFCLimits
    ) throws(MdocError) {
        self.container = container
        self.options = options
        self.limits = limits
        initialMessage = message
        initialExchange = exchange
        self.exchange = exchange
        content = []
        try show(message)
    }

    /// Shows the answer to the request that was written.
    ///
    /// - Throws: `MdocError` with code `unexpectedMessage` if no request awaits one, `handoverRefused` if it does not
    ///   select exactly one carrier of the request, or `limitExceeded` if the file cannot hold it.
    public mutating func answer(with select: HandoverSelect) throws(MdocError) {
        guard case .requested(let request) = exchange else {
            throw MdocError(.unexpectedMessage, "no Handover Request message awaits an answer")
        }
        _ = try select.retrievalMethods(answering: request)
        try show(select.message)
        exchange = .answered(NFCHandover(select: select, request: request))
    }

    /// Puts a message into the NDEF file.
    mutating func show(_ message: NDEFMessage) throws(MdocError) {
        let bytes = message.encodedBytes
        guard bytes.count <= container.maximumFileSize - 2 else {
            throw MdocError(.limitExceeded, "the NDEF file cannot hold a message of \(bytes.count) bytes")
        }
        content = .bigEndian(UInt16(truncatingIfNeeded: bytes.count)) + bytes
    }

    /// Starts over, as when the application is selected.
    mutating func reset() {
        file = .none
        isWriting = false
        isComplete = false
        exchange = initialExchange
        // Nothing is refused that was shown before.
        content =
            .bigEndian(UInt16(truncatingIfNeeded: initialMessage.encodedBytes.count)) + initialMessage.encodedBytes
    }
}

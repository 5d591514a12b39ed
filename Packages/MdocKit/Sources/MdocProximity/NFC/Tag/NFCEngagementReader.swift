public import MdocKit

/// The reader's side of NFC engagement: reads a wallet's Type 4 tag, static or negotiated (ISO/IEC 18013-5, 9.2).
///
/// ```swift
/// var reader = NFCEngagementReader(request: request)
/// var step = try reader.start()
/// while true {
///     switch step {
///     case .send(let command): step = try reader.receive(await send(command))
///     case .wait(let time, let command): await sleep(time); step = try reader.receive(await send(command))
///     case .complete(let handover): return handover
///     }
/// }
/// ```
public struct NFCEngagementReader: Sendable {
    /// The next step.
    public enum Step: Sendable {
        /// Send the command and pass the response in.
        case send(CommandAPDU)
        /// Send the command after some time.
        case wait(Duration, CommandAPDU)
        /// Nothing more: both messages have come.
        case complete(NFCHandover)
    }

    /// The message that is read next.
    enum Expected {
        /// The tag's first message.
        case initial
        /// The tag's status after the selection of the service.
        case status
        /// The answer to the request.
        case select
    }

    /// The command whose response is due.
    enum Phase {
        case idle
        case selectingApplication
        case selectingContainer
        case readingContainer
        case selectingFile
        case readingLength(Expected, polls: Int)
        case reading(Expected, length: Int, message: [UInt8])
        case writing([Write], then: Expected)
        case ended
    }

    /// A range of the NDEF file to write.
    struct Write {
        let offset: Int
        let bytes: [UInt8]
    }

    let request: HandoverRequest?
    let supportsExtendedLength: Bool
    let pollingInterval: Duration
    let options: MdocReadingOptions
    let limits: NFCLimits

    var phase = Phase.idle
    var container: CapabilityContainer?
    var service: TNEPServiceParameters?
    /// Le of the READ BINARY command that is due.
    var expectedLength = 0

    /// Prepares to read a tag.
    ///
    /// - Parameters:
    ///   - request: The reader's offer in negotiated handover; nil for static handover only.
    ///   - supportsExtendedLength: Indicates that commands and responses may have more than 255 and 256 bytes.
    ///   - pollingInterval: The time to wait for a message that is not ready, if the tag does not say.
    ///   - options: The tolerances for the wallet's engagement.
    ///   - limits: The limits for a message, and for the number of polls.
    public init(
        request: HandoverRequest?,
        supportsExtendedLength: Bool = false,
        pollingInterval: Duration = .milliseconds(10),
        options: MdocReadingOptions = .strict,
        limits: NFCLimits = NFCLimits()
    ) {
        self.request = request
        self.supportsExtendedLength = supportsExtendedLength
        self.pollingInterval = pollingInterval
        self.options = options
        self.limits = limits
    }

    /// The first step.
    ///
    /// - Throws: `MdocError` with code `unexpectedMessage` if it was made already.
    public mutating func start() throws(MdocError) -> Step {
        guard case .idle = phase else { throw MdocError(.unexpectedMessage, "the tag is being read already") }
        phase = .selectingApplication
        return try select(p1: 0x04, p2: 0x00, CapabilityContainer.applicationID, expectedLength: 256)
    }

    /// Takes the response to the command of the last step.
    ///
    /// - Throws: `MdocError` if the tag refuses a command, breaks its own limits or the reader's, negotiates with a
    ///   reader that has nothing to offer, or shows no handover. Nothing can be read any more after that.
    public mutating func receive(_ response: [UInt8]) throws(MdocError) -> Step {
        let current = phase
        phase = .ended
        return try advance(from: current, with: try ResponseAPDU(decoding: response))
    }

    private mutating func advance(from current: Phase, with response: ResponseAPDU) throws(MdocError) -> Step {
        switch current {
        case .idle, .ended:
            throw MdocError(.unexpectedMessage, "no response is due")
        case .selectingApplication:
            _ = try response.successfulData("SELECT of the NDEF application")
            phase = .selectingContainer
            return try select(p1: 0x00, p2: 0x0c, .bigEndian(CapabilityContainer.fileID))
        case .selectingContainer:
            _ = try response.successfulData("SELECT of the capability container")
            phase = .readingContainer
            return .send(try readCommand(at: 0, count: CapabilityContainer.size))
        case .readingContainer:
            let container = try CapabilityContainer(decoding: try response.successfulData("READ of the container"))
            self.container = container
            phase = .selectingFile
            return try select(p1: 0x00, p2: 0x0c, .bigEndian(container.ndefFileID))
        case .selectingFile:
            _ = try response.successfulData("SELECT of the NDEF file")
            return .send(try poll(for: .initial, polls: 0))
        case .readingLength(let expected, let polls):
            return try length(try readData(response), expected, polls)
        case .reading(let expected, let length, let message):
            return try read(message + (try readData(response)), of: length, expected)
        case .writing(let writes, let expected):
            _ = try response.successfulData("UPDATE BINARY")
            return try write(writes, then: expected)
        }
    }

    private func select(p1: UInt8, p2: UInt8, _ data: [UInt8], expectedLength: Int? = nil) throws(MdocError) -> Step {
        .send(
            try CommandAPDU(
                ins: CommandAPDU.Instruction.select,
                p1: p1,
                p2: p2,
                data: data,
                expectedLength: expectedLength
            )
        )
    }
}

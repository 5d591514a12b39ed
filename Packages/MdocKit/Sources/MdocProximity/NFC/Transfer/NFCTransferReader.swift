public import MdocKit

/// The reader's side of NFC data transfer: sends messages in ENVELOPE commands and collects the answers
/// (ISO/IEC 18013-5, 11.2).
public struct NFCTransferReader: Sendable {
    /// The next step.
    public enum Step: Hashable, Sendable {
        /// Send the command and pass the response in.
        case send(CommandAPDU)
        /// The application is selected: a message may be sent.
        case ready
        /// The answer to the message has come; another may be sent.
        case message([UInt8])
    }

    private enum Phase {
        case idle
        case selecting
        case ready
        case sending(ArraySlice<UInt8>)
        case collecting(NFCDataObjectAssembler)
        case ended
    }

    private let maximumCommandData: Int
    private let maximumResponseData: Int
    /// The longest message in bytes that is received.
    public let maximumMessageSize: Int

    private var phase = Phase.idle

    /// Prepares a transfer.
    ///
    /// - Parameters:
    ///   - options: The lengths that the wallet's engagement tells.
    ///   - maximumCommandData: The longest command data field in bytes that the reader can send, at least 1.
    ///   - maximumResponseData: The longest response data field in bytes that the reader can receive, at least 1.
    ///   - supportsExtendedLength: Indicates that the reader can send more than 255 and receive more than 256 bytes at
    ///     once.
    ///   - maximumMessageSize: The longest message in bytes that is received.
    /// - Throws: `MdocError` with code `invalidValue` if a length is below 1.
    public init(
        options: NFCOptions,
        maximumCommandData: Int = 0xffff,
        maximumResponseData: Int = 0x10000,
        supportsExtendedLength: Bool = true,
        maximumMessageSize: Int = MdocLimits().messageSize
    ) throws(MdocError) {
        guard maximumCommandData >= 1, maximumResponseData >= 1 else {
            throw MdocError(.invalidValue, "the data fields of a reader have at least one byte")
        }
        self.maximumCommandData =
            [options.maximumCommandData, maximumCommandData, supportsExtendedLength ? 0xffff : 0xff].min() ?? 1
        self.maximumResponseData =
            [options.maximumResponseData, maximumResponseData, supportsExtendedLength ? 0x10000 : 0x100].min() ?? 1
        self.maximumMessageSize = maximumMessageSize
    }

    /// The command that selects the application.
    ///
    /// - Throws: `MdocError` with code `unexpectedMessage` if that was done already.
    public mutating func start() throws(MdocError) -> CommandAPDU {
        guard case .idle = phase else { throw MdocError(.unexpectedMessage, "the application is selected already") }
        phase = .selecting
        return try CommandAPDU(
            ins: CommandAPDU.Instruction.select,
            p1: 0x04,
            data: NFCTransferDevice.applicationID
        )
    }

    /// The command with a message, or with its first fragment.
    ///
    /// - Throws: `MdocError` with code `unexpectedMessage` before the application is selected, or while an answer is due.
    public mutating func send(_ message: [UInt8]) throws(MdocError) -> CommandAPDU {
        guard case .ready = phase else {
            throw MdocError(.unexpectedMessage, "the application is not selected, or an answer is due")
        }
        return try envelope(NFCDataObject.encoded(message)[...])
    }

    /// Takes the response to the last command.
    ///
    /// - Throws: `MdocError` if the wallet refuses a command, or sends a malformed answer or one that exceeds a limit.
    ///   Nothing can be sent any more after that.
    public mutating func receive(_ response: [UInt8]) throws(MdocError) -> Step {
        let current = phase
        phase = .ended
        let response = try ResponseAPDU(decoding: response)
        switch current {
        case .idle, .ready, .ended:
            throw MdocError(.unexpectedMessage, "no response is due")
        case .selecting:
            _ = try response.successfulData("SELECT of the mdoc application")
            phase = .ready
            return .ready
        case .sending(let rest):
            guard try response.successfulData("ENVELOPE").isEmpty else {
                throw MdocError(.malformedAPDU, "data comes before the last command of the chain")
            }
            return .send(try envelope(rest))
        case .collecting(let assembler):
            return try collect(response, assembler)
        }
    }

    /// ENVELOPE with the next fragment; the last one says how much the response may hold.
    private mutating func envelope(_ bytes: ArraySlice<UInt8>) throws(MdocError) -> CommandAPDU {
        let rest = bytes.dropFirst(maximumCommandData)
        let isLast = rest.isEmpty
        phase =
            isLast ? .collecting(NFCDataObjectAssembler(maximumMessageSize: maximumMessageSize)) : .sending(rest)
        return try CommandAPDU(
            cla: isLast ? 0x00 : 0x10,
            ins: CommandAPDU.Instruction.envelope,
            data: [UInt8](bytes.prefix(maximumCommandData)),
            expectedLength: isLast ? maximumResponseData : nil
        )
    }

    /// Takes a fragment of the answer, and asks for the next where there is one.
    ///
    /// Deployed wallets divide the answer by the Le of ENVELOPE, and send more than that of GET RESPONSE.
    private mutating func collect(
        _ response: ResponseAPDU,
        _ collected: NFCDataObjectAssembler
    ) throws(MdocError) -> Step {
        guard response.data.count <= maximumResponseData else {
            let message = "\(response.data.count) bytes come where \(maximumResponseData) are permitted"
            throw MdocError(.malformedAPDU, message)
        }
        var assembler = collected
        if let available = response.status.availableBytes {
            // Without a byte the wallet could go on for ever.
            guard !response.data.isEmpty else { throw MdocError(.malformedAPDU, "61XX comes without data") }
            try assembler.append(response.data)
            phase = .collecting(assembler)
            return .send(try getResponse(available))
        }
        try assembler.append(try response.successfulData("ENVELOPE or GET RESPONSE"))
        guard let message = assembler.message else {
            throw MdocError(.malformedAPDU, "the answer ends within its data object")
        }
        phase = .ready
        return .message(message)
    }

    /// GET RESPONSE, for as many bytes as are left where that is known.
    private func getResponse(_ available: UInt8) throws(MdocError) -> CommandAPDU {
        let length = available == 0 ? maximumResponseData : min(Int(available), maximumResponseData)
        return try CommandAPDU(ins: CommandAPDU.Instruction.getResponse, expectedLength: length)
    }
}

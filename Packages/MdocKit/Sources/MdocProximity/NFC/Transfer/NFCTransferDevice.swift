public import MdocKit

/// The wallet's side of NFC data transfer: takes messages in ENVELOPE commands and answers them in responses
/// (ISO/IEC 18013-5, 11.2).
///
/// A card speaks only when spoken to: the response to the last fragment of a message is due when the wallet has its
/// answer.
public struct NFCTransferDevice: Sendable {
    /// The application of mdocs.
    static let applicationID: [UInt8] = [0xa0, 0x00, 0x00, 0x02, 0x48, 0x04, 0x00]

    /// The reaction to a command.
    public enum Reaction: Hashable, Sendable {
        /// Send the response.
        case respond(ResponseAPDU)
        /// A message has come; its response is what ``NFCTransferDevice/answer(with:)`` gives for the wallet's answer.
        case message([UInt8])
    }

    private enum Phase {
        case unselected
        /// A message, or a fragment of one, is awaited.
        case receiving(NFCDataObjectAssembler)
        /// The wallet's answer is awaited, for a response of as many bytes.
        case answering(expectedLength: Int)
        /// The rest of an answer waits for GET RESPONSE.
        case sending(ArraySlice<UInt8>)
    }

    private let limits: NFCOptions
    /// The longest message in bytes that is received.
    public let maximumMessageSize: Int
    private var phase = Phase.unselected

    /// The error of the last command if it lost a message, with code `malformedAPDU`, `limitExceeded` or
    /// `unexpectedMessage`; nil after any other command.
    public private(set) var loss: MdocError?

    /// Begins before the application is selected.
    ///
    /// - Parameters:
    ///   - options: The lengths in the engagement for the reader.
    ///   - maximumMessageSize: The longest message in bytes that is received.
    public init(options: NFCOptions, maximumMessageSize: Int = MdocLimits().messageSize) {
        limits = options
        self.maximumMessageSize = maximumMessageSize
    }

    /// Indicates that a reader has selected the application.
    public var isSelected: Bool {
        if case .unselected = phase { false } else { true }
    }

    /// Indicates that a message has come that has no answer.
    public var awaitsAnswer: Bool {
        if case .answering = phase { true } else { false }
    }

    /// Indicates that the reader has not fetched all of an answer.
    public var hasUnsentBytes: Bool {
        if case .sending = phase { true } else { false }
    }

    /// Indicates that a message has begun and not ended.
    public var isWithinMessage: Bool {
        if case .receiving(let assembler) = phase { !assembler.isEmpty } else { false }
    }

    /// Takes a command.
    ///
    /// - Parameter command: The command APDU as received.
    public mutating func receive(_ command: [UInt8]) -> Reaction {
        loss = nil
        guard let command = try? CommandAPDU(decoding: command) else { return refuse(.wrongLength) }
        return receive(command)
    }

    /// Takes a command that was read already.
    ///
    /// - Parameter command: The command APDU.
    public mutating func receive(_ command: CommandAPDU) -> Reaction {
        loss = nil
        let chains = command.cla == 0x10 && command.ins == CommandAPDU.Instruction.envelope
        guard command.cla == 0 || chains else { return refuse(.classNotSupported) }
        switch command.ins {
        case CommandAPDU.Instruction.select: return select(command)
        case CommandAPDU.Instruction.envelope: return envelope(command, isLast: !chains)
        case CommandAPDU.Instruction.getResponse: return getResponse(command)
        default: return refuse(.instructionNotSupported)
        }
    }

    /// The response that carries the wallet's answer, or its beginning.
    ///
    /// - Throws: `MdocError` with code `unexpectedMessage` if no message awaits an answer.
    public mutating func answer(with message: [UInt8]) throws(MdocError) -> ResponseAPDU {
        guard case .answering(let expectedLength) = phase else {
            throw MdocError(.unexpectedMessage, "no message awaits an answer")
        }
        return send(NFCDataObject.encoded(message)[...], expectedLength)
    }

    private func refuse(_ status: StatusWord) -> Reaction {
        .respond(ResponseAPDU(status: status))
    }

    /// Refuses a command with which a message is lost, unless no application is selected that could have messages.
    private mutating func refuse(_ status: StatusWord, losing code: MdocError.Code, _ reason: String) -> Reaction {
        if isSelected { loss = MdocError(code, reason) }
        return refuse(status)
    }

    /// SELECT by name; the second edition's draft prints P2 as 0C, deployed code has 00.
    private mutating func select(_ command: CommandAPDU) -> Reaction {
        guard command.p1 == 0x04, command.p2 == 0x00 || command.p2 == 0x0c else { return refuse(.wrongParameters) }
        guard !command.data.isEmpty else { return refuse(.wrongLength) }
        guard command.data == Self.applicationID else { return refuse(.fileNotFound) }
        if isWithinMessage || awaitsAnswer || hasUnsentBytes {
            loss = MdocError(.unexpectedMessage, "the application is selected again before a message was answered")
        }
        phase = awaiting
        return refuse(.success)
    }

    private var awaiting: Phase { .receiving(NFCDataObjectAssembler(maximumMessageSize: maximumMessageSize)) }

    /// A fragment of a message; only the last command of a chain expects data.
    private mutating func envelope(_ command: CommandAPDU, isLast: Bool) -> Reaction {
        guard case .receiving(var assembler) = phase else {
            return refuse(.conditionsNotSatisfied, losing: .unexpectedMessage, "ENVELOPE comes while an answer is due")
        }
        guard command.p1 == 0, command.p2 == 0 else {
            return refuse(.wrongParameters, losing: .malformedAPDU, "ENVELOPE has parameters")
        }
        guard (1...limits.maximumCommandData).contains(command.data.count), isLast == (command.expectedLength != nil)
        else {
            return refuse(.wrongLength, losing: .malformedAPDU, "ENVELOPE has a wrong length, or Le in the wrong place")
        }
        phase = awaiting
        do throws(MdocError) {
            try assembler.append(command.data)
        } catch {
            loss = error
            return refuse(error.code == .limitExceeded ? .notEnoughMemory : .wrongData)
        }
        guard isLast, let expectedLength = command.expectedLength else {
            phase = .receiving(assembler)
            return refuse(.success)
        }
        guard let message = assembler.message else {
            return refuse(.wrongData, losing: .malformedAPDU, "the last ENVELOPE ends within the data object")
        }
        phase = .answering(expectedLength: expectedLength)
        return .message(message)
    }

    private mutating func getResponse(_ command: CommandAPDU) -> Reaction {
        switch phase {
        case .receiving(let assembler) where !assembler.isEmpty:
            return refuse(
                .lastCommandOfChainExpected,
                losing: .unexpectedMessage,
                "GET RESPONSE comes before the last ENVELOPE of a chain"
            )
        case .unselected, .receiving, .answering:
            return refuse(.conditionsNotSatisfied, losing: .unexpectedMessage, "GET RESPONSE comes without a response")
        case .sending(let rest):
            guard command.p1 == 0, command.p2 == 0 else {
                return refuse(.wrongParameters, losing: .malformedAPDU, "GET RESPONSE has parameters")
            }
            guard command.data.isEmpty, let expectedLength = command.expectedLength else {
                return refuse(.wrongLength, losing: .malformedAPDU, "GET RESPONSE has data, or no Le")
            }
            return .respond(send(rest, expectedLength))
        }
    }

    /// As many bytes as the reader expects and the wallet's own limit allows, and how many are left.
    private mutating func send(_ bytes: ArraySlice<UInt8>, _ expectedLength: Int) -> ResponseAPDU {
        let data = [UInt8](bytes.prefix(min(expectedLength, limits.maximumResponseData)))
        let rest = bytes.dropFirst(data.count)
        guard !rest.isEmpty else {
            phase = awaiting
            return ResponseAPDU(data: data, status: .success)
        }
        phase = .sending(rest)
        return ResponseAPDU(data: data, status: .bytesAvailable(UInt8(exactly: rest.count) ?? 0))
    }
}

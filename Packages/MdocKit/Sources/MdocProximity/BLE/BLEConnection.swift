public import MdocKit

/// One side of a transaction over GATT: the protocol of its State characteristic, and its messages in parts
/// (ISO/IEC 18013-5, 11.1.3.3 to 11.1.3.6).
///
/// It begins when the client has subscribed to State and Server2Client. The caller writes or notifies the returned
/// values, and passes received values in.
public struct BLEConnection: Sendable {
    /// The phase of the transaction.
    public enum Phase: Hashable, Sendable {
        /// The client has not yet said that it is ready.
        case connected
        /// Messages may travel.
        case started
        /// One side has ended the transaction.
        case ended
    }

    /// A value of the State characteristic: one byte.
    private enum State: UInt8 {
        case start = 0x01
        case end = 0x02
    }

    /// The recovery after a lost connection.
    public enum Recovery: Hashable, Sendable {
        /// Nothing was sent yet: connect again.
        case reconnect
        /// Start over with a new engagement.
        case newTransaction
    }

    /// The phase of the transaction.
    public private(set) var phase = Phase.connected
    /// The negotiated ATT MTU in bytes.
    public let maximumTransmissionUnit: Int

    private let isClient: Bool
    private var assembler: BLEMessageAssembler

    /// Begins a transaction.
    ///
    /// - Parameters:
    ///   - mode: The side that is the GATT server.
    ///   - role: The side that this value acts for.
    ///   - maximumTransmissionUnit: The negotiated ATT MTU in bytes.
    ///   - maximumMessageSize: The longest message that is received.
    public init(
        mode: BLEMode,
        role: SessionEncryption.Role,
        maximumTransmissionUnit: Int,
        maximumMessageSize: Int = MdocLimits().messageSize
    ) {
        isClient = mode.isClient(role)
        self.maximumTransmissionUnit = maximumTransmissionUnit
        assembler = BLEMessageAssembler(maximumMessageSize: maximumMessageSize)
    }

    /// The value with which the client says in State that it is ready.
    ///
    /// - Throws: `MdocError` with code `unexpectedMessage` on the server's side, or if that was said already.
    public mutating func start() throws(MdocError) -> [UInt8] {
        guard isClient, phase == .connected else {
            throw MdocError(.unexpectedMessage, "only a client starts a transaction, and once")
        }
        phase = .started
        return [State.start.rawValue]
    }

    /// The value with which either side ends the transaction in State; a reader does so at the end of retrieval.
    public mutating func end() -> [UInt8] {
        phase = .ended
        return [State.end.rawValue]
    }

    /// Takes a value of State that was written or notified by the other side.
    ///
    /// - Throws: `MdocError` with code `malformedBLEData` for an invalid value, or `unexpectedMessage` if it does not
    ///   come from that side or at that time.
    public mutating func receiveState(_ value: [UInt8]) throws(MdocError) {
        guard value.count == 1, let state = State(rawValue: value[0]) else {
            throw MdocError(.malformedBLEData, "no value of the State characteristic: \(value.prefix(8))")
        }
        switch state {
        case .end:
            phase = .ended
        case .start:
            guard !isClient, phase == .connected else {
                throw MdocError(.unexpectedMessage, "State says start, from a server or once more")
            }
            phase = .started
        }
    }

    /// The parts of a message to the other side: writes of Client2Server or notifications of Server2Client.
    ///
    /// - Throws: `MdocError` with code `unexpectedMessage` before the start, or `sessionEnded` after the end.
    public func parts(of message: [UInt8]) throws(MdocError) -> BLEMessageParts {
        try requireStarted()
        return try BLEMessageParts(message, maximumTransmissionUnit: maximumTransmissionUnit)
    }

    /// Takes a part of a message of the other side.
    ///
    /// - Returns: The message, with its last part; nil before.
    /// - Throws: `MdocError` with code `unexpectedMessage` before the start, `sessionEnded` after the end, or the
    ///   errors of ``BLEMessageAssembler/append(_:)``.
    public mutating func receive(_ part: [UInt8]) throws(MdocError) -> [UInt8]? {
        try requireStarted()
        return try assembler.append(part)
    }

    /// Takes a value that the other side wrote or notified.
    ///
    /// - Parameter value: The value with its characteristic.
    /// - Returns: The message that ends with it; nil if none does.
    /// - Throws: The errors of ``receiveState(_:)`` and ``receive(_:)``, or `MdocError` with code `unexpectedMessage`
    ///   if the other side neither writes nor notifies the characteristic.
    public mutating func receive(_ value: BLEAttributeValue) throws(MdocError) -> [UInt8]? {
        switch value.characteristic {
        case .state:
            try receiveState(value.bytes)
            return nil
        case incomingCharacteristic:
            return try receive(value.bytes)
        default:
            throw MdocError(.unexpectedMessage, "\(value.characteristic) is not what the other side sends to")
        }
    }

    /// The characteristic that carries the messages of this side.
    public var outgoingCharacteristic: BLECharacteristic { isClient ? .clientToServer : .serverToClient }
    /// The characteristic that carries the messages of the other side.
    public var incomingCharacteristic: BLECharacteristic { isClient ? .serverToClient : .clientToServer }

    /// Indicates that a message has begun and not ended; a transaction that ends then has lost it.
    public var isWithinMessage: Bool { assembler.isWithinMessage }

    /// The recovery after a connection was lost now.
    public var recovery: Recovery { phase == .connected ? .reconnect : .newTransaction }

    private func requireStarted() throws(MdocError) {
        switch phase {
        case .connected: throw MdocError(.unexpectedMessage, "the client has not started the transaction")
        case .started: return
        case .ended: throw MdocError(.sessionEnded, "the transaction was ended in State")
        }
    }
}

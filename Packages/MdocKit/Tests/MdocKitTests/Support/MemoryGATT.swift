import MdocKit
import MdocProximity
import Synchronization

/// A GATT connection within the process, which refuses what Bluetooth does not carry.
final class MemoryGATT: Sendable {
    /// The refusals of the radio.
    enum Refusal: Error {
        case closed, tooLong, notSubscribed, scripted
    }

    private struct State {
        var subscriptions: Set<BLECharacteristic> = []
        var log: [BLEAttributeValue] = []
        var isClosed = false
        var refusesFrom = Int.max
        var gate: [CheckedContinuation<Void, Never>]?
    }

    private typealias Values = AsyncThrowingStream<BLEAttributeValue, any Error>

    let maximumTransmissionUnit: Int
    /// The attributes that a client can read.
    private let attributes: [BLECharacteristic: [UInt8]]
    private let toClient = Values.makeStream()
    private let toServer = Values.makeStream()
    private let state = Mutex(State())

    /// The L2CAP channel of the server.
    static let psm: UInt32 = 0x81
    /// The pipe of an L2CAP channel of this connection; nil for radios without one.
    private let pipe: MemoryPipe?
    private let choices = AsyncStream<BLEServerConnection>.makeStream()

    /// - Parameters:
    ///   - mtu: The MTU in bytes.
    ///   - attributes: The values that a client can read.
    ///   - pipe: The L2CAP channel; nil without L2CAP.
    init(mtu: Int = 23, attributes: [BLECharacteristic: [UInt8]] = [:], pipe: MemoryPipe? = nil) {
        maximumTransmissionUnit = mtu
        self.attributes = attributes
        self.pipe = pipe
    }

    /// The client's choice of a channel; the characteristics if the connection is lost before.
    func choice() async -> BLEServerConnection {
        for await choice in choices.stream { return choice }
        return .gatt(server)
    }

    /// One side of the connection.
    struct Link: BLEClientLink {
        let gatt: MemoryGATT
        let isClient: Bool

        var maximumTransmissionUnit: Int { gatt.maximumTransmissionUnit }
        var values: AsyncThrowingStream<BLEAttributeValue, any Error> {
            isClient ? gatt.toClient.stream : gatt.toServer.stream
        }

        func send(_ value: [UInt8], to characteristic: BLECharacteristic) async throws {
            try await gatt.send(BLEAttributeValue(characteristic, value), fromClient: isClient)
        }

        func subscribe(to characteristic: BLECharacteristic) async throws {
            _ = gatt.state.withLock { $0.subscriptions.insert(characteristic) }
            gatt.choices.continuation.yield(.gatt(gatt.server))
        }

        func openL2CAPChannel(psm: UInt32) async throws -> (any L2CAPLink)? {
            guard let pipe = gatt.pipe, psm == MemoryGATT.psm else { return nil }
            gatt.choices.continuation.yield(.l2cap(pipe.second))
            return pipe.first
        }

        func read(_ characteristic: BLECharacteristic) async throws -> [UInt8]? { gatt.attributes[characteristic] }
        func close() async { gatt.lose() }
    }

    var client: Link { Link(gatt: self, isClient: true) }
    var server: Link { Link(gatt: self, isClient: false) }

    /// The written and notified values.
    var log: [BLEAttributeValue] { state.withLock { $0.log } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Refuses what is sent after so many values.
    func refuse(after count: Int) {
        state.withLock { $0.refusesFrom = count }
    }

    /// Lets nothing through until ``open()``.
    func hold() {
        state.withLock { $0.gate = [] }
    }

    /// Indicates whether a task waits at the gate.
    var isHolding: Bool { state.withLock { $0.gate?.isEmpty == false } }

    func open() {
        let waiting = state.withLock { $0.gate.take() }
        for continuation in waiting ?? [] { continuation.resume() }
    }

    /// Ends the connection, with an error of the radio or without.
    func lose(_ error: (any Error)? = nil) {
        state.withLock { $0.isClosed = true }
        toClient.continuation.finish(throwing: error)
        toServer.continuation.finish(throwing: error)
        choices.continuation.finish()
        open()
    }

    private func send(_ value: BLEAttributeValue, fromClient: Bool) async throws {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.gate?.append(continuation)
                return state.gate == nil
            }
            if isOpen { continuation.resume() }
        }
        try state.withLock { state in
            guard !state.isClosed else { throw Refusal.closed }
            guard state.log.count < state.refusesFrom else { throw Refusal.scripted }
            guard value.bytes.count <= maximumTransmissionUnit - 3 else { throw Refusal.tooLong }
            guard fromClient || state.subscriptions.contains(value.characteristic) else { throw Refusal.notSubscribed }
            state.log.append(value)
        }
        (fromClient ? toServer : toClient).continuation.yield(value)
    }
}

import Foundation
import MdocKit
import MdocProximity
import Synchronization

/// The air between the radios of a reader and a wallet.
final class MemoryAir: BLERadio {
    /// The refusal of a radio that is off.
    struct Off: Error {}

    private typealias Waiting = CheckedContinuation<MemoryGATT, any Error>

    private struct State {
        var servers: [UUID: (gatt: MemoryGATT, waiting: Waiting)] = [:]
        var clients: [UUID: Waiting] = [:]
        var modes: [BLEMode] = []
        var connectionsToLose: Int
    }

    private let isOff: Bool
    private let pipe: MemoryPipe?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - losing: The number of connections that are lost as soon as they are made.
    ///   - isOff: Indicates whether there is no radio.
    ///   - pipe: The L2CAP channel; nil for radios without L2CAP.
    init(losing: Int = 0, isOff: Bool = false, pipe: MemoryPipe? = nil) {
        self.isOff = isOff
        self.pipe = pipe
        state = Mutex(State(connectionsToLose: losing))
    }

    /// The modes of the connections that were made.
    var modes: [BLEMode] { state.withLock { $0.modes } }

    func connect(toService service: UUID, mode: BLEMode) async throws -> any BLEClientLink {
        try await wait(for: service) { client in
            let server = state.withLock { state in
                let server = state.servers.removeValue(forKey: service)
                if server == nil { state.clients[service] = client }
                return server
            }
            if let server { join(server.gatt, client, server.waiting, mode) }
        }.client
    }

    func publish(service: UUID, mode: BLEMode, ident: [UInt8]?) async throws -> BLEServerConnection {
        var attributes = ident.map { [BLECharacteristic.ident: $0] } ?? [:]
        if pipe != nil, mode == .centralClient { attributes[.l2capPSM] = BLEPSM.encoded(MemoryGATT.psm) }
        let gatt = MemoryGATT(mtu: 185, attributes: attributes, pipe: pipe)
        return try await wait(for: service) { server in
            let client = state.withLock { state in
                let client = state.clients.removeValue(forKey: service)
                if client == nil { state.servers[service] = (gatt, server) }
                return client
            }
            if let client { join(gatt, client, server, mode) }
        }.choice()
    }

    private func wait(for service: UUID, _ begin: (Waiting) -> Void) async throws -> MemoryGATT {
        guard !isOff else { throw Off() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiting in
                begin(waiting)
                if Task.isCancelled { stop(service) }
            }
        } onCancel: {
            stop(service)
        }
    }

    private func stop(_ service: UUID) {
        let waiting = state.withLock { state in
            [state.servers.removeValue(forKey: service)?.waiting, state.clients.removeValue(forKey: service)]
        }
        for waiting in waiting { waiting?.resume(throwing: CancellationError()) }
    }

    private func join(_ gatt: MemoryGATT, _ client: Waiting, _ server: Waiting, _ mode: BLEMode) {
        let isLost = state.withLock { state in
            state.modes.append(mode)
            state.connectionsToLose -= 1
            return state.connectionsToLose >= 0
        }
        if isLost { gatt.lose() }
        client.resume(returning: gatt)
        server.resume(returning: gatt)
    }
}

import Foundation
import MdocKit
import MdocProximity
import TestSupport
import Testing

/// Channels over a GATT connection in memory, of which either end may be a raw link.
@Suite struct BLEMdocTransportTests {
    private func engagement() throws -> DeviceEngagement {
        try EngagedDevice(retrievalMethods: []).engagement
    }

    /// Both ends of a transaction that has started.
    private func transports(
        _ mode: BLEMode,
        over gatt: MemoryGATT,
        limit: Int = 1 << 20
    ) async throws -> (client: BLEMdocTransport, server: BLEMdocTransport) {
        async let server = BLEMdocTransport.accept(over: gatt.server, mode: mode, maximumMessageSize: limit)
        let client = try await BLEMdocTransport.connect(
            over: gatt.client,
            mode: mode,
            engagement: engagement(),
            checksIdent: false,
            maximumMessageSize: limit
        )
        return (client, try await server)
    }

    /// One end that has started, and the raw link of the other.
    private func end(
        isClient: Bool,
        over gatt: MemoryGATT,
        limit: Int = 100
    ) async throws -> (transport: BLEMdocTransport, peer: MemoryGATT.Link) {
        let (client, server) = (gatt.client, gatt.server)
        if isClient {
            let transport = try await BLEMdocTransport.connect(
                over: client,
                mode: .peripheralServer,
                engagement: engagement(),
                maximumMessageSize: limit
            )
            return (transport, server)
        }
        try await client.subscribe(to: .state)
        try await client.send([1], to: .state)
        let transport = try await BLEMdocTransport.accept(
            over: server,
            mode: .centralClient,
            maximumMessageSize: limit
        )
        return (transport, client)
    }

    @Test(arguments: BLEMode.allCases, [23, 24, 185, 515, 517, 2000])
    func messagesOfAllSizesInBothDirections(_ mode: BLEMode, _ mtu: Int) async throws {
        let gatt = MemoryGATT(mtu: mtu)
        let (client, server) = try await transports(mode, over: gatt)
        let part = min(mtu - 3, 512) - 1
        let messages = [0, 1, part - 1, part, part + 1, 2 * part, 5000].map { [UInt8](repeating: 7, count: $0) }
        for message in messages {
            try await client.send(message)
            #expect(try await server.receive() == message)
            try await server.send(message)
            #expect(try await client.receive() == message)
        }
        #expect(gatt.log.map(\.bytes.count).max() == part + 1)
        await client.close()
        #expect(try await server.receive() == nil)
        #expect(try await server.receive() == nil)
        #expect(gatt.log.first == BLEAttributeValue(.state, [1]))
        #expect(gatt.log.last == BLEAttributeValue(.state, [2]))
        #expect(gatt.isClosed)
        for transport in [client, server] {
            let error = await #expect(throws: MdocError.self) { try await transport.send([1]) }
            #expect(error?.code == .transportFailed)
        }
        let closed = await #expect(throws: MdocError.self) { try await client.receive() }
        #expect(closed?.code == .transportFailed)
    }

    @Test(arguments: [true, false])
    func eitherSideEndsTheTransaction(_ isClient: Bool) async throws {
        let gatt = MemoryGATT()
        let (client, server) = try await transports(.centralClient, over: gatt)
        let (ending, other) = isClient ? (client, server) : (server, client)
        try await ending.send([1])
        try await ending.send([2])
        await ending.close()
        await ending.close()
        #expect(try await other.receive() == [1])
        #expect(try await other.receive() == [2])
        #expect(try await other.receive() == nil)
        #expect(other.isSessionEndedByPeer)
        #expect(!ending.isSessionEndedByPeer)
        #expect(gatt.log.count { $0.characteristic == .state && $0.bytes == [2] } == 1)
    }

    @Test func lostConnectionIsNoEndOfTheSession() async throws {
        let gatt = MemoryGATT()
        let (client, server) = try await transports(.centralClient, over: gatt)
        gatt.lose()
        for transport in [client, server] {
            #expect(try await transport.receive() == nil)
            #expect(!transport.isSessionEndedByPeer)
        }
    }

    @Test func theCharacteristicsOfAService() {
        for mode in BLEMode.allCases {
            let characteristics = BLECharacteristics(mode)
            for characteristic in BLECharacteristic.allCases {
                let isThere = characteristic != .ident || mode == .centralClient
                #expect((characteristics[characteristic] != nil) == isThere)
                guard let uuid = characteristics[characteristic] else { continue }
                #expect(characteristics.characteristic(with: uuid) == characteristic)
            }
            #expect(characteristics.characteristic(with: UUID()) == nil)
        }
    }

    @Test func theChannelThatAServiceOffers() async throws {
        #expect(try await MemoryGATT().client.l2capPSM() == nil)
        #expect(try await MemoryGATT(attributes: [.l2capPSM: [0, 0, 0, 0x81]]).client.l2capPSM() == 0x81)
        let error = await #expect(throws: MdocError.self) {
            try await MemoryGATT(attributes: [.l2capPSM: [0, 0]]).client.l2capPSM()
        }
        #expect(error?.code == .malformedBLEData)
    }
}

extension BLEMdocTransportTests {
    private static let openings: [(name: String, values: [BLEAttributeValue], code: MdocError.Code)] = [
        ("a message before the start", [BLEAttributeValue(.clientToServer, [0, 1])], .unexpectedMessage),
        ("a value for the other direction", [BLEAttributeValue(.serverToClient, [0, 1])], .unexpectedMessage),
        ("no value of State", [BLEAttributeValue(.state, [3])], .malformedBLEData),
        ("the end before the start", [BLEAttributeValue(.state, [2])], .transportFailed),
        ("nothing", [], .transportFailed),
    ]

    @Test(arguments: openings.indices, BLEMode.allCases)
    func serversRefuse(_ index: Int, _ mode: BLEMode) async throws {
        let (name, values, code) = Self.openings[index]
        let gatt = MemoryGATT()
        for value in values { try await gatt.client.send(value.bytes, to: value.characteristic) }
        if values.isEmpty { gatt.lose() }
        let error = await #expect(throws: MdocError.self, "\(name)") {
            try await BLEMdocTransport.accept(over: gatt.server, mode: mode)
        }
        #expect(error?.code == code, "\(name)")
        #expect(gatt.isClosed)
    }

    @Test func closesAServerThatIsCancelled() async throws {
        let gatt = MemoryGATT()
        let accepting = Task { try await BLEMdocTransport.accept(over: gatt.server, mode: .centralClient) }
        accepting.cancel()
        let error = await #expect(throws: MdocError.self) { try await accepting.value }
        #expect(error?.code == .transportFailed)
        #expect(gatt.isClosed)
    }

    @Test func anMTUThatBluetoothDoesNotHave() async throws {
        let (first, second) = (MemoryGATT(mtu: 22), MemoryGATT(mtu: 22))
        let connecting = await #expect(throws: MdocError.self) {
            try await BLEMdocTransport.connect(over: first.client, mode: .peripheralServer, engagement: engagement())
        }
        #expect(connecting?.code == .invalidValue)
        let accepting = await #expect(throws: MdocError.self) {
            try await BLEMdocTransport.accept(over: second.server, mode: .centralClient)
        }
        #expect(accepting?.code == .invalidValue)
        #expect(first.isClosed && second.isClosed)
    }

    @Test func aWalletChecksIdent() async throws {
        let (engagement, other) = (try engagement(), try engagement())
        let idents: [(ident: [UInt8]?, code: MdocError.Code?)] = [
            (try engagement.bleIdent(), nil), (try other.bleIdent(), .keyMismatch), ([], .keyMismatch),
            (nil, .missingMember),
        ]
        for (ident, code) in idents {
            let gatt = MemoryGATT(attributes: ident.map { [.ident: $0] } ?? [:])
            do {
                let transport = try await BLEMdocTransport.connect(
                    over: gatt.client,
                    mode: .centralClient,
                    engagement: engagement
                )
                #expect(code == nil)
                #expect(gatt.log == [BLEAttributeValue(.state, [1])])
                await transport.close()
            } catch {
                #expect(error.code == code)
                #expect(gatt.log.isEmpty)
                #expect(gatt.isClosed)
            }
        }
        let reader = MemoryGATT()
        _ = try await BLEMdocTransport.connect(over: reader.client, mode: .peripheralServer, engagement: engagement)
    }

    @Test func aClientThatCannotStart() async throws {
        let gatt = MemoryGATT()
        gatt.refuse(after: 0)
        let error = await #expect(throws: MdocError.self) {
            try await BLEMdocTransport.connect(over: gatt.client, mode: .peripheralServer, engagement: engagement())
        }
        #expect(error?.code == .transportFailed)
        #expect(error?.cause is MemoryGATT.Refusal)
        #expect(gatt.isClosed)
    }

    private enum Sent {
        case message([UInt8])
        case state([UInt8])
        /// To a characteristic that the sender does not send to.
        case elsewhere([UInt8])
        case lost((any Error)?)
    }

    private static let violations: [(name: String, sent: [Sent], code: MdocError.Code?)] = [
        ("an unknown part", [.message([2, 1])], .malformedBLEData),
        ("an empty value", [.message([])], .malformedBLEData),
        ("a part without content", [.message([1])], .malformedBLEData),
        ("no value of State", [.state([0])], .malformedBLEData),
        ("two values of State", [.state([2, 2])], .malformedBLEData),
        ("a second start", [.state([1])], .unexpectedMessage),
        ("the own direction", [.elsewhere([0, 1])], .unexpectedMessage),
        (
            "a message over the limit", Array(repeating: .message([1] + Array(repeating: 0, count: 19)), count: 6),
            .limitExceeded
        ),
        ("the end within a message", [.message([1, 1]), .state([2])], .transportFailed),
        ("the connection lost within a message", [.message([1, 1]), .lost(nil)], .transportFailed),
        ("an error of the radio", [.lost(MemoryGATT.Refusal.scripted)], .transportFailed),
        ("the end", [.state([2])], nil),
        ("the connection lost", [.lost(nil)], nil),
    ]

    @Test(arguments: violations.indices, [true, false])
    func whatEndsAChannel(_ index: Int, _ isClient: Bool) async throws {
        let (name, sent, code) = Self.violations[index]
        let gatt = MemoryGATT()
        let (transport, peer) = try await end(isClient: isClient, over: gatt)
        try await peer.subscribe(to: .clientToServer)
        try await peer.subscribe(to: .serverToClient)
        let (own, other): (BLECharacteristic, BLECharacteristic) =
            isClient ? (.clientToServer, .serverToClient) : (.serverToClient, .clientToServer)
        try await peer.send([0, 9], to: other)
        #expect(try await transport.receive() == [9])
        for item in sent {
            // The transport may have closed the connection before the last of them.
            switch item {
            case .message(let part): try? await peer.send(part, to: other)
            case .state(let value): try? await peer.send(value, to: .state)
            case .elsewhere(let part): try? await peer.send(part, to: own)
            case .lost(let error): gatt.lose(error)
            }
        }
        do {
            while let message = try await transport.receive() { #expect(message.isEmpty) }
            #expect(code == nil, "\(name)")
        } catch {
            #expect(error.code == code, "\(name): \(error)")
            let again = await #expect(throws: MdocError.self) { try await transport.receive() }
            #expect(again?.code == code)
        }
        let sending = await #expect(throws: MdocError.self) { try await transport.send([1]) }
        #expect(sending?.code == .transportFailed, "\(name)")
    }
}

extension BLEMdocTransportTests {
    @Test(arguments: [(17, 1), (6, 19)])
    func moreMessagesThanAnybodyTakes(_ count: Int, _ size: Int) async throws {
        let gatt = MemoryGATT()
        let (transport, peer) = try await end(isClient: false, over: gatt)
        for _ in 0..<count { try await peer.send([UInt8](repeating: 0, count: size), to: .clientToServer) }
        while !gatt.isClosed { await Task.yield() }
        for _ in 1..<count { #expect(try await transport.receive()?.count == size - 1) }
        let error = await #expect(throws: MdocError.self) { try await transport.receive() }
        #expect(error?.code == .limitExceeded)
    }

    /// Any data of a peer ends the channel or makes messages; no task waits for ever.
    @Test(arguments: 0..<200)
    func anythingThatAPeerMaySend(_ seed: Int) async throws {
        var generator = RepeatableRandomNumberGenerator(seed: UInt64(seed))
        let gatt = MemoryGATT()
        let (transport, peer) = try await end(isClient: false, over: gatt)
        for _ in 0..<20 {
            let isState = Int.random(in: 0..<10, using: &generator) == 0
            var value = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if !isState, !value.isEmpty { value[0] %= 2 }
            try? await peer.send(value, to: isState ? .state : .clientToServer)
        }
        gatt.lose()
        do {
            while let message = try await transport.receive() { #expect(message.count <= 100) }
        } catch {
            let codes: [MdocError.Code] = [.malformedBLEData, .unexpectedMessage, .limitExceeded, .transportFailed]
            #expect(codes.contains(error.code))
        }
        let closed = await #expect(throws: MdocError.self) { try await transport.send([1]) }
        #expect(closed?.code == .transportFailed)
    }

    @Test func aMessageOverTheLimitIsNotSent() async throws {
        let gatt = MemoryGATT()
        let (client, server) = try await transports(.centralClient, over: gatt, limit: 50)
        let error = await #expect(throws: MdocError.self) { try await client.send([UInt8](repeating: 0, count: 51)) }
        #expect(error?.code == .limitExceeded)
        try await client.send([UInt8](repeating: 1, count: 50))
        #expect(try await server.receive()?.count == 50)
    }

    @Test func aRadioThatFailsWithinAMessage() async throws {
        let gatt = MemoryGATT()
        let (client, server) = try await transports(.centralClient, over: gatt)
        gatt.refuse(after: 3)
        let error = await #expect(throws: MdocError.self) { try await client.send([UInt8](repeating: 0, count: 200)) }
        #expect(error?.code == .transportFailed)
        #expect(error?.cause is MemoryGATT.Refusal)
        let lost = await #expect(throws: MdocError.self) { try await server.receive() }
        #expect(lost?.code == .transportFailed)
        #expect(gatt.log.count { $0.characteristic == .state } == 1)
    }

    @Test func closingWithinAMessageDoesNotSayTheEnd() async throws {
        let gatt = MemoryGATT()
        let (client, server) = try await transports(.centralClient, over: gatt)
        gatt.hold()
        let sending = Task { try await client.send([UInt8](repeating: 0, count: 200)) }
        while !gatt.isHolding { await Task.yield() }
        let twice = await #expect(throws: MdocError.self) { try await client.send([1]) }
        #expect(twice?.code == .concurrentUse)
        await client.close()
        let error = await #expect(throws: MdocError.self) { try await sending.value }
        #expect(error?.code == .transportFailed)
        #expect(try await server.receive() == nil)
        #expect(gatt.log.map(\.characteristic) == [.state])
    }

    @Test func aSenderThatIsCancelled() async throws {
        let gatt = MemoryGATT()
        let (client, _) = try await transports(.centralClient, over: gatt)
        gatt.hold()
        let sending = Task { try await client.send([UInt8](repeating: 0, count: 200)) }
        while !gatt.isHolding { await Task.yield() }
        sending.cancel()
        gatt.open()
        let error = await #expect(throws: MdocError.self) { try await sending.value }
        #expect(error?.code == .transportFailed)
        let closed = await #expect(throws: MdocError.self) { try await client.receive() }
        #expect(closed?.code == .transportFailed)
    }

    @Test func aReceiverThatIsCancelledClosesTheChannel() async throws {
        let gatt = MemoryGATT()
        let (client, server) = try await transports(.centralClient, over: gatt)
        let receiving = Task { try await client.receive() }
        receiving.cancel()
        let error = await #expect(throws: MdocError.self) { try await receiving.value }
        #expect(error?.code == .transportFailed)
        #expect(try await server.receive() == nil)
        #expect(gatt.log.last == BLEAttributeValue(.state, [2]))
    }

    @Test func aTransportThatIsReleasedClosesItsLink() async throws {
        let gatt = MemoryGATT()
        let peer = gatt.client
        do {
            let (transport, _) = try await end(isClient: false, over: gatt)
            try await peer.send([0, 1], to: .clientToServer)
            #expect(try await transport.receive() == [1])
        }
        var values = peer.values.makeAsyncIterator()
        #expect(try await values.next() == BLEAttributeValue(.state, [2]))
        #expect(try await values.next() == nil)
    }
}

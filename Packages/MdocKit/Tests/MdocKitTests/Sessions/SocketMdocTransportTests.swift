import CredentialTransport
import Foundation
import MdocKit
import MdocProximity
import Testing

@Suite struct SocketMdocTransportTests {
    enum Kind: CaseIterable {
        case unix, tcp, tcp6

        /// An address without another listener.
        var endpoint: SocketEndpoint {
            switch self {
            case .unix: .unix(path: "/tmp/mdoc-\(UUID().uuidString.prefix(13)).sock")
            case .tcp: .loopback()
            case .tcp6: .tcp(.v6(1), port: 0)
            }
        }

        /// Both ends of a connection.
        func connection(
            limits: (Int, Int) = (1 << 24, 1 << 24)
        ) async throws -> (SocketMdocTransport, SocketMdocTransport) {
            let listener = try SocketMdocListener(at: endpoint, maximumMessageSize: limits.1)
            async let accepted = listener.accept()
            let connected = try await SocketMdocTransport.connect(
                to: listener.endpoint,
                maximumMessageSize: limits.0
            )
            return (connected, try await accepted)
        }
    }

    @Test(arguments: Kind.allCases)
    func messagesOfAllSizesArriveWhole(_ kind: Kind) async throws {
        let (first, second) = try await kind.connection()
        let messages = [0, 1, 3, 4, 5, 65_535, 65_536, 65_537, 3 << 20].map { [UInt8](repeating: 7, count: $0) }
        async let sent: Void = {
            for message in messages { try await first.send(message) }
            await first.close()
        }()
        for message in messages {
            #expect(try await second.receive() == message)
        }
        #expect(try await second.receive() == nil)
        try await sent
    }

    @Test func bothDirectionsAtOnce() async throws {
        let (first, second) = try await Kind.unix.connection()
        let message = [UInt8](repeating: 1, count: 1 << 20)
        async let one: Void = first.send(message)
        async let two: Void = second.send(message)
        async let three = first.receive()
        async let four = second.receive()
        #expect(try await three == message)
        #expect(try await four == message)
        _ = try await (one, two)
    }

    @Test func aMessageOverTheLimitIsNeitherSentNorTaken() async throws {
        let (first, second) = try await Kind.unix.connection(limits: (10, 5))
        let sending = await #expect(throws: MdocError.self) { try await first.send([UInt8](repeating: 0, count: 11)) }
        #expect(sending?.code == .limitExceeded)
        try await first.send([UInt8](repeating: 1, count: 5))
        #expect(try await second.receive()?.count == 5)
        try await first.send([UInt8](repeating: 1, count: 6))
        let receiving = await #expect(throws: MdocError.self) { try await second.receive() }
        #expect(receiving?.code == .limitExceeded)
        let closed = await #expect(throws: MdocError.self) { try await second.receive() }
        #expect(closed?.code == .transportFailed)
    }

    @Test(arguments: [[0, 0], [0, 0, 0, 5], [0, 0, 0, 5, 1, 2, 3, 4]] as [[UInt8]])
    func aStreamThatEndsWithinAMessage(_ bytes: [UInt8]) async throws {
        let endpoint = Kind.unix.endpoint
        let listener = try SocketMdocListener(at: endpoint)
        let socket = try RawSocket(endpoint)
        let transport = try await listener.accept()
        socket.write(bytes)
        socket.close()
        let error = await #expect(throws: MdocError.self) { try await transport.receive() }
        #expect(error?.code == .transportFailed)
    }

    @Test func aMessageInPiecesIsPutTogether() async throws {
        let endpoint = Kind.unix.endpoint
        let listener = try SocketMdocListener(at: endpoint)
        let socket = try RawSocket(endpoint)
        let transport = try await listener.accept()
        async let message = transport.receive()
        for byte: UInt8 in [0, 0, 0, 3, 1, 2, 3] {
            socket.write([byte])
            await Task.yield()
        }
        #expect(try await message == [1, 2, 3])
        socket.close()
        #expect(try await transport.receive() == nil)
    }

    @Test func aHugeClaimIsRefusedBeforeItsBytesCome() async throws {
        let endpoint = Kind.unix.endpoint
        let listener = try SocketMdocListener(at: endpoint)
        let socket = try RawSocket(endpoint)
        let transport = try await listener.accept()
        socket.write([0xff, 0xff, 0xff, 0xff])
        let error = await #expect(throws: MdocError.self) { try await transport.receive() }
        #expect(error?.code == .limitExceeded)
        socket.close()
    }

    @Test(arguments: Kind.allCases)
    func closingWakesTheReceiver(_ kind: Kind) async throws {
        let (first, second) = try await kind.connection()
        let receiver = Task { try await first.receive() }
        await Task.yield()
        await first.close()
        let error = await #expect(throws: MdocError.self) { try await receiver.value }
        #expect(error?.code == .transportFailed)
        #expect(try await second.receive() == nil)
    }

    @Test func cancellingAReceiverClosesTheChannel() async throws {
        let (first, second) = try await Kind.unix.connection()
        let receiver = Task { try await first.receive() }
        receiver.cancel()
        await #expect(throws: MdocError.self) { try await receiver.value }
        #expect(try await second.receive() == nil)
        let error = await #expect(throws: MdocError.self) { try await first.send([1]) }
        #expect(error?.code == .transportFailed)
    }

    @Test func failsToSendWithoutAPeer() async throws {
        let (first, second) = try await Kind.unix.connection()
        await second.close()
        let error = await #expect(throws: MdocError.self) {
            for _ in 0..<100 { try await first.send([UInt8](repeating: 0, count: 1 << 16)) }
        }
        #expect(error?.code == .transportFailed)
    }

    @Test func failsWithoutAListener() async throws {
        for kind in Kind.allCases {
            let listener = try SocketMdocListener(at: kind.endpoint)
            listener.close()
            let error = await #expect(throws: MdocError.self) {
                try await SocketMdocTransport.connect(to: listener.endpoint)
            }
            #expect(error?.code == .transportFailed)
        }
    }

    @Test func cancellingAcceptClosesTheListener() async throws {
        let listener = try SocketMdocListener(at: Kind.unix.endpoint)
        let accepting = Task { try await listener.accept() }
        accepting.cancel()
        let error = await #expect(throws: MdocError.self) { try await accepting.value }
        #expect(error?.code == .transportFailed)
    }

    @Test(arguments: ["", String(repeating: "x", count: 200), "/tmp/a\0b", "/nowhere/at/all"])
    func pathsThatCannotBeUsed(_ path: String) throws {
        let error = #expect(throws: MdocError.self) { try SocketMdocListener(at: .unix(path: path)) }
        #expect(error?.code == .transportFailed)
    }

    @Test func aPathIsRemovedByWhoMadeIt() async throws {
        guard case .unix(let path) = Kind.unix.endpoint else { return }
        let listener = try SocketMdocListener(at: .unix(path: path))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let error = #expect(throws: MdocError.self) { try SocketMdocListener(at: .unix(path: path)) }
        #expect(error?.code == .transportFailed)
        #expect(FileManager.default.fileExists(atPath: path))
        listener.close()
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}

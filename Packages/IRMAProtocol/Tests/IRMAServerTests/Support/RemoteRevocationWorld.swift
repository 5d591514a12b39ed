import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import Synchronization

@testable import IRMAServer

/// A server that asks the server of an authority about the pass, over a transport in memory.
struct RemoteRevocationWorld {
    /// The server of the authority.
    let authority: RevocationWorld
    /// The server that asks it.
    let reader: RevocationWorld
    let transport: InMemoryHTTPTransport
    private let switchboard: Switchboard

    /// The answer that stands in for the authority's.
    private final class Switchboard: Sendable {
        let target: Mutex<RevocationWorld>
        let replacement = Mutex<InMemoryHTTPAnswer?>(nil)
        /// Returns what stands in for the authority's answer at a path, or nil.
        let interception = Mutex<@Sendable (String) throws(TransportError) -> InMemoryHTTPAnswer?>({ _ in nil })
        /// The event streams that were opened, and the latest of them.
        let openings = AsyncStream.makeStream(of: Void.self)
        let stream = Mutex<InMemoryExchange?>(nil)

        init(_ target: RevocationWorld) { self.target = Mutex(target) }

        /// The events of the authority, until it or the reader goes away.
        func events(at path: String) async throws -> InMemoryHTTPAnswer {
            let exchange = target.withLock { $0 }.world.http.open(.get(path))
            let head = try await exchange.head()
            guard head.status == .ok else { return InMemoryHTTPAnswer(status: head.status.code) }
            stream.withLock { $0 = exchange }
            openings.continuation.yield()
            return .streaming(type: .eventStream) { write throws(TransportError) in
                while let piece = try? await exchange.next() { try await write(piece) }
                exchange.disconnect()
            }
        }
    }

    static let ownURL = "https://authority.example/irma"

    init(_ settings: RevocationSettings? = nil) throws {
        let authority = try RevocationWorld()
        let switchboard = Switchboard(authority)
        let transport = InMemoryHTTPTransport { request throws(TransportError) in
            let intercept = switchboard.interception.withLock { $0 }
            if let answer = try intercept(request.url.path) { return answer }
            if let answer = switchboard.replacement.withLock({ $0 }) { return answer }
            let target = switchboard.target.withLock { $0 }
            do {
                if request.url.path.hasSuffix("/updateevents") {
                    return try await switchboard.events(at: request.url.path)
                }
                let response = try await target.world.response(request.method, request.url.path, [:], request.body)
                return InMemoryHTTPAnswer(
                    status: response.status.code,
                    headerFields: response.headerFields,
                    body: response.body
                )
            } catch {
                throw TransportError(.connectionFailed, "no answer", cause: error)
            }
        }
        let (records, time) = (InMemoryRevocationRecords(), authority.world.time)
        let service = RevocationAuthorityService(
            settings: settings.map { [ServerScene.pass: $0] } ?? [:],
            records: records,
            issuerKeys: authority.world.scene.material.issuerKeys,
            transport: transport,
            clock: time.sessionClock
        )
        let world = try ServerWorld {
            $0.time = time
            $0.authority = { _ in service }
        }
        reader = RevocationWorld(world: world, records: records, authority: service)
        (self.authority, self.transport, self.switchboard) = (authority, transport, switchboard)
    }

    /// Answers every request like this, or again as the authority does.
    func answer(with answer: InMemoryHTTPAnswer?) {
        switchboard.replacement.withLock { $0 = answer }
    }

    /// Gives other answers than the authority at the paths for which a closure returns one.
    func intercept(_ body: @escaping @Sendable (String) throws(TransportError) -> InMemoryHTTPAnswer?) {
        switchboard.interception.withLock { $0 = body }
    }

    /// Puts another server in the place of the authority's.
    func redirect(to other: RevocationWorld) {
        switchboard.target.withLock { $0 = other }
    }

    /// Waits until the reader listens to the authority.
    func waitForListener() async {
        var iterator = switchboard.openings.stream.makeAsyncIterator()
        _ = await iterator.next()
        await authority.passPause()
    }

    /// Breaks the event stream off.
    func breakOff() {
        switchboard.stream.withLock { $0 }?.disconnect()
    }

    /// The paths that were asked for, without what all have in common.
    var paths: [String] {
        transport.requests.map { $0.url.path.replacingOccurrences(of: "/irma/revocation/demo.bank.pass/", with: "") }
    }

    func synchronize() async throws {
        try await reader.authority.synchronize(ServerScene.pass, schemes: reader.world.scene.material.schemes)
    }
}

extension RevocationWorld {
    /// Records credentials, and revokes them.
    func revokeSamples(_ names: Range<Int>) async throws {
        for name in names {
            _ = try await authority.makeWitness(
                for: ServerScene.pass,
                revocationKey: "sample \(name)",
                keys: world.scene.keys,
                issued: 1_000_000,
                expiry: 1_900_000_000,
                schemes: world.scene.material.schemes,
                using: .system
            )
            try await authority.revoke(RevocationRequest(ServerScene.pass, revocationKey: "sample \(name)"))
        }
    }
}

import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import JSONKit
import Testing

@testable import IRMAServer

/// Schemes that are updated since a requestor's request names what they lack.
@Suite struct MaterialUpdateTests {
    private static let purse = CredentialTypeDescription(
        id: "demo.bank.purse",
        attributes: [AttributeDescription("coin")]
    )
    private static let purseRequest = SessionRequest(.disclosing, disclose: [[["demo.bank.purse.coin"]]])

    private func world(
        _ source: PlayMaterialSource,
        _ change: (inout ServerWorld.Setup) -> Void = { _ in }
    ) throws -> ServerWorld {
        try ServerWorld {
            $0.materialSource = source
            change(&$0)
        }
    }

    /// A request that names what the schemes lack.
    private static let requests: [(String, @Sendable () -> SessionRequest)] = [
        ("a type", { purseRequest }),
        (
            "a type among others",
            { SessionRequest(.disclosing, disclose: [[["demo.bank.card.name"], ["demo.bank.purse"]]]) }
        ),
        ("an attribute", { SessionRequest(.disclosing, disclose: [[["demo.bank.card.colour"]]]) }),
        (
            "a type that can be revoked",
            {
                var request = ServerScene.nameRequest
                request.parameters.revocation = ["demo.bank.ticket": NonRevocationDemand()]
                return request
            }
        ),
        ("a type to issue", { ServerScene.issuance(CredentialRequest("demo.bank.purse", attributes: ["coin": "1"])) }),
        (
            "an attribute to issue",
            {
                var card = ServerScene.cardRequest
                card.attributes["colour"] = "red"
                return ServerScene.issuance(card)
            }
        ),
        (
            "a key",
            {
                var card = ServerScene.cardRequest
                card.keyCounter = 7
                return ServerScene.issuance(card)
            }
        ),
        (
            "an attribute that has become optional",
            { ServerScene.issuance(CredentialRequest(ServerScene.card, attributes: ["name": "Alice"])) }
        ),
    ]

    /// The schemes with all of it.
    private static func newer() throws -> ServerMaterial {
        try PlayMaterialSource.material(
            purse,
            CredentialTypeDescription(
                id: ServerScene.card,
                attributes: [
                    AttributeDescription("name"), AttributeDescription("level", isOptional: true),
                    AttributeDescription("number", isOptional: true), AttributeDescription("note", isOptional: true),
                    AttributeDescription("colour", isOptional: true),
                ],
                isSingleton: true
            ),
            CredentialTypeDescription(
                id: "demo.bank.ticket",
                attributes: [AttributeDescription("id"), AttributeDescription("", isRevocation: true)],
                revocationServers: ["https://revocation.example/irma"]
            )
        )
    }

    @Test(arguments: requests.indices) func updatesTheSchemeOnce(_ index: Int) async throws {
        let (name, request) = Self.requests[index]
        let source = PlayMaterialSource(try Self.newer())
        let world = try world(source)
        let package = try await world.start(request())
        #expect(source.updates == [["demo"]], "\(name)")
        // What the new schemes know needs no further update.
        _ = try await world.start(request())
        #expect(source.updates.count == 1)
        #expect(try await world.server.status(of: package.token) == .initialized)
        // Without a source, or with one that has nothing new, the request is refused.
        let silent = PlayMaterialSource()
        let refusing = try self.world(silent)
        await expectError(.invalidRequest) { try await refusing.start(request()) }
        #expect(silent.updates == [["demo"]], "\(name)")
        await expectError(.invalidRequest) { try await ServerWorld().start(request()) }
    }

    @Test func updatesAtMostOnceAMinute() async throws {
        let source = PlayMaterialSource()
        let world = try world(source)
        for name in ["demo.bank.purse", "demo.bank.card.colour", "demo.shop.card.name"] {
            let request = SessionRequest(.disclosing, disclose: [[[AttributeRequest(AttributeIdentifier(name))]]])
            await expectError(.invalidRequest, "Unknown identifiers: \(name)") { try await world.start(request) }
        }
        #expect(source.updates == [["demo"]])
        // Each scheme has its own minute.
        let both = SessionRequest(.disclosing, disclose: [[["demo.bank.purse"]], [["club.house.purse"]]])
        await expectError(.invalidRequest) { try await world.start(both) }
        #expect(source.updates == [["demo"], ["club"]])
        world.time.advance(by: .seconds(59))
        await expectError(.invalidRequest) { try await world.start(both) }
        #expect(source.updates.count == 2)
        world.time.advance(by: .seconds(1))
        await expectError(.invalidRequest) { try await world.start(both) }
        #expect(source.updates == [["demo"], ["club"], ["demo", "club"]])
    }

    @Test func updatesNothingThatNoUpdateMends() async throws {
        let source = PlayMaterialSource()
        let world = try world(source)
        let vote = CredentialRequest(ServerScene.vote, attributes: ["election": "1", "hall": "2", "ballot": "3"])
        let requests = [
            // Nobody updates a scheme that is not there, nor others beside it.
            SessionRequest(.disclosing, disclose: [[["other.bank.card.name"]]]),
            SessionRequest(.disclosing, disclose: [[["demo.bank.purse"]], [["other.bank.card.name"]]]),
            SessionRequest(.disclosing, disclose: [[["demo.bank"]]]), SessionRequest(.disclosing),
            ServerScene.issuance(CredentialRequest("demo.bank", attributes: [:])), ServerScene.issuance(vote),
        ]
        for request in requests { await expectError(.invalidRequest) { try await world.start(request) } }
        #expect(source.updates.isEmpty)
    }

    @Test func requestorsCauseUpdatesWhereTheyArePermitted() async throws {
        let source = PlayMaterialSource(try Self.newer())
        let requestor = Requestor(
            "shop",
            authentication: .token(SecretBytes(Array("k".utf8))),
            permissions: RequestorPermissions(disclose: ["demo.bank.*"])
        )
        let world = try world(source) { $0.requestors = RequestorRegistry([requestor]) }
        let club = SessionRequest(.disclosing, disclose: [[["club.house.purse"]]])
        var fields: HTTPFields = [.contentType: "application/json", .authorization: "k"]
        func start(_ request: SessionRequest) async throws -> InMemoryResponse {
            try await world.response(.post, "/session", fields, RequestorMessage(request).encoded())
        }
        try expectError(.unauthorized, in: await start(club))
        fields[.authorization] = "other"
        try expectError(.unauthorized, in: await start(Self.purseRequest))
        #expect(source.updates.isEmpty)
        fields[.authorization] = "k"
        #expect(try await start(Self.purseRequest).status == .ok)
        #expect(source.updates == [["demo"]])
    }

    @Test func walletsCauseNoUpdates() async throws {
        let source = PlayMaterialSource(try Self.newer())
        var options = RequestorOptions()
        options.callbackURL = "https://shop.example/result"
        let message = RequestorMessage(Self.purseRequest, options: options)
        let next = try RequestorMessage(Self.purseRequest).encoded()
        let world = try world(source) {
            $0.staticSessions = ["entrance": message]
            $0.options.allowsUnsignedCallbacks = true
            $0.callbackHandler = { _ in .ok(next, type: .json) }
        }
        let response = try await world.response(.post, "/irma/session/entrance", [:], Array("{}".utf8))
        try expectError(.malformedInput, in: response)
        // The next session of a chain starts while the wallet waits for its answer.
        let package = try await world.start { $0.nextSessionURL = "https://shop.example/next" }
        try expectError(.nextSession, in: await world.wallet(package).showName())
        #expect(source.updates.isEmpty)
    }

    // MARK: Requests that come together

    @Test func requestsShareAnUpdate() async throws {
        let source = PlayMaterialSource(try Self.newer())
        let world = try world(source)
        let gate = source.close()
        try await withThrowingTaskGroup(of: SessionPackage.self) { group in
            for _ in 0..<5 { group.addTask { try await world.start(Self.purseRequest) } }
            while world.server.updates?.waiterCount != 5 { await Task.yield() }
            // Other requests go on.
            _ = try await world.start()
            gate.finish()
            for try await _ in group {}
        }
        #expect(source.updates == [["demo"]])
    }

    @Test func updatesOneAfterTheOther() async throws {
        let source = PlayMaterialSource()
        let world = try world(source)
        let gate = source.close()
        let first = Task { try await world.start(Self.purseRequest) }
        while source.updates.isEmpty { await Task.yield() }
        let second = Task { try await world.start(SessionRequest(.disclosing, disclose: [[["club.house.purse"]]])) }
        let all = Task { await world.server.updateMaterial() }
        while world.server.updates?.waiterCount != 3 { await Task.yield() }
        #expect(source.updates == [["demo"]])
        gate.finish()
        await expectError(.invalidRequest) { try await first.value }
        await expectError(.invalidRequest) { try await second.value }
        await all.value
        // The second request may find that the update of all came before it.
        #expect(source.updates.contains(nil) && (2...3).contains(source.updates.count))
    }

    @Test func aCancelledRequestLeavesTheUpdate() async throws {
        let source = PlayMaterialSource(try Self.newer())
        let world = try world(source)
        let gate = source.close()
        let request = Task { try await world.start(Self.purseRequest) }
        while source.updates.isEmpty { await Task.yield() }
        request.cancel()
        await expectError(.invalidRequest) { try await request.value }
        gate.finish()
        while world.server.material.schemes.credentialType("demo.bank.purse") == nil { await Task.yield() }
        _ = try await world.start(Self.purseRequest)
        #expect(source.updates.count == 1)
    }

    @Test func furtherRequestsDoNotWait() async throws {
        let source = PlayMaterialSource()
        let world = try world(source)
        let gate = source.close()
        let updates = try #require(world.server.updates)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<MaterialUpdates.maximumWaiters {
                group.addTask { await updates.update(["demo"], of: world.server) }
            }
            while updates.waiterCount < MaterialUpdates.maximumWaiters { await Task.yield() }
            await expectError(.invalidRequest) { try await world.start(Self.purseRequest) }
            gate.finish()
        }
        #expect(source.updates == [["demo"]])
    }

    @Test func updatesAllFromTimeToTime() async throws {
        let source = PlayMaterialSource(try Self.newer())
        let world = try world(source)
        await world.server.updateMaterial()
        #expect(world.server.material.schemes.credentialType("demo.bank.purse") != nil)
        await world.server.updateMaterial()
        #expect(source.updates == [nil, nil])
        // A request just after it causes no other.
        let request = SessionRequest(.disclosing, disclose: [[["demo.bank.wallet"]]])
        await expectError(.invalidRequest) { try await world.start(request) }
        #expect(source.updates.count == 2)
        try await ServerWorld().server.updateMaterial()
    }
}

#if Server && Client
import CredentialServing
import CredentialTransport
import Foundation
import JSONKit
import LoopbackTesting
import OID4VPKit
import OID4VPMessages
import OID4VPTesting
import OID4VPVerifier
import Testing

#if SQLite
import CredentialServingSQLite
#endif

/// Wallet, verifier and requestor over sockets of this machine.
@Suite struct SocketMatrixTests {
    @Test func countsTheRows() {
        let tls = Self.tlsRows.count
        print("OpenID4VP over HTTP: \(SocketRow.all.count) combinations; over TLS: \(tls)")
        let versions = Set(SocketRow.all.map(\.combination.version))
        let modes = Set(SocketRow.all.map(\.combination.mode))
        let deliveries = Set(SocketRow.all.map(\.combination.delivery))
        let formats = Set(SocketRow.all.map(\.combination.format))
        let clients = Set(SocketRow.all.map(\.combination.client))
        #expect(versions.count == 3 && modes.count == 4 && deliveries.count == 7 && formats.count == 4)
        #expect(clients == Set(Combination.Client.allCases))
        #expect(tls >= 4)
    }

    @Test func everyRowOverHTTP() async throws {
        try await SocketWorld.run(EndToEndScene.shared.value) { world in
            for row in SocketRow.all { try await Self.present(row, in: world) }
        }
    }

    /// Addresses of a TLS listener: of each format, in the clear and encrypted, fetched by both methods.
    private static let tlsRows = SocketRow.all.filter { row in
        row.combination.version == .v1 && [.get, .post].contains(row.combination.delivery)
            // The wallet knows the addresses of registered clients beforehand, without a port.
            && row.combination.client != .preRegistered
    }

    @Test func everyFormatOverTLS() async throws {
        let identity = try await ServerIdentity(names: [EndToEndScene.host])
        try await SocketWorld.run(EndToEndScene.shared.value, identity: identity) { world in
            for row in Self.tlsRows { try await Self.present(row, in: world) }
        }
        #expect(Set(Self.tlsRows.map(\.combination.format)).count == 4)
    }

    /// A wallet that does not trust the certificate sends nothing.
    @Test func otherCertificatesAreRefused() async throws {
        let scene = try await EndToEndScene.shared.value
        let row = try #require(Self.tlsRows.first)
        let identity = try await ServerIdentity(names: [EndToEndScene.host])
        let stranger = try await ServerIdentity(names: [EndToEndScene.host])
        try await SocketWorld.run(scene, identity: identity) { world in
            let transaction = try await world.start(row)
            let other = world.wallet(trusting: stranger)
            let refusal = await #expect(throws: Refusal.self) {
                try await other.authenticate(transaction, row)
            }
            #expect(refusal?.reason == .requestNotRetrieved)
        }
    }

    private static func present(_ row: SocketRow, in world: SocketWorld) async throws {
        let transaction = try await world.start(row)
        let authenticated = try await world.authenticate(transaction, row)
        try await world.send(try await world.scene.response(to: authenticated), for: transaction)
        try await expectVerified(transaction, row, in: world)
    }

    private static func expectVerified(
        _ transaction: SocketWorld.Transaction,
        _ row: SocketRow,
        in world: SocketWorld
    ) async throws {
        let result = try await world.result(of: transaction)
        #expect(result["status"] == "verified", "\(row.testDescription): \(result)")
        let name = row.combination.queryID.text
        let claims = result["credentials"]?[name]?[0]?["claims"]?.objectValue ?? [:]
        #expect(row.combination.isDisclosed(in: claims), "\(row.testDescription): \(result)")
    }

    // MARK: Restarts

    /// One row of each response mode, of the formats in turn.
    private static let restartRows: [SocketRow] = {
        let formats: [CredentialFormat] = [.sdJWT, .mdoc, .linkedData, .jwt]
        let modes: [ResponseMode] = [.directPost, .directPostJWT, .digitalCredentials, .digitalCredentialsJWT]
        return modes.enumerated().compactMap { number, mode in
            SocketRow.all.last { row in
                row.combination.version == .v1 && row.combination.mode == mode
                    && row.combination.format == formats[number] && row.combination.delivery.isSigned
            }
        }
    }()

    /// The verifier ends after the request was fetched; another one at another port takes the response.
    ///
    /// - Parameters:
    ///   - open: Opens the store, once for each verifier.
    ///   - close: Closes it.
    private static func restartVerifier(
        _ open: () throws -> any SessionStore,
        _ close: (any SessionStore) async -> Void = { _ in }
    ) async throws {
        let scene = try await EndToEndScene.shared.value
        for row in restartRows {
            let kept = Kept()
            let first = try open()
            try await SocketWorld.run(scene, over: first) { world in
                let transaction = try await world.start(row)
                let authenticated = try await world.authenticate(transaction, row)
                kept.keep(transaction, try await scene.response(to: authenticated))
            }
            await close(first)
            let (transaction, response) = try kept.get()
            let second = try open()
            try await SocketWorld.run(scene, over: second) { world in
                try await world.send(response, for: transaction)
                try await expectVerified(transaction, row, in: world)
            }
            await close(second)
        }
        #expect(restartRows.count == 4)
    }

    @Test func aVerifierRestartsOverMemory() async throws {
        let store = MemorySessionStore(clock: SocketWorld.clock)
        try await Self.restartVerifier { store }
    }

    #if SQLite
    @Test func aVerifierRestartsOverSQLite() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "oid4vp-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "transactions.sqlite").path
        try await Self.restartVerifier {
            try SQLiteSessionStore(path: path, clock: SocketWorld.clock)
        } _: { store in
            await (store as? SQLiteSessionStore)?.close()
        }
    }
    #endif

    /// The wallet's app ends after the user saw the request, and keeps the link alone: it authenticates it again, with a nonce of
    /// its own, and answers.
    @Test func aWalletRestarts() async throws {
        try await SocketWorld.run(EndToEndScene.shared.value) { world in
            for row in Self.restartRows {
                let transaction = try await world.start(row)
                _ = try await world.authenticate(transaction, row)
                let again = try await world.authenticate(transaction, row)
                try await world.send(try await world.scene.response(to: again), for: transaction)
                try await Self.expectVerified(transaction, row, in: world)
            }
        }
    }
}
#endif

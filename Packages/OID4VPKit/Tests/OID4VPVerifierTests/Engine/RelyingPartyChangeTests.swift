import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import SDJWTKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Relying parties and requestors that come and go while a server runs.
struct RelyingPartyChangeTests {
    private func query() throws -> DCQLQuery { try DCQLQuery(json: JSONValue(parsing: EngineWorld.query)) }

    private func expectUnknown(
        _ name: String,
        at server: TransactionServer,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let query = try query()
        let error = await #expect(throws: TransactionError.self, sourceLocation: sourceLocation) {
            try await server.start(TransactionRequest(of: name, for: query))
        }
        #expect(error?.code == .unknownRelyingParty, sourceLocation: sourceLocation)
    }

    /// A scene, and its relying party.
    private func scene(
        _ change: (inout RelyingParty) -> Void = { _ in }
    ) async throws -> (scene: WalletScene, party: RelyingParty) {
        var made: RelyingParty?
        let scene = try await WalletScene { party, _ in
            change(&party)
            made = party
        }
        return (scene, try #require(made))
    }

    @Test func aNewRelyingPartyIsServedAtOnce() async throws {
        let (scene, party) = try await scene()
        try await expectUnknown("bank", at: scene.server)
        try scene.server.setRelyingParty(ServedRelyingParty(party), named: "bank")
        #expect(scene.server.relyingPartyNames == ["bank", "shop"])
        let transaction = try await scene.start { $0.relyingParty = "bank" }
        let wallet = try await SceneWallet(scene, link: try #require(transaction.link))
        #expect(try await wallet.send(wallet.presentation()).status == .ok)
        #expect(try await scene.server.result(of: transaction.id)["pid"].count == 1)
    }

    @Test func aRemovedRelyingPartyComesBackToItsTransactions() async throws {
        let (scene, party) = try await scene()
        let transaction = try await scene.start()
        let link = try #require(transaction.link)
        #expect(scene.server.removeRelyingParty(named: "shop"))
        #expect(!scene.server.removeRelyingParty(named: "shop") && scene.server.relyingPartyNames.isEmpty)
        try await expectUnknown("shop", at: scene.server)
        try expectRefusal(.unknownRequest, try await SceneWallet.fetch(scene, link: link))
        #expect(try await scene.server.status(of: transaction.id) == .created)
        try scene.server.setRelyingParty(ServedRelyingParty(party), named: "shop")
        let wallet = try await SceneWallet(scene, link: link)
        #expect(try await wallet.send(wallet.presentation()).status == .ok)
        // The result does not need the party.
        scene.server.removeRelyingParty(named: "shop")
        #expect(try await scene.server.result(of: transaction.id).status == .verified)
    }

    @Test func theTransactionsOfARemovedRelyingPartyExpire() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        world.server.removeRelyingParty(named: "shop")
        #expect(world.server.awaited.count == 1 && world.server.openTransactions.count(of: "shop") == 1)
        world.wait(.seconds(300))
        await world.server.endExpiredTransactions()
        #expect(try await transaction.status() == "expired")
        #expect(world.server.awaited.count == 0 && world.server.openTransactions.count(of: "shop") == 0)
    }

    /// The open transactions are those of the new party, which judges their responses.
    @Test func aReplacedRelyingPartyJudgesOpenTransactions() async throws {
        let (scene, party) = try await scene()
        let transaction = try await scene.start()
        let wallet = try await SceneWallet(scene, link: try #require(transaction.link))
        var other = party
        other.verifiers = FormatVerifiers(
            sdJWT: SDJWTVerifier(
                policy: .credential(algorithms: [.es256]),
                issuerKeys: KnownIssuerKeys(scene.keys.stranger.publicKey),
                clock: { WalletScene.now }
            )
        )
        try scene.server.setRelyingParty(ServedRelyingParty(other), named: "shop")
        try expectRefusal(.rejectedResponse, try await wallet.send(wallet.presentation()))
        #expect(try await scene.server.result(of: transaction.id).status == .failed)
    }

    @Test func aRelyingPartyThatNoWalletTakesIsRefused() async throws {
        let (scene, party) = try await scene()
        let certificate = try await CertificateBuilder(
            subject: DistinguishedName(commonName: "other.example"),
            publicKey: scene.keys.reader.publicKey,
            validity: WalletScene.now - 60...WalletScene.now + 60,
            extensions: [.subjectAlternativeName([.dns("other.example")])]
        ).selfSigned(by: scene.keys.reader)
        var other = party
        other.client = try .x509SANDNS("other.example", chain: [certificate], signer: scene.keys.reader)
        other.origins = []
        let served = ServedRelyingParty(other)
        for name in ["shop", "bank"] {
            let error = #expect(throws: TransactionError.self) {
                try scene.server.setRelyingParty(served, named: name)
            }
            #expect(error?.code == .invalidConfiguration && error?.path == ["relyingParties", name])
        }
        #expect(throws: TransactionError.self) {
            try scene.server.replaceRelyingParties(["bank": ServedRelyingParty(party), "other": served])
        }
        // Nothing has changed.
        #expect(scene.server.relyingPartyNames == ["shop"])
        let transaction = try await scene.start()
        _ = try await SceneWallet(scene, link: try #require(transaction.link))
    }

    @Test func aConfigurationIsReplacedAsAWhole() async throws {
        let (scene, party) = try await scene()
        try scene.server.replaceRelyingParties(["a": ServedRelyingParty(party), "b": ServedRelyingParty(party)])
        #expect(scene.server.relyingPartyNames == ["a", "b"])
        try await expectUnknown("shop", at: scene.server)
        _ = try await scene.start { $0.relyingParty = "b" }
    }

    @Test func requestorsAreReplaced() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        func requestor(_ name: String, _ token: String, _ parties: [String]) -> TransactionRequestor {
            TransactionRequestor(name, token: SecretBytes(Array(token.utf8)), relyingParties: parties)
        }
        let unusable = [requestor("backend", "requestor-token-3", ["nobody"])]
        let error = #expect(throws: TransactionError.self) { try world.server.replaceRequestors(unusable) }
        #expect(error?.code == .invalidConfiguration)
        #expect(try await transaction.status() == "created")
        try world.server.replaceRequestors([requestor("backend", "requestor-token-3", ["bank"])])
        try expectRefusal(.unauthorized, try await world.call(.get, transaction.path))
        // The transaction is that of the name, whatever its token.
        let token = "requestor-token-3"
        #expect(try await world.call(.get, transaction.path, token: token).status == .ok)
        let response = try await world.call(.post, "/transactions", token: token, EngineWorld.wish())
        #expect(response.status == .created, "\(response.text)")
        // Its relying party may be removed after it.
        world.server.removeRelyingParty(named: "bank")
        try expectRefusal(
            .unknownRelyingParty,
            try await world.call(.post, "/transactions", token: token, EngineWorld.wish())
        )
    }

    @Test func changesAndCallsMayRunAtTheSameTime() async throws {
        let (scene, party) = try await scene()
        let (server, query) = (scene.server, try query())
        let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<60 {
                group.addTask {
                    guard number.isMultiple(of: 2) else {
                        if number.isMultiple(of: 3) {
                            server.removeRelyingParty(named: "t")
                        } else {
                            try server.setRelyingParty(ServedRelyingParty(party), named: "t")
                        }
                        return false
                    }
                    do throws(TransactionError) {
                        _ = try await server.start(TransactionRequest(of: "t", for: query))
                        return false
                    } catch {
                        guard error.code == .unknownRelyingParty else { throw error }
                        return true
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(server.openTransactions.count(of: "t") == 30 - refused)
        #expect(server.awaited.count == 30 - refused)
        #expect(server.relyingPartyNames.contains("shop"))
    }
}

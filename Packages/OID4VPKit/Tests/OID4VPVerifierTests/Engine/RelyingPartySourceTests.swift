import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import Synchronization
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Relying parties and requestors that a server looks up.
struct RelyingPartySourceTests {
    /// A table that servers share, and the look-ups in it.
    private final class Table: RelyingPartySource {
        struct Content {
            var parties: [String: ServedRelyingParty] = [:]
            var requestors: [TransactionRequestor] = []
            var fails = false
            var asked: [String] = []
        }

        struct Away: Error {}

        private let content = Mutex(Content())

        /// The look-ups that the server made.
        var asked: [String] { content.withLock { Array($0.asked.dropFirst()) } }

        func change(_ body: @Sendable (inout Content) -> Void) { content.withLock { body(&$0) } }

        private func look<Value>(for text: String, _ body: (Content) -> Value?) throws -> Value? {
            try content.withLock { content in
                content.asked.append(text)
                guard !content.fails else { throw Away() }
                return body(content)
            }
        }

        func relyingParty(named name: String) async throws -> ServedRelyingParty? {
            try look(for: name) { $0.parties[name] }
        }

        func relyingParty(withResponseKeyNamed keyID: String) async throws -> ServedRelyingParty? {
            try look(for: "key " + keyID) { content in
                content.parties.values.first { served in
                    guard case .fixed(let key) = served.party.encryption.key else { return false }
                    return key.keyID == keyID
                }
            }
        }

        func requestor(showing token: SecretBytes) async throws -> TransactionRequestor? {
            try look(for: "token") { content in
                content.requestors.first { $0.token == token }
            }
        }
    }

    /// A server without relying parties of its own over a table with one.
    private func scene(
        store: MemorySessionStore? = nil,
        _ change: (inout RelyingParty, WalletScene.Keys) async throws -> Void = { _, _ in }
    ) async throws -> (WalletScene, Table, ServedRelyingParty) {
        let table = Table()
        let scene = try await WalletScene(store: store, source: table) { party, keys in
            try await change(&party, keys)
            let served = ServedRelyingParty(party)
            table.change { $0.parties["shop"] = served }
        }
        return (scene, table, try #require(try await table.relyingParty(named: "shop")))
    }

    @Test func aPartyOfTheSourceIsServedFromStartToEnd() async throws {
        let (scene, table, _) = try await scene()
        #expect(scene.server.relyingPartyNames.isEmpty)
        let transaction = try await scene.start()
        let wallet = try await SceneWallet(scene, link: try #require(transaction.link))
        #expect(try await wallet.send(wallet.presentation()).status == .ok)
        #expect(try await scene.server.result(of: transaction.id)["pid"].count == 1)
        #expect(Set(table.asked) == ["shop"])
        let unknown = await #expect(throws: TransactionError.self) {
            try await scene.start { $0.relyingParty = "bank" }
        }
        #expect(unknown?.code == .unknownRelyingParty)
    }

    /// Two processes behind one address: the party came when both ran already.
    @Test func aPartyThatCameLaterIsServedByEveryProcess() async throws {
        let clock = ManualClock()
        let store = MemorySessionStore(clock: EngineWorld.sessionClock(clock))
        let (scene, table, served) = try await scene(store: store)
        let other = try TransactionServer(
            url: "https://verifier.example/oid4vp",
            relyingParties: [:],
            services: TransactionServices(
                store: store,
                relyingParties: table,
                clock: EngineWorld.sessionClock(scene.clock)
            )
        )
        table.change { $0.parties["bakery"] = served }
        let transaction = try await scene.start { $0.relyingParty = "bakery" }
        guard case .reference(let reference) = try AuthorizationRequest(url: #require(transaction.link)).form else {
            Issue.record("no reference")
            return
        }
        let fetched = try await InMemoryServer(try other.engine()).response(to: .get(reference.url.path))
        #expect(fetched.status == .ok, "\(fetched.text)")
        table.change { $0.parties["bakery"] = nil }
        try expectRefusal(.unknownRequest, try await SceneWallet.fetch(scene, link: #require(transaction.link)))
    }

    @Test func aPartyOfTheServerGoesFirst() async throws {
        let (scene, table, served) = try await scene()
        try scene.server.setRelyingParty(served, named: "shop")
        _ = try await scene.start()
        #expect(table.asked.isEmpty)
        scene.server.removeRelyingParty(named: "shop")
        _ = try await scene.start()
        #expect(table.asked == ["shop"])
    }

    /// Nothing is used up and nothing is logged: requestor and wallet try again.
    @Test func aSourceThatFailsChangesNothing() async throws {
        let (scene, table, _) = try await scene()
        let transaction = try await scene.start()
        let link = try #require(transaction.link)
        let wallet = try await SceneWallet(scene, link: link)
        table.change { $0.fails = true }
        let start = await #expect(throws: TransactionError.self) { try await scene.start() }
        #expect(start?.code == .unavailable && start?.cause is Table.Away)
        #expect(scene.server.openTransactions.count(of: "shop") == 1)
        let presentation = try await wallet.presentation()
        try expectRefusal(.unavailable, try await SceneWallet.fetch(scene, link: link))
        try expectRefusal(.unavailable, try await wallet.send(presentation))
        table.change { $0.fails = false }
        #expect(try await wallet.send(presentation).status == .ok)
        let names = try await scene.server.events(of: transaction.id).map(\.name.description)
        #expect(names == ["created", "request_fetched", "response_received", "verified"])
    }

    @Test func aPartyThatNoWalletTakesIsNotServed() async throws {
        let (scene, table, served) = try await scene()
        let certificate = try await CertificateBuilder(
            subject: DistinguishedName(commonName: "other.example"),
            publicKey: scene.keys.reader.publicKey,
            validity: WalletScene.now - 60...WalletScene.now + 60,
            extensions: [.subjectAlternativeName([.dns("other.example")])]
        ).selfSigned(by: scene.keys.reader)
        var other = served
        other.party.client = try .x509SANDNS("other.example", chain: [certificate], signer: scene.keys.reader)
        other.party.origins = []
        table.change { [other] in $0.parties["shop"] = other }
        let error = await #expect(throws: TransactionError.self) { try await scene.start() }
        #expect(error?.code == .internalError)
        #expect((error?.cause as? TransactionError)?.code == .invalidConfiguration)
    }

    /// A response that names nothing but the key of its party leads to its transaction.
    @Test func theKeyOfAResponseIsLookedUp() async throws {
        let key = try JWK(PrivateKey.generate(.p256), keyID: "responses")
        let (scene, table, _) = try await scene { party, keys in
            let claims = JWTClaims([
                "iss": "https://attester.example", "sub": "verifier", "exp": 1_900_000_000,
                "cnf": ["jwk": .object(try JWK(keys.reader.publicKey).members)],
            ])
            let attestation = try await JWT.sign(claims, with: keys.stranger).compactSerialization()
            party.client = try .verifierAttestation(attestation, signer: keys.reader)
            party.encryption.key = .fixed(key)
        }
        let transaction = try await scene.start()
        let wallet = try await SceneWallet(scene, link: #require(transaction.link))
        #expect(wallet.parameters["response_uri"] == "https://verifier.example/oid4vp/response")
        #expect(try await wallet.send(wallet.presentation()).status == .ok)
        #expect(try await scene.server.status(of: transaction.id) == .verified)
        #expect(table.asked.contains("key responses"))
        // The name of a key for one request is not for the table.
        let own = try JWK(PrivateKey.generate(.p256).publicKey, keyID: "AAAAAAAAAAAAAAAAAAAAAA")
        let jwe = try JWE.encrypt(Array("{}".utf8), to: .jwk(own, .ecdhES, for: .a128GCM), with: .a128GCM)
        let count = table.asked.count
        let form = FormParameters.form(["response": try jwe.compactSerialization()])
        let stray = try await scene.http.response(
            to: .post(
                "/oid4vp/response",
                headerFields: [.contentType: "application/x-www-form-urlencoded"],
                body: Array(form.utf8)
            )
        )
        try expectRefusal(.refusedResponse, stray)
        #expect(table.asked.count == count)
    }

    // MARK: Requestors

    private func call(_ scene: WalletScene, token: String) async throws -> InMemoryResponse {
        let wish = #"{"dcql_query": \#(WalletScene.query)}"#
        return try await scene.http.response(
            to: .post(
                "/transactions",
                headerFields: [.authorization: "Bearer " + token, .contentType: "application/json"],
                body: Array(wish.utf8)
            )
        )
    }

    @Test func aRequestorOfTheSourceStartsTransactions() async throws {
        let (scene, table, _) = try await scene()
        let token = "requestor-token-7"
        try expectRefusal(.unauthorized, try await call(scene, token: token))
        table.change {
            let secret = SecretBytes(Array(token.utf8))
            $0.requestors = [TransactionRequestor("backend", token: secret, relyingParties: ["shop"])]
        }
        #expect(try await call(scene, token: token).status == .created)
        try expectRefusal(.unauthorized, try await call(scene, token: "requestor-token-8"))
        let count = table.asked.count
        // Too short for any requestor.
        try expectRefusal(.unauthorized, try await call(scene, token: "short"))
        #expect(table.asked.count == count)
        table.change { $0.fails = true }
        try expectRefusal(.unavailable, try await call(scene, token: token))
    }

    /// A requestor of the server may act for a party that the source has, now or later.
    @Test func aRequestorOfTheServerActsForAPartyOfTheSource() async throws {
        let (scene, _, _) = try await scene()
        let requestor = TransactionRequestor(
            "backend",
            token: SecretBytes(Array("requestor-token-9".utf8)),
            relyingParties: ["shop"]
        )
        try scene.server.replaceRequestors([requestor])
        #expect(try await call(scene, token: "requestor-token-9").status == .created)
        let nobody = TransactionRequestor("x", token: SecretBytes(Array("requestor-token-0".utf8)), relyingParties: [])
        #expect(throws: TransactionError.self) { try scene.server.replaceRequestors([nobody]) }
    }
}

import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import JSONKit
import SDJWTKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Certificates of the relying party that have ended, and links from before it replaced one.
struct RotationTests {
    private let store = MemorySessionStore(clock: EngineWorld.sessionClock(ManualClock()))

    /// The certificate is valid for a day.
    @Test(arguments: [86_400, 86_401, 86_460]) func noTransactionStartsWithAnExpiredCertificate(
        seconds: Int
    ) async throws {
        let scene = try await WalletScene(store: store)
        let earlier = try await scene.start()
        scene.clock.advance(by: .seconds(seconds))
        guard seconds > 86_400 else {
            _ = try await scene.start()
            return
        }
        let error = await #expect(throws: TransactionError.self) { try await scene.start() }
        #expect(error?.code == .invalidCertificate)
        #expect(error?.message.contains("\(scene.keys.certificate.notValidAfter)") == true)
        // What has started before is served.
        #expect(try await scene.server.status(of: earlier.id) == .expired)
        #expect(scene.server.openTransactions.count(of: "shop") == 0)
    }

    @Test func noTransactionStartsWithACertificateOfTheFuture() async throws {
        let scene = try await WalletScene { party, keys in
            let later = try await CertificateBuilder(
                subject: DistinguishedName(commonName: "verifier.example"),
                publicKey: keys.reader.publicKey,
                validity: WalletScene.now + 60...WalletScene.now + 120
            ).selfSigned(by: keys.reader)
            party.client = try .x509Hash(chain: [later], signer: keys.reader)
        }
        let error = await #expect(throws: TransactionError.self) { try await scene.start() }
        #expect(error?.code == .invalidCertificate && error?.message.contains("not valid before") == true)
        scene.clock.advance(by: .seconds(60))
        _ = try await scene.start()
    }

    @Test func aLinkOfAnEarlierCertificateIsUnknown() async throws {
        let earlier = try await WalletScene(store: store)
        let transaction = try await earlier.start()
        let renewed = try await WalletScene(store: store)
        let response = try await SceneWallet.fetch(renewed, link: try #require(transaction.link))
        try expectRefusal(.unknownRequest, response)
        let event = try await renewed.server.events(of: transaction.id).last
        #expect(event?.name == .requestRefused && event?.detail == "clientChanged")
        #expect(try await renewed.server.status(of: transaction.id) == .created)
    }

    @Test func aLinkOfARetiredCertificateIsServed() async throws {
        let earlier = try await WalletScene(store: store)
        let transaction = try await earlier.start()
        let renewed = try await WalletScene(store: store) { party, _ in
            party.retiredClients = [
                try .x509Hash(chain: [earlier.keys.certificate], signer: earlier.keys.reader)
            ]
        }
        let response = try await SceneWallet.fetch(renewed, link: try #require(transaction.link))
        let wallet = SceneWallet(renewed, parameters: try SceneWallet.verified(response.text, earlier))
        #expect(try await wallet.send(wallet.presentation()).status == .ok)
        #expect(try await renewed.server.result(of: transaction.id).status == .verified)
        // New transactions are of the new certificate.
        _ = try await SceneWallet(renewed, link: try #require(try await renewed.start().link))
    }

    /// The expectations of a response are stored with its transaction.
    @Test func aResponseToAFetchedRequestIsVerified() async throws {
        let earlier = try await WalletScene(store: store)
        let transaction = try await earlier.start()
        let fetched = try await SceneWallet(earlier, link: try #require(transaction.link))
        let renewed = try await WalletScene(store: store)
        let wallet = SceneWallet(renewed, parameters: fetched.parameters)
        #expect(try await wallet.send(wallet.presentation()).status == .ok)
        #expect(try await renewed.server.result(of: transaction.id).status == .verified)
    }

    @Test func theEarlierPartyIsServedBesideTheNewOne() async throws {
        var parties: [ServedRelyingParty] = []
        let earlier = try await WalletScene(store: store) { party, _ in parties.append(ServedRelyingParty(party)) }
        let transaction = try await earlier.start()
        _ = try await WalletScene { party, _ in parties.append(ServedRelyingParty(party)) }
        let both = try TransactionServer(
            url: "https://verifier.example/oid4vp",
            relyingParties: ["shop": parties[0], "renewed": parties[1]],
            services: TransactionServices(store: store, clock: EngineWorld.sessionClock(ManualClock()))
        )
        let form = try AuthorizationRequest(url: try #require(transaction.link)).form
        guard case .reference(let reference) = form else { throw OID4VPError(.invalidURL, "no reference") }
        let http = InMemoryServer(try both.engine())
        let response = try await http.response(to: .get(reference.url.path))
        #expect(response.status == .ok, "\(response.text)")
        _ = try SceneWallet.verified(response.text, earlier)
    }
}

import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import SDJWTKit
import StatusListKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Reasons that a backend can act on where a transaction has no verified response.
struct FailureReasonTests {
    /// The result of a transaction whose status checker finds something.
    private func result(finding: StatusFinding) async throws -> TransactionResult {
        let scene = try await WalletScene { party, keys in
            party.verifiers.sdJWT = SDJWTVerifier(
                policy: .credential(algorithms: [.es256]),
                issuerKeys: KnownIssuerKeys(keys.issuer.publicKey),
                statusChecker: SDJWTStatusChecker { _, _ in finding },
                clock: { WalletScene.now }
            )
        }
        let transaction = try await scene.start()
        let wallet = try await SceneWallet(scene, link: try #require(transaction.link))
        let list: JSONValue = ["status_list": ["idx": 1, "uri": "https://issuer.example/list"]]
        let credential = try await scene.credential(status: list)
        #expect(try await wallet.send(wallet.presentation(of: credential)).status == .badRequest)
        return try await scene.server.result(of: transaction.id)
    }

    @Test func aRevokedCredentialIsANo() async throws {
        let result = try await result(finding: .revoked)
        #expect(result.status == .failed && result.reason == .revoked && result.walletError == nil)
        #expect(!result.isUnavailable)
    }

    @Test func anUnknownStatusMayBeKnownLater() async throws {
        let result = try await result(finding: .unknown("the list cannot be fetched"))
        #expect(result.status == .failed && result.reason == .statusUnknown && result.walletError == nil)
        #expect(result.isUnavailable)
    }

    @Test(arguments: [
        ("access_denied", false), ("vp_formats_not_supported", false), ("temporarily_unavailable", true),
        ("wallet_unavailable", true), ("server_error", true), ("expired", false),
    ])
    func theErrorOfAWalletIsNoReason(_ code: String, isUnavailable: Bool) async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin()
        let state = try await transaction.state()
        #expect(try await transaction.post(transaction.responsePath, "error=\(code)&state=\(state)").status == .ok)
        let result = try await world.server.result(of: transaction.id)
        #expect(result.status == .declined && result.reason == nil)
        #expect(result.walletError == AuthorizationErrorCode(code) && result.isUnavailable == isUnavailable)
        #expect(result.json["failure"]?["code"] == .string(code))
    }

    /// The transaction's own end has the name of a reason, too.
    @Test func anExpiredTransactionHasNoReason() async throws {
        let world = try EngineWorld()
        let transaction = try await world.begin(#""lifetime": 60"#)
        world.wait(.seconds(61))
        let result = try await world.server.result(of: transaction.id)
        #expect(result.status == .expired && result.failure?.code == "expired")
        #expect(result.reason == nil && result.walletError == nil && !result.isUnavailable)
    }
}

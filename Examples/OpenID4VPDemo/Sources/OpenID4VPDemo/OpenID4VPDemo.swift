import Credentials
import Foundation
import OID4VPVerifier
import OpenID4VPParties

/// OpenID4VP 1.0 between a shop and a wallet: a driving licence, an identity and a membership in one encrypted response.
@main
enum OpenID4VPDemo {
    static func main() async {
        do {
            let now = Date()
            let issuers = try await Issuers.make(now: now)
            let shop = try await Shop.make(issuers, now: now)
            let wallet = try await Wallet.make(issuers, trusting: shop.authority)
            try await present(shop, wallet)
            try await decline(shop, wallet)
        } catch {
            print("the demo could not go on: \(error)")
            exit(1)
        }
    }

    /// The wallet shows what was asked for, and the shop learns that and no more.
    private static func present(_ shop: Shop, _ wallet: Wallet) async throws {
        let transaction = try await shop.ask()
        step("shop", "asks with the QR code \(transaction.qrText ?? "")")
        let request = try await wallet.open(transaction.qrText ?? "", over: shop.network)
        step("wallet", "authenticated \(request.client)")
        for line in request.question { step("", line) }
        try await wallet.answer(request, over: shop.network)
        try await report(shop, transaction)
    }

    /// The user says no: the shop learns just that.
    private static func decline(_ shop: Shop, _ wallet: Wallet) async throws {
        print()
        let transaction = try await shop.ask()
        let request = try await wallet.open(transaction.qrText ?? "", over: shop.network)
        step("wallet", "the user declines")
        try await wallet.decline(request, over: shop.network)
        try await report(shop, transaction)
    }

    private static func report(_ shop: Shop, _ transaction: StartedTransaction) async throws {
        step("shop", "the transaction is \(try await shop.server.status(of: transaction.id))")
        let result = try await shop.server.result(of: transaction.id)
        if let failure = result.failure { step("", "\(failure.code): \(failure.message)") }
        for (query, credentials) in result.credentials?.objectValue ?? [:] {
            for credential in credentials.arrayValue ?? [] {
                step("verdict", "VERIFIED \(query): \(ShopParty.claims(of: credential).text())")
            }
        }
    }

    /// One step of one party.
    static func step(_ party: String, _ text: String) {
        print("  \(party.padding(toLength: 8, withPad: " ", startingAt: 0)) \(text)")
    }
}

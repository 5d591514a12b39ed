import Credentials
import Foundation
import OID4VPVerifier
import OpenID4VPParties

/// OpenID4VP: a shop asks for a driving licence, an identity and a membership.
struct OpenID4VPQuestion: Question {
    let server: TransactionServer
    private let wallet: Wallet
    private let transport: any HTTPTransport

    /// Makes the issuers, the shop and the wallet.
    ///
    /// - Parameters:
    ///   - url: The URL of the wallets' endpoints.
    ///   - transport: Reaches them for the demo's wallet.
    static func make(url: String, transport: any HTTPTransport) async throws -> OpenID4VPQuestion {
        let now = Date()
        let issuers = try await Issuers.make(now: now)
        let shop = try await ShopParty.make(issuers, now: now)
        return OpenID4VPQuestion(
            server: try TransactionServer(url: url, relyingParties: ["shop": ServedRelyingParty(shop.party)]),
            wallet: try await .make(issuers, trusting: shop.authority),
            transport: transport
        )
    }

    func ask() async throws -> AskedQuestion {
        let transaction = try await server.start(TransactionRequest(of: "shop", for: ShopParty.query()))
        let path = "/oid4vp/" + transaction.statusURL.dropFirst(server.url.count)
        return AskedQuestion(
            token: transaction.id,
            text: transaction.qrText ?? "",
            link: transaction.link ?? "",
            statusPath: path,
            eventsPath: path + "/events",
            cancelPath: "/ask/openid4vp/" + transaction.id
        )
    }

    func answer(_ scanned: String) async throws -> String? {
        let request = try await wallet.open(scanned, over: transport)
        try await wallet.answer(request, over: transport)
        return nil
    }

    func outcome(of token: String) async throws -> Outcome? {
        guard try await server.status(of: token).isFinal else { return nil }
        let result = try await server.result(of: token)
        var claims: [Outcome.Claim] = []
        for (query, credentials) in result.credentials?.objectValue ?? [:] {
            for credential in credentials.arrayValue ?? [] {
                claims += Self.claims(ShopParty.claims(of: credential), of: query, name: [])
            }
        }
        return Outcome(
            status: result.status.rawValue,
            isVerified: result.status == .verified,
            reason: result.failure.map { "\($0.message) (\($0.code))" },
            verification: result.verification,
            claims: claims
        )
    }

    func cancel(_ token: String) async throws { try await server.cancel(token) }

    /// The leaves of a credential's claims.
    private static func claims(_ value: JSONValue, of source: String, name: [String]) -> [Outcome.Claim] {
        // What was verified is no deeper than the limit of its format.
        guard let object = value.objectValue, name.count < 8 else {
            let text = value.stringValue ?? value.text()
            return [Outcome.Claim(source: source, name: name.joined(separator: " › "), value: text)]
        }
        return object.flatMap { member in claims(member.value, of: source, name: name + [member.name]) }
    }
}

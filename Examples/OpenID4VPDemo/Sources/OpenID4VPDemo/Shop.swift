import Credentials
import Foundation
import HTTPTypes
import OID4VPVerifier
import OpenID4VPParties

/// A shop's server, which asks wallets for presentations.
struct Shop {
    /// The server of transactions.
    let server: TransactionServer
    /// The authority behind the shop's certificate: what wallets trust.
    let authority: Certificate
    private let http: InMemoryServer

    /// Makes the shop's server.
    static func make(_ issuers: Issuers, now: Date) async throws -> Shop {
        let shop = try await ShopParty.make(issuers, now: now)
        let server = try TransactionServer(
            url: "https://shop.example/oid4vp",
            relyingParties: ["shop": ServedRelyingParty(shop.party)]
        )
        return Shop(
            server: server,
            authority: shop.authority,
            http: InMemoryServer(try server.engine())
        )
    }

    /// Starts a transaction for three credentials, with the claims that the shop needs.
    func ask() async throws -> StartedTransaction {
        try await server.start(TransactionRequest(of: "shop", for: ShopParty.query()))
    }

    /// The network between wallet and shop, within this process.
    var network: InMemoryHTTPTransport {
        InMemoryHTTPTransport { [http] request throws(TransportError) in
            do {
                let path = request.url.description.dropFirst("https://shop.example".count)
                let response = try await http.response(
                    to: InMemoryRequest(
                        request.method,
                        String(path),
                        headerFields: request.headerFields,
                        body: request.body
                    )
                )
                return InMemoryHTTPAnswer(
                    status: response.status.code,
                    headerFields: response.headerFields,
                    body: response.body
                )
            } catch {
                throw TransportError(.connectionFailed, "the shop does not answer", cause: error)
            }
        }
    }
}

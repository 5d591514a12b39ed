import Credentials
import Foundation
import HTTPTypes
import OID4VPVerifier

/// A shop's server, which asks wallets for presentations.
struct Shop {
    /// The server of transactions.
    let server: TransactionServer
    /// The authority behind the shop's certificate: what wallets trust.
    let authority: Certificate
    private let http: InMemoryServer

    static func make(_ issuers: Issuers, now: Date) async throws -> Shop {
        let key = try SoftwareSigner(.generate(.p256), algorithm: .ecdsaSHA256)
        let validity = now - 86_400...now + 86_400
        let authority = try await CertificateAuthority.root(
            subject: DistinguishedName(commonName: "Register of relying parties"),
            signer: SoftwareSigner(.generate(.p256), algorithm: .ecdsaSHA256),
            validity: validity
        )
        let certificate = try await CertificateBuilder(
            subject: try DistinguishedName(commonName: "The shop"),
            publicKey: key.publicKey,
            validity: validity,
            extensions: [.keyUsage(.digitalSignature), .subjectAlternativeName([.dns("shop.example")])]
        ).issued(by: authority)
        let shop = RelyingParty(
            client: try .x509Hash(chain: [certificate], signer: key),
            verifiers: FormatVerifiers(
                mdoc: MdocVerifier(trustAnchors: [TrustAnchor(issuers.iaca)]),
                sdJWT: SDJWTVerifier(
                    policy: .credential(algorithms: [.es256]),
                    issuerKeys: KnownIssuerKeys(issuers.identityIssuer)
                ),
                w3c: CredentialVerifier(trust: .issuers([ExactText(try issuers.club)]))
            )
        )
        let server = try TransactionServer(
            url: "https://shop.example/oid4vp",
            relyingParties: ["shop": ServedRelyingParty(shop)]
        )
        return Shop(
            server: server,
            authority: authority.certificate,
            http: InMemoryServer(try server.engine())
        )
    }

    /// Starts a transaction for three credentials, with the claims that the shop needs.
    func ask() async throws -> StartedTransaction {
        let query = try DCQLQuery(
            json: [
                "credentials": [
                    [
                        "id": "licence", "format": "mso_mdoc", "meta": ["doctype_value": "org.iso.18013.5.1.mDL"],
                        "claims": [["path": ["org.iso.18013.5.1", "age_over_18"]]],
                    ],
                    [
                        "id": "identity", "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:eudi:pid:1"]],
                        "claims": [["path": ["given_name"]]],
                    ],
                    [
                        "id": "membership", "format": "ldp_vc",
                        "meta": ["type_values": [["https://club.example/Member"]]],
                    ],
                ]
            ]
        )
        return try await server.start(TransactionRequest(of: "shop", for: query))
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

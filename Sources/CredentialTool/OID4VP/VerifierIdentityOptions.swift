import ArgumentParser
import CommandSupport
import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import OID4VPVerifier
import OpenIDFederation

/// A verifier's identity towards wallets: its client identifier, and the key that vouches for it.
struct VerifierIdentityOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The client: redirect_uri, x509_hash, x509_san_dns:HOST, x509_san_uri:URI, verifier_attestation, \
            openid_federation:ENTITY, the DID URL of a key, or an identifier that wallets know beforehand.
            """,
            valueName: "identifier"
        )
    )
    var client = "redirect_uri"

    @Option(name: .long, help: "The private key that signs requests: PEM or JWK.")
    var key: InputFile?

    @Option(name: .long, help: "The certificate of the key, and intermediate ones after it: PEM.")
    var certificate: InputFile?

    @Option(name: .long, help: "The verifier attestation: a compact JWT.")
    var attestation: InputFile?

    @Option(
        name: .long,
        help: "The name of the key among those that wallets know, beforehand or by a federation, for kid."
    )
    var keyID: String?

    @Option(
        name: .long,
        help:
            "The statements from the entity of a federation to its trust anchor: a JSON array. By default wallets fetch them."
    )
    var trustChain: InputFile?

    /// The identity.
    func identity() throws -> ClientIdentity {
        let (name, value) = parts
        switch name {
        case "redirect_uri":
            guard key == nil else {
                throw ToolError("requests of the client redirect_uri are not signed: leave out --key")
            }
            return .redirectURI
        case "x509_hash": return try .x509Hash(chain: try chain(), signer: try signer())
        case "x509_san_dns": return try .x509SANDNS(value, chain: try chain(), signer: try signer())
        case "x509_san_uri": return try .x509SANURI(value, chain: try chain(), signer: try signer())
        case "verifier_attestation":
            guard let attestation else { throw ToolError("the client verifier_attestation needs --attestation") }
            return try .verifierAttestation(try attestation.text(), signer: try signer())
        case "openid_federation":
            guard let keyID else { throw ToolError("the client openid_federation needs --key-id") }
            let chain = try trustChain.map { try $0.trustChain() }
            return try .federation(EntityIdentifier(value), signer: try signer(), keyID: keyID, trustChain: chain)
        case "did", "decentralized_identifier":
            let url = try DIDURL(name == "did" ? client : value)
            return try .decentralizedIdentifier(key: url, signer: try signer())
        default:
            guard certificate == nil, attestation == nil else {
                throw ToolError("wallets know the client \(client): leave out --certificate and --attestation")
            }
            return .preRegistered(client, signer: key == nil ? nil : try signer(), keyID: keyID)
        }
    }

    /// The prefix, and what follows it.
    private var parts: (name: String, value: String) {
        guard let colon = client.firstIndex(of: ":") else { return (client, "") }
        return (String(client[..<colon]), String(client[client.index(after: colon)...]))
    }

    private func signer() throws -> SoftwareSigner {
        guard let key else { throw ToolError("the client \(client) signs its requests: say --key") }
        return try key.jwk().signer()
    }

    private func chain() throws -> [Certificate] {
        guard let certificate else { throw ToolError("the client \(client) has a certificate: say --certificate") }
        return try certificate.certificates()
    }
}

extension InputFile {
    /// The statements of a trust chain.
    fileprivate func trustChain() throws -> TrustChain {
        let bytes = try read()
        return try reading("trust chain") { try TrustChain(header: try JSONValue(parsing: bytes)) }
    }
}

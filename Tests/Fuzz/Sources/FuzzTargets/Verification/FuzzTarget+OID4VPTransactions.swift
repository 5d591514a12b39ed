import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import OID4VPMessages
import OID4VPVerifier
import SDJWTKit
import TestSupport

extension FuzzTarget {
    /// The answers of wallets to a verifier's server.
    package static let oid4vpTransactions = [
        FuzzTarget(name: "oid4vp-transaction") { bytes in
            let script = FuzzScript(bytes)
            try InlineTask.run {
                var script = script
                let scene = TransactionFuzzScene.shared
                let transaction = try await scene.transaction(isEncrypted: script.byte().isMultiple(of: 2))
                let isUntouched = script.isAtEnd
                let hostile = try await transaction.answer(by: &script)
                let first = try await transaction.post(hostile)
                require(first.code < 500, "an answer makes the server fail: \(first.code)")
                let status = try await transaction.status()
                require(status == .verified || !isUntouched, "the scene's own answer is refused")
                if status == .verified {
                    require(first.code == 200, "a verified answer is answered with \(first.code)")
                    let claims = try await transaction.claims()
                    require(claims["given_name"] == "Erika", "claims that nobody signed are handed out")
                }
                let second = try await transaction.post(try await transaction.genuineAnswer())
                let final = try await transaction.status()
                if status == .created || status == .requested {
                    require(first.code != 200, "an answer that counts for nothing is accepted")
                    require(final == .verified && second.code == 200, "a stranger's message ends a transaction")
                } else {
                    require(second.code == 400 && final == status, "a transaction takes a second answer")
                }
            }
        }
    ]
}

/// A verifier that trusts one issuer, and a wallet with a credential of it.
private struct TransactionFuzzScene: Sendable {
    static let shared: TransactionFuzzScene = {
        do { return try InlineTask.run { try await TransactionFuzzScene() } } catch { fatalError("\(error)") }
    }()

    let holder: SoftwareSigner
    let credential: SDJWT
    private let party: RelyingParty
    private let query: DCQLQuery

    private init() async throws {
        let issuer = try SoftwareSigner(FuzzKeys.key(90))
        holder = try SoftwareSigner(FuzzKeys.key(91))
        var builder = SDJWTBuilder(
            credentialType: "urn:pid",
            claims: ["iss": "https://issuer.example", "given_name": "Erika", "family_name": "Mustermann"]
        )
        try builder.conceal(["given_name"])
        try builder.conceal(["family_name"])
        builder.holderKey = try JWK(holder.publicKey)
        credential = try await builder.sign(with: issuer)
        party = RelyingParty(
            client: .redirectURI,
            verifiers: FormatVerifiers(
                sdJWT: SDJWTVerifier(
                    policy: .credential(algorithms: [.es256]),
                    issuerKeys: KnownIssuerKeys(issuer.publicKey),
                    clock: { FuzzKeys.time }
                )
            )
        )
        query = try DCQLQuery(
            json: [
                "credentials": [
                    [
                        "id": "pid", "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:pid"]],
                        "claims": [["path": ["given_name"]]],
                    ]
                ]
            ]
        )
    }

    /// A transaction on a server of its own.
    func transaction(isEncrypted: Bool) async throws -> Transaction {
        let clock = SessionClock(now: { FuzzKeys.time }, timer: ManualClock())
        let server = try TransactionServer(
            url: "https://v.example/oid4vp",
            relyingParties: ["shop": ServedRelyingParty(party)],
            services: TransactionServices(clock: clock, using: FuzzKeys.randomness(92))
        )
        var wish = TransactionRequest(of: "shop", for: query)
        wish.form = .value
        wish.isEncrypted = isEncrypted
        let started = try await server.start(wish)
        let request = try AuthorizationRequest(url: started.link ?? "")
        guard case .parameters(let parameters) = request.form else { throw NoParameters() }
        return Transaction(scene: self, server: server, id: started.id, parameters: parameters)
    }

    private struct NoParameters: Error {}

    /// A transaction that waits for its answer.
    struct Transaction: Sendable {
        let scene: TransactionFuzzScene
        let server: TransactionServer
        let id: String
        let parameters: AuthorizationParameters

        /// The body of a POST that the script has made out of the right answer.
        func answer(by script: inout FuzzScript) async throws -> [UInt8] {
            switch script.isAtEnd ? 0 : script.byte() % 4 {
            case 0:
                return try await encoded(JSONValue.object(try await content()).edited(by: &script).objectValue ?? [:])
            case 1: return try await genuineAnswer().changed(by: &script)
            case 2:
                // The members of the form itself, beside an encrypted answer too.
                let form = try FormParameters(decoding: String(decoding: try await genuineAnswer(), as: UTF8.self))
                let members = JSONObject(form.items.map { (name: $0.name, value: .string($0.value)) })
                let edited = JSONValue.object(members).edited(by: &script).objectValue ?? [:]
                return Array(ResponseParameters(edited).form.text.utf8)
            default:
                let error: JSONObject = ["error": "access_denied", "state": parameters.members["state"] ?? .null]
                return try await encoded(JSONValue.object(error).edited(by: &script).objectValue ?? [:])
            }
        }

        func genuineAnswer() async throws -> [UInt8] { try await encoded(try await content()) }

        /// The parameters of the right answer.
        private func content() async throws -> JSONObject {
            let binding = KeyBinding(
                audience: try parameters.requiredText("client_id"),
                nonce: try parameters.requiredText("nonce"),
                issuedAt: FuzzKeys.time
            )
            let presentation = try scene.credential.presentation(disclosing: [["given_name"]])
            let text = try await presentation.bound(by: scene.holder, binding).compactSerialization()
            return ["vp_token": ["pid": [.string(text)]], "state": .string(try parameters.requiredText("state"))]
        }

        /// The body of a POST, encrypted where the request asks for that.
        private func encoded(_ content: JSONObject) async throws -> [UInt8] {
            guard let keys = try parameters.object("client_metadata")?["jwks"]?["keys"], let key = keys[0] else {
                return Array(ResponseParameters(content).form.text.utf8)
            }
            let recipient = try JWEEncryptionKey.jwk(JWK(json: key), .ecdhES, for: .a128GCM)
            let jwe = try JWE.encrypt(JSONValue.object(content).encoded(), to: recipient, with: .a128GCM)
            return Array("response=\(try jwe.compactSerialization())".utf8)
        }

        func post(_ body: [UInt8]) async throws -> HTTPResponse.Status {
            let http = InMemoryServer(try server.walletEngine())
            let address = try parameters.requiredText("response_uri")
            let path = "/" + address.split(separator: "/").dropFirst(3).joined(separator: "/")
            let fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            return try await http.response(to: .post(path, headerFields: fields, body: body)).status
        }

        func status() async throws -> TransactionStatus { try await server.status(of: id) }

        /// The claims of the credential that was verified.
        func claims() async throws -> JSONValue {
            try await server.result(of: id).credentials?["pid"]?[0]?["claims"] ?? .null
        }
    }
}

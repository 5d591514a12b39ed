import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import SDJWTKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// The modules of the OpenID Foundation's conformance suite for verifiers (OpenID4VP 1.0), each with a wallet of our own that
/// behaves as the suite's does.
struct VerifierConformanceTests {
    /// Presents a credential, and expects that it is verified.
    private func expectVerified(
        _ scene: WalletScene,
        _ transaction: StartedTransaction,
        _ presentation: String,
        by wallet: SceneWallet,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let response = try await wallet.send(presentation)
        #expect(response.status == .ok, "\(response.text)", sourceLocation: sourceLocation)
        let result = try await scene.server.result(of: transaction.id)
        #expect(result.status == .verified, "\(result.json)", sourceLocation: sourceLocation)
        let credential = try #require(result.credentials?["pid"]?[0], sourceLocation: sourceLocation)
        #expect(credential["claims"]?["given_name"] == "Erika", sourceLocation: sourceLocation)
        #expect(credential["claims"]?["family_name"] == nil, sourceLocation: sourceLocation)
        #expect(credential["holder_bound"] == true, sourceLocation: sourceLocation)
        #expect(result.verification?["verdict"] == "verified", sourceLocation: sourceLocation)
    }

    /// Presents a credential, and expects that the response is refused with its checks, and gives no claims.
    private func expectRefused(
        _ presentation: (WalletScene, SceneWallet) async throws -> String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let scene = try await WalletScene()
        let transaction = try await scene.start()
        let wallet = try await SceneWallet(scene, link: #require(transaction.link))
        let response = try await wallet.send(presentation(scene, wallet))
        try expectRefusal(.rejectedResponse, response, sourceLocation: sourceLocation)
        #expect(!response.text.contains("Erika"), sourceLocation: sourceLocation)
        let result = try await scene.server.result(of: transaction.id)
        #expect(result.status == .failed, sourceLocation: sourceLocation)
        #expect(result.credentials == nil, sourceLocation: sourceLocation)
        #expect(result.failure != nil, sourceLocation: sourceLocation)
        #expect(result.verification?["verdict"] == "refused", sourceLocation: sourceLocation)
    }

    @Test func happyFlow() async throws {
        let scene = try await WalletScene()
        let transaction = try await scene.start()
        let wallet = try await SceneWallet(scene, link: #require(transaction.link))
        #expect(wallet.parameters["aud"] == "https://self-issued.me/v2")
        #expect(try wallet.text("response_mode") == "direct_post.jwt")
        try await expectVerified(scene, transaction, wallet.presentation(), by: wallet)
    }

    @Test func happyFlowInTheClear() async throws {
        let scene = try await WalletScene()
        let transaction = try await scene.start { $0.isEncrypted = false }
        let wallet = try await SceneWallet(scene, link: #require(transaction.link))
        #expect(try wallet.text("response_mode") == "direct_post")
        try await expectVerified(scene, transaction, wallet.presentation(), by: wallet)
    }

    @Test func requestURIMethodPost() async throws {
        let scene = try await WalletScene()
        let transaction = try await scene.start()
        let metadata = FormParameters.text(
            "wallet_nonce",
            "n-0S6_WzA2Mj",
            "wallet_metadata",
            #"{"vp_formats_supported": {"dc+sd-jwt": {}}, "client_id_prefixes_supported": ["x509_hash"]}"#
        )
        let wallet = try await SceneWallet(scene, link: #require(transaction.link), post: metadata)
        #expect(wallet.parameters["wallet_nonce"] == "n-0S6_WzA2Mj")
        try await expectVerified(scene, transaction, wallet.presentation(), by: wallet)
    }

    @Test func requestURIMethodPostWithoutACommonFormat() async throws {
        let scene = try await WalletScene()
        let transaction = try await scene.start()
        let metadata = FormParameters.text("wallet_metadata", #"{"vp_formats_supported": {"mso_mdoc": {}}}"#)
        let response = try await SceneWallet.fetch(scene, link: #require(transaction.link), post: metadata)
        try expectRefusal(.invalidRequest, response)
        #expect(try await scene.server.status(of: transaction.id) == .created)
    }

    @Test func requestURIFetchedTwice() async throws {
        let scene = try await WalletScene()
        let transaction = try await scene.start()
        let first = try await SceneWallet(scene, link: #require(transaction.link))
        scene.clock.advance(by: .seconds(5))
        let second = try await SceneWallet(scene, link: #require(transaction.link))
        for name in ["nonce", "state", "response_uri", "client_id", "dcql_query", "client_metadata"] {
            #expect(first.parameters[name] == second.parameters[name])
        }
        #expect(first.parameters["iat"] != second.parameters["iat"])
        try await expectVerified(scene, transaction, second.presentation(), by: second)
    }

    @Test func requestURIFetchedTooLate() async throws {
        let scene = try await WalletScene()
        scene.clock.advance(by: .milliseconds(500))
        let transaction = try await scene.start()
        scene.clock.advance(by: .milliseconds(299_900))
        let response = try await SceneWallet.fetch(scene, link: #require(transaction.link))
        try expectRefusal(.unknownRequest, response)
    }

    @Test func minimalConfirmationKey() async throws {
        let scene = try await WalletScene()
        let transaction = try await scene.start()
        let wallet = try await SceneWallet(scene, link: #require(transaction.link))
        let key = try JWK(scene.keys.holder.publicKey)
        #expect(Set(key.members.names) == ["kty", "crv", "x", "y"])
        let credential = try await scene.credential(holderKey: key)
        try await expectVerified(scene, transaction, wallet.presentation(of: credential), by: wallet)
    }

    @Test func invalidCredentialSignature() async throws {
        try await expectRefused { scene, wallet in
            try await wallet.presentation(of: scene.credential(signer: scene.keys.stranger))
        }
    }

    @Test func invalidKeyBindingSignature() async throws {
        try await expectRefused { scene, wallet in
            // Everything is right but the key.
            let own = try await scene.credential().presentation(disclosing: [["given_name"]])
            let text = try own.compactSerialization()
            let claims: JSONObject = [
                "iat": .integer(Int(WalletScene.now.timeIntervalSince1970)),
                "aud": .string(try wallet.text("client_id")),
                "nonce": .string(try wallet.text("nonce")),
                "sd_hash": .string(Base64URL.encode(HashAlgorithm.sha256.digest(of: Array(text.utf8)))),
            ]
            let proof = try await JWS.sign(
                JSONValue.object(claims).encoded(),
                header: ["typ": "kb+jwt"],
                with: scene.keys.stranger
            )
            return try text + proof.compactSerialization()
        }
    }

    @Test func invalidKeyBindingNonce() async throws {
        try await expectRefused { _, wallet in try await wallet.presentation { $0.nonce = "other" } }
    }

    @Test func invalidKeyBindingAudience() async throws {
        try await expectRefused { _, wallet in
            try await wallet.presentation { $0.audience = "x509_san_dns:verifier.example" }
        }
    }

    @Test func invalidSDHash() async throws {
        try await expectRefused { scene, wallet in
            // The proof of one selection behind another one.
            let credential = try await scene.credential()
            let binding = try wallet.keyBinding()
            let whole = try await credential.bound(by: scene.keys.holder, binding).compactSerialization()
            let part = try await wallet.presentation(of: credential)
            let proof = try #require(whole.split(separator: "~").last)
            return part.split(separator: "~").dropLast().joined(separator: "~") + "~" + proof
        }
    }

    @Test func keyBindingIssuedInThePast() async throws {
        try await expectRefused { _, wallet in
            try await wallet.presentation { $0.issuedAt = WalletScene.now - 86_400 }
        }
    }

    @Test func keyBindingIssuedInTheFuture() async throws {
        try await expectRefused { _, wallet in
            try await wallet.presentation { $0.issuedAt = WalletScene.now + 86_400 }
        }
    }

    @Test func revokedCredential() async throws {
        try await expectRefused { scene, wallet in
            let status: JSONValue = ["status_list": ["idx": 1, "uri": "https://issuer.example/list"]]
            return try await wallet.presentation(of: scene.credential(status: status))
        }
    }

    @Test(arguments: [nil, ["status_list": ["idx": 0, "uri": "https://issuer.example/list"]] as JSONValue])
    func credentialWithoutStatusAndOneInForce(status: JSONValue?) async throws {
        let scene = try await WalletScene()
        let transaction = try await scene.start()
        let wallet = try await SceneWallet(scene, link: #require(transaction.link))
        let credential = try await scene.credential(status: status)
        try await expectVerified(scene, transaction, wallet.presentation(of: credential), by: wallet)
    }

    @Test func withheldClaim() async throws {
        try await expectRefused { scene, wallet in
            try await scene.credential().presentation(disclosing: [["family_name"]])
                .bound(by: scene.keys.holder, wallet.keyBinding()).compactSerialization()
        }
    }

    // MARK: Other ways to the wallet

    @Test func signedRequestByValue() async throws {
        let scene = try await WalletScene()
        let transaction = try await scene.start { $0.form = .value }
        guard case .object(let object) = try AuthorizationRequest(url: #require(transaction.link)).form else {
            Issue.record("no request object")
            return
        }
        let wallet = SceneWallet(scene, parameters: try SceneWallet.verified(object, scene))
        try await expectVerified(scene, transaction, wallet.presentation(), by: wallet)
    }

    @Test func unsignedRequestByValue() async throws {
        let scene = try await WalletScene { party, _ in party.client = .redirectURI }
        let transaction = try await scene.start { $0.form = .value }
        guard case .parameters(let parameters) = try AuthorizationRequest(url: #require(transaction.link)).form else {
            Issue.record("no parameters")
            return
        }
        var members = JSONObject()
        for (name, value) in parameters.members {
            members[name] = try name == "client_metadata" ? JSONValue(parsing: value.stringValue ?? "") : value
        }
        let wallet = SceneWallet(scene, parameters: members)
        #expect(try wallet.text("client_id") == "redirect_uri:" + wallet.text("response_uri"))
        try await expectVerified(scene, transaction, wallet.presentation(), by: wallet)
    }

    @Test func unsignedRequestsHaveNoReference() async throws {
        let scene = try await WalletScene { party, _ in party.client = .redirectURI }
        let error = await #expect(throws: TransactionError.self) { try await scene.start() }
        #expect(error?.code == .invalidRequest)
        #expect(scene.server.openTransactions.count(of: "shop") == 0)
    }

    @Test func registeredClientWithAFixedKey() async throws {
        let key = try JWK(PrivateKey.generate(.p256), keyID: "fixed", use: .encryption, algorithm: "ECDH-ES")
        let scene = try await WalletScene { party, keys in
            party.client = .preRegistered("shop", signer: keys.reader, keyID: "reader")
            party.encryption.key = .fixed(key)
        }
        let transactions = [try await scene.start(), try await scene.start()]
        for transaction in transactions.reversed() {
            var parameters = try await SceneWallet(scene, link: #require(transaction.link)).parameters
            #expect(parameters["response_uri"] == "https://verifier.example/oid4vp/response")
            #expect(parameters["client_metadata"] == nil)
            let registered = try #require(key.publicJWK)
            parameters["client_metadata"] = ["jwks": ["keys": [.object(registered.members)]]]
            let wallet = SceneWallet(scene, parameters: parameters)
            try await expectVerified(scene, transaction, wallet.presentation(), by: wallet)
        }
    }

    @Test(arguments: [true, false])
    func digitalCredentialsAPI(isEncrypted: Bool) async throws {
        let scene = try await WalletScene()
        let transaction = try await scene.start {
            $0.form = .digitalCredentials
            $0.isEncrypted = isEncrypted
        }
        let request = try #require(transaction.digitalCredentialRequest)
        #expect(request["protocol"] == "openid4vp-v1-signed")
        let object = try #require(request["data"]?["request"]?.stringValue)
        let wallet = SceneWallet(scene, parameters: try SceneWallet.verified(object, scene))
        #expect(wallet.parameters["expected_origins"] == ["https://shop.example"])
        let presentation = try await wallet.presentation { $0.audience = "origin:https://shop.example" }
        let content: JSONObject = ["vp_token": ["pid": [.string(presentation)]]]
        let data: JSONObject = isEncrypted ? ["response": .string(try wallet.encrypted(content))] : content
        let foreign = await #expect(throws: TransactionError.self) {
            try await scene.server.answer(transaction.id, digitalCredential: data, from: "https://evil.example")
        }
        #expect(foreign?.code == .invalidRequest)
        let status = try await scene.server.answer(
            transaction.id,
            digitalCredential: data,
            from: "https://shop.example"
        )
        #expect(status == .verified)
        #expect(try await scene.server.result(of: transaction.id).credentials?["pid"] != nil)
    }

    @Test func transactionDataAreAuthorized() async throws {
        let scene = try await WalletScene()
        let payment: JSONObject = ["type": "payment", "credential_ids": ["pid"], "amount": "9.99"]
        for isAuthorized in [true, false] {
            let transaction = try await scene.start { $0.transactionData = [payment] }
            let wallet = try await SceneWallet(scene, link: #require(transaction.link))
            let text = try #require(wallet.parameters["transaction_data"]?[0]?.stringValue)
            let digest = Base64URL.encode(HashAlgorithm.sha256.digest(of: Array(text.utf8)))
            let response = try await wallet.send(
                wallet.presentation {
                    if isAuthorized { $0.additionalClaims["transaction_data_hashes"] = [.string(digest)] }
                }
            )
            #expect(response.status == (isAuthorized ? .ok : .badRequest))
            let result = try await scene.server.result(of: transaction.id)
            #expect(result.status == (isAuthorized ? .verified : .failed))
            if isAuthorized {
                #expect(result.credentials?["pid"]?[0]?["authorized_transactions"] == [.string(text)])
            }
        }
    }

    @Test(arguments: [OpenID4VPVersion.draft21, .draft23])
    func presentationExchangeForOlderWallets(version: OpenID4VPVersion) async throws {
        let scene = try await WalletScene { party, keys in
            if version == .draft21 { party.client = .preRegistered("shop", signer: keys.reader) }
        }
        let definition = try PresentationDefinition(
            json: JSONValue(
                parsing: """
                    {"id": "d", "input_descriptors": [{"id": "pid", "format": {"vc+sd-jwt": {}},
                      "constraints": {"limit_disclosure": "required", "fields": [{"path": ["$.given_name"]}]}}]}
                    """
            )
        )
        var wish = TransactionRequest(of: "shop", for: definition)
        wish.version = version
        wish.isEncrypted = false
        let transaction = try await scene.server.start(wish)
        let wallet = try await SceneWallet(scene, link: #require(transaction.link))
        #expect(wallet.parameters["presentation_definition"]?["id"] == "d")
        #expect((wallet.parameters["client_id_scheme"] == "pre-registered") == (version == .draft21))
        var content: JSONObject = ["vp_token": .string(try await wallet.presentation())]
        content["state"] = wallet.parameters["state"]
        content["presentation_submission"] = [
            "id": "s", "definition_id": "d", "descriptor_map": [["id": "pid", "format": "vc+sd-jwt", "path": "$"]],
        ]
        let response = try await wallet.post(content)
        #expect(response.status == .ok, "\(response.text)")
        let result = try await scene.server.result(of: transaction.id)
        #expect(result.status == .verified, "\(result.json)")
        #expect(result.credentials?["pid"]?[0]?["claims"]?["given_name"] == "Erika")
    }

    @Test func registrationsOfTheIntendedUseAreSentAlong() async throws {
        let scene = try await WalletScene { party, _ in
            party.registrations["age"] = [RegistrationCertificate(format: "registration_cert", data: "eyJ")]
        }
        let transaction = try await scene.start { $0.intendedUse = "age" }
        let wallet = try await SceneWallet(scene, link: #require(transaction.link))
        #expect(wallet.parameters["verifier_info"]?[0]?["format"] == "registration_cert")
        let error = await #expect(throws: TransactionError.self) { try await scene.start { $0.intendedUse = "else" } }
        #expect(error?.code == .invalidRequest)
    }
}

extension FormParameters {
    /// The text of a form of names and values.
    fileprivate static func text(_ parts: String...) -> String {
        var form = FormParameters()
        for place in stride(from: 0, to: parts.count - 1, by: 2) { form.append(parts[place], parts[place + 1]) }
        return form.text
    }
}

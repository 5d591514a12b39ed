import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import TestSupport
import Testing

struct ResponseProtectionTests {
    private let scene: RequestScene

    init() throws { scene = try RequestScene() }

    private func text(_ response: AuthorizationResponse) throws -> String {
        #expect(response.parameters.names == ["response"])
        return try #require(response.parameters["response"]?.stringValue)
    }

    private static let payload: JSONValue = ["vp_token": ["pid": ["a~b~c"]], "state": "s1"]

    @Test(arguments: [EllipticCurve.p256, .p384, .p521, .x25519])
    func encryptsToEveryCurve(_ curve: EllipticCurve) async throws {
        let key = try PrivateKey.generate(curve)
        let request = try await scene.request([
            "response_mode": "direct_post.jwt", "client_metadata": .object(try RequestScene.metadata(key)),
        ])
        let response = try await AuthorizationResponder(request)
            .response(with: RequestScene.token, to: request.presentationRequest(), at: scene.now)
        guard case .post(_, let form) = response.delivery else {
            Issue.record("\(response.delivery)")
            return
        }
        #expect(form.items.map(\.name) == ["response"])
        let (content, header) = try await decrypted(try text(response), with: key)
        #expect(try JSONValue(parsing: content) == Self.payload)
        #expect(header["kid"] == "e1" && header["enc"] == "A256GCM" && header["alg"] == "ECDH-ES")
        #expect(header["apu"] == nil && header["apv"] == nil)
    }

    @Test(arguments: ["RSA-OAEP", "RSA-OAEP-256"])
    func encryptsToRSA(_ algorithm: String) async throws {
        let key = try PrivateKey.generateRSA(bits: 2048)
        let request = try await scene.request([
            "response_mode": "direct_post.jwt",
            "client_metadata": .object(try RequestScene.metadata(key, algorithm)),
        ])
        let response = try await AuthorizationResponder(request)
            .response(with: RequestScene.token, to: request.presentationRequest(), at: scene.now)
        let (content, header) = try await decrypted(try text(response), with: key)
        #expect(try JSONValue(parsing: content) == Self.payload)
        #expect(header["alg"] == .string(algorithm))
    }

    @Test(arguments: ["fragment.jwt", "query.jwt", "jwt", "form_post.jwt"])
    func sendsEncryptedResponsesEveryWay(_ mode: String) async throws {
        let key = try PrivateKey.generate(.p256)
        let request = try await scene.request(
            [
                "response_mode": .string(mode), "redirect_uri": "https://v.example/cb",
                "client_metadata": .object(try RequestScene.metadata(key)),
            ],
            without: ["response_uri"]
        )
        let response = try await AuthorizationResponder(request)
            .response(with: RequestScene.token, to: request.presentationRequest(), at: scene.now)
        let token = try text(response)
        switch (mode, response.delivery) {
        case ("query.jwt", .open(let url)): #expect(url == "https://v.example/cb?response=" + token)
        case ("fragment.jwt", .open(let url)), ("jwt", .open(let url)):
            #expect(url == "https://v.example/cb#response=" + token)
        case ("form_post.jwt", .page(let page)): #expect(page.form["response"] == token)
        default: Issue.record("\(mode): \(response.delivery)")
        }
    }

    @Test(arguments: ["iar-post.jwt", "iae_post.jwt", "ia_post.jwt"])
    func encryptsWhatTheAppSendsDuringIssuance(_ mode: String) async throws {
        let key = try PrivateKey.generate(.p256)
        let request = try await scene.request(
            ["response_mode": .string(mode), "client_metadata": .object(try RequestScene.metadata(key))],
            without: ["response_uri"],
            endpoint: InteractiveEndpoint(url: "https://as.example/ia")
        )
        let response = try await AuthorizationResponder(request)
            .response(with: RequestScene.token, to: request.presentationRequest(), at: scene.now)
        guard case .app(let members) = response.delivery else {
            Issue.record("\(response.delivery)")
            return
        }
        #expect(members.names == ["response"])
        let (content, _) = try await decrypted(try text(response), with: key)
        #expect(try JSONValue(parsing: content) == Self.payload)
    }

    @Test func joinsTheAlgorithmsOfTwo() {
        let first = EncryptionSupport(
            algorithms: [.ecdhES, .rsaOAEP],
            encryptions: [.a128GCM],
            curves: ["P-256", "X25519"]
        )
        let second = EncryptionSupport(algorithms: [.ecdhES], encryptions: [.a128GCM, .a256GCM], curves: ["P-256"])
        let joined = EncryptionSupport(algorithms: [.ecdhES], encryptions: [.a128GCM], curves: ["P-256"])
        #expect(first.intersection(second) == joined && second.intersection(first) == joined)
        #expect(first.intersection(.default).curves == ["P-256", "X25519"])
        #expect(EncryptionSupport.default.intersection(.default) == .default)
    }

    // MARK: Drafts

    private func draftMetadata(_ key: PrivateKey, _ more: JSONObject = [:]) throws -> JSONObject {
        var metadata = try RequestScene.metadata(key)
        metadata["encrypted_response_enc_values_supported"] = nil
        metadata["authorization_encrypted_response_alg"] = "ECDH-ES"
        metadata["authorization_encrypted_response_enc"] = "A256GCM"
        for (name, value) in more { metadata[name] = value }
        return metadata
    }

    @Test func carriesBothPartiesValuesInDrafts() async throws {
        let key = try PrivateKey.generate(.p256)
        let request = try await scene.draftRequest([
            "response_mode": "direct_post.jwt", "client_metadata": .object(try draftMetadata(key)),
        ])
        let content = try request.presentationRequest()
        for responder in [
            AuthorizationResponder(request, mdocGeneratedNonce: "W"), AuthorizationResponder(request),
            AuthorizationResponder(request),
        ] {
            let response = try await responder.response(with: RequestScene.submitted, to: content, at: scene.now)
            let (_, header) = try await decrypted(try text(response), with: key)
            #expect(header["apu"] == .string(Base64URL.encode(Array(responder.mdocGeneratedNonce.utf8))))
            #expect(header["apv"] == .string(Base64URL.encode(Array(RequestScene.nonce.utf8))))
        }
        let fresh = (0..<2).map { _ in AuthorizationResponder(request).mdocGeneratedNonce }
        #expect(try Set(fresh).count == 2 && fresh.allSatisfy { try Base64URL.decode($0).count == 16 })
    }

    private func signing(_ key: PrivateKey) throws -> ResponseSigning {
        ResponseSigning(
            issuer: "https://wallet.example",
            signer: try SoftwareSigner(key, algorithm: .ecdsaSHA256),
            keyID: "w1"
        )
    }

    private func signedResponse(_ metadata: JSONObject, _ walletKey: PrivateKey) async throws -> AuthorizationResponse {
        let request = try await scene.draftRequest([
            "response_mode": "direct_post.jwt", "client_metadata": .object(metadata),
        ])
        let content = try request.presentationRequest(support: PresentationRequest.Support(signing: [.es256]))
        #expect(content.responseSigning == .es256)
        return try await AuthorizationResponder(request, signing: try signing(walletKey))
            .response(with: RequestScene.submitted, to: content, at: scene.now)
    }

    private func checkSigned(_ token: String, _ walletKey: PrivateKey) throws {
        let verified = try JWT(compact: token).jws.verify(with: walletKey.publicKey, policy: [.es256])
        let claims = try JSONValue(parsing: verified.payload)
        #expect(claims["iss"] == "https://wallet.example" && claims["aud"] == "shop")
        #expect(claims["exp"] == .integer(1_800_000_300) && claims["state"] == "s1")
        #expect(claims["vp_token"] == "a~b~" && claims["presentation_submission"]?["id"] == "s")
        #expect(verified.header["kid"] == "w1")
    }

    @Test func signsResponsesOfDrafts() async throws {
        let walletKey = try PrivateKey.generate(.p256)
        let response = try await signedResponse(["authorization_signed_response_alg": "ES256"], walletKey)
        try checkSigned(try text(response), walletKey)
    }

    @Test func signsAndThenEncryptsResponsesOfDrafts() async throws {
        let (walletKey, key) = (try PrivateKey.generate(.p256), try PrivateKey.generate(.p256))
        let metadata = try draftMetadata(key, ["authorization_signed_response_alg": "ES256"])
        let response = try await signedResponse(metadata, walletKey)
        let (content, header) = try await decrypted(try text(response), with: key)
        #expect(header["cty"] == "JWT")
        try checkSigned(String(decoding: content, as: UTF8.self), walletKey)
    }

    @Test func refusesSignaturesThatTheWalletDoesNotMake() async throws {
        let metadata: JSONObject = ["authorization_signed_response_alg": "ES256"]
        let request = try await scene.draftRequest([
            "response_mode": "direct_post.jwt", "client_metadata": .object(metadata),
        ])
        let error = #expect(throws: OID4VPError.self) { try request.presentationRequest() }
        #expect(error?.code == .signingImpossible)
        let content = try request.presentationRequest(support: PresentationRequest.Support(signing: [.es256]))
        let other = await #expect(throws: OID4VPError.self) {
            try await AuthorizationResponder(request).response(
                with: RequestScene.submitted,
                to: content,
                at: scene.now
            )
        }
        #expect(other?.code == .signingImpossible)
    }

    @Test func encryptsErrorsThatItCannotSign() async throws {
        let key = try PrivateKey.generate(.p256)
        let metadata = try draftMetadata(key, ["authorization_signed_response_alg": "ES256"])
        let request = try await scene.draftRequest([
            "response_mode": "direct_post.jwt", "client_metadata": .object(metadata),
        ])
        let response = try await AuthorizationResponder(request).errorResponse(.accessDenied, at: scene.now)
        let (content, _) = try await decrypted(try text(response), with: key)
        #expect(try JSONValue(parsing: content)["error"] == "access_denied")
        let alone = try await scene.draftRequest([
            "response_mode": "direct_post.jwt",
            "client_metadata": ["authorization_signed_response_alg": "ES256"],
        ])
        let clear = try await AuthorizationResponder(alone).errorResponse(.accessDenied, at: scene.now)
        #expect(clear.parameters["error"] == "access_denied")
        let walletKey = try PrivateKey.generate(.p256)
        let signed = try await AuthorizationResponder(alone, signing: try signing(walletKey))
            .errorResponse(.accessDenied, at: scene.now)
        let verified = try JWT(compact: try text(signed)).jws.verify(with: walletKey.publicKey, policy: [.es256])
        #expect(try JSONValue(parsing: verified.payload)["error"] == "access_denied")
    }

    // MARK: Keys

    @Test func passesOverUnusableKeysInOrder() async throws {
        let (key, last) = (try PrivateKey.generate(.p256), try PrivateKey.generate(.p256))
        var metadata = try RequestScene.metadata(key)
        let good = try #require(metadata["jwks"]?["keys"]?[0]?.objectValue)
        func altered(_ changes: JSONObject) -> JSONValue {
            var members = good
            for (name, value) in changes { members[name] = value }
            return .object(members)
        }
        var second = try JWK(last.publicKey, keyID: "e2").members
        second["alg"] = "ECDH-ES"
        metadata["jwks"] = [
            "keys": [
                altered(["use": "sig", "kid": "k1"]), altered(["alg": "ES256", "kid": "k2"]),
                altered(["crv": "P-999", "kid": "k3"]), altered(["x": .string(Base64URL.encode([1])), "kid": "k4"]),
                ["kty": "oct", "kid": "k5", "alg": "dir"], altered(["alg": "RSA1_5", "kid": "k6"]),
                .object(good), .object(second),
            ]
        ]
        let parameters: JSONObject = ["response_mode": "direct_post.jwt"]
        let changes = parameters.merging(["client_metadata": .object(metadata)])
        let request = try await scene.request(changes)
        #expect(try request.presentationRequest().encryption?.key.keyID == "e1")
        metadata["jwks"] = ["keys": [altered(["use": "sig", "kid": "k1"])]]
        let unusable = try await scene.request(parameters.merging(["client_metadata": .object(metadata)]))
        let error = #expect(throws: OID4VPError.self) { try unusable.presentationRequest() }
        #expect(error?.code == .encryptionImpossible && error?.authorizationCode == .invalidRequest)
        metadata["jwks"] = ["keys": [altered(["d": .string(Base64URL.encode([UInt8](repeating: 1, count: 32)))])]]
        let secret = try await scene.request(parameters.merging(["client_metadata": .object(metadata)]))
        let refused = #expect(throws: OID4VPError.self) { try secret.presentationRequest() }
        #expect(refused?.code == .invalidMetadata)
    }
}

extension JSONObject {
    /// The members with others in their place or beside them.
    func merging(_ others: JSONObject) -> JSONObject {
        var merged = self
        for (name, value) in others { merged[name] = value }
        return merged
    }
}

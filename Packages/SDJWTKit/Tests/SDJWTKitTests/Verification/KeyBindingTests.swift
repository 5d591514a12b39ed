import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

@Suite struct KeyBindingTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    /// A presentation whose Key Binding JWT is put together by hand.
    private func presentation(
        header: JOSEHeader = ["typ": "kb+jwt"],
        signer: (any Signer)? = nil,
        change: (inout JSONObject) -> Void = { _ in }
    ) async throws -> SDJWT {
        let credential = try await scene.credential().presentation(disclosing: [["given_name"]])
        let text = try credential.compactSerialization()
        var claims: JSONObject = [
            "iat": 1_800_000_000,
            "aud": .string(Scene.audience),
            "nonce": .string(Scene.nonce),
            "sd_hash": .string(Base64URL.encode(HashAlgorithm.sha256.digest(of: Array(text.utf8)))),
        ]
        change(&claims)
        let payload = JSONValue.object(claims).encoded()
        let jwt = try await JWS.sign(payload, header: header, with: signer ?? scene.holder).compactSerialization()
        return try SDJWT(compact: text + jwt)
    }

    @Test func demands() async throws {
        let (with, without) = (try await presentation(), try await scene.credential())
        #expect(scene.verify(with, .keyBinding(scene.expectation)).verified?.keyBinding != nil)
        #expect(scene.verify(with, .keyBindingIfPresent(scene.expectation)).verified?.keyBinding != nil)
        scene.verify(with, .noKeyBinding).expectRefusal(.keyBinding, .unexpectedKeyBinding)
        scene.verify(without, .keyBinding(scene.expectation)).expectRefusal(.keyBinding, .invalidHolderBinding)
        let optional = try scene.verify(without, .keyBindingIfPresent(scene.expectation)).get()
        #expect(optional.keyBinding == nil)
        #expect(scene.verify(without, .noKeyBinding).verified != nil)
        let wrong = KeyBindingExpectation(audience: Scene.audience, nonce: "other")
        scene.verify(with, .keyBindingIfPresent(wrong)).expectRefusal(.nonce, .claimMismatch)
    }

    @Test func signatureAndHeader() async throws {
        let stranger = try await presentation(signer: scene.stranger)
        scene.verify(stranger).expectRefusal(.holderBinding, .invalidHolderBinding)
        let issuer = try await presentation(signer: scene.issuer)
        scene.verify(issuer).expectRefusal(.holderBinding, .invalidHolderBinding)
        for header: JOSEHeader in [[:], ["typ": "JWT"], ["typ": "KB+JWT"], ["typ": 1], ["typ": "application/kb+jwt"]] {
            scene.verify(try await presentation(header: header)).expectRefusal(.keyBindingType, .unexpectedType)
        }
        var policy = SDJWTVerificationPolicy.credential(algorithms: [.es256])
        policy.holderAlgorithms = [.es384]
        scene.verify(try await presentation(), policy: policy)
            .expectRefusal(.keyBindingAlgorithm, .algorithmNotAllowed)
        let other = try await presentation(signer: try Scene.signer(6, .p384))
        policy.holderAlgorithms = [.es256, .es384]
        scene.verify(other, policy: policy).expectRefusal(.holderBinding, .invalidHolderBinding)
        let critical = try await presentation(header: ["typ": "kb+jwt", "crit": ["x"], "x": 1])
        scene.verify(critical).expectRefusal(.holderBinding, .invalidHolderBinding)
    }

    @Test func noSignatureAtAll() async throws {
        let text = try await presentation().compactSerialization()
        let parts = text.split(separator: "~")
        let claims = try #require(parts.last?.split(separator: ".").dropFirst().first)
        let header = Base64URL.encode(Array(#"{"alg":"none","typ":"kb+jwt"}"#.utf8))
        let unsigned = try SDJWT(compact: parts.dropLast().joined(separator: "~") + "~\(header).\(claims).")
        scene.verify(unsigned).expectRefusal(.keyBindingAlgorithm, .algorithmNotAllowed)
    }

    @Test func audience() async throws {
        for audience: JSONValue in ["verifier.example", ["x509_san_dns:verifier.example"], "", 1] {
            let verification = scene.verify(try await presentation { $0["aud"] = audience })
            verification.expectRefusal(
                .keyBindingAudience,
                audience.kind == .string ? .claimMismatch : .invalidClaim
            )
        }
        scene.verify(try await presentation { $0["aud"] = nil }).expectRefusal(.keyBindingAudience, .missingClaim)
    }

    @Test func nonce() async throws {
        let other = scene.verify(try await presentation { $0["nonce"] = "other" })
        other.expectRefusal(.nonce, .claimMismatch)
        #expect(other.refusal?.message == "the claim is \"other\", and \"\(Scene.nonce)\" is expected")
        let long = scene.verify(try await presentation { $0["nonce"] = .string(String(repeating: "x", count: 9999)) })
        #expect((other.refusal?.message.count ?? 0) < 300 && (long.refusal?.message.count ?? 0) < 300)
        scene.verify(try await presentation { $0["nonce"] = 1 }).expectRefusal(.nonce, .invalidClaim)
        scene.verify(try await presentation { $0["nonce"] = nil }).expectRefusal(.nonce, .missingClaim)
    }

    @Test func time() async throws {
        func verification(_ issuedAt: JSONValue?) async throws -> Verification<VerifiedSDJWT> {
            scene.verify(try await presentation { $0["iat"] = issuedAt })
        }
        #expect(try await verification(1_799_999_640).verified != nil)
        try await verification(1_799_999_639).expectRefusal(.keyBindingTime, .tooOld)
        #expect(try await verification(1_800_000_060).verified != nil)
        try await verification(1_800_000_061).expectRefusal(.keyBindingTime, .issuedInFuture)
        try await verification(nil).expectRefusal(.keyBindingTime, .missingClaim)
        try await verification("now").expectRefusal(.keyBindingTime, .invalidClaim)
        let expired = try await presentation { $0["exp"] = 1_799_999_000 }
        scene.verify(expired).expectRefusal(.keyBindingTime, .expired)
        let early = try await presentation { $0["nbf"] = 1_800_001_000 }
        scene.verify(early).expectRefusal(.keyBindingTime, .notYetValid)
        let patient = KeyBindingExpectation(audience: Scene.audience, nonce: Scene.nonce, maximumAge: 86_400)
        let old = try await presentation { $0["iat"] = 1_799_950_000 }
        #expect(scene.verify(old, .keyBinding(patient)).verified != nil)
    }

    @Test func hash() async throws {
        scene.verify(try await presentation { $0["sd_hash"] = "x" }).expectRefusal(
            .presentationHash,
            .invalidHolderBinding
        )
        scene.verify(try await presentation { $0["sd_hash"] = 1 }).expectRefusal(
            .presentationHash,
            .invalidHolderBinding
        )
        scene.verify(try await presentation { $0["sd_hash"] = nil }).expectRefusal(.presentationHash, .missingClaim)
    }

    @Test func disclosuresCannotBeAddedRemovedOrReordered() async throws {
        let bound = try await scene.presentation(of: [["given_name"], ["family_name"]])
        let text = try bound.compactSerialization()
        let parts = text.split(separator: "~").map(String.init)
        let spare = try await scene.credential().presentation(disclosing: [["age_over_18"]]).disclosures[0].encoded
        for changed in [
            [parts[0], parts[1], parts[3]], [parts[0], parts[2], parts[1], parts[3]],
            [parts[0], parts[1], parts[2], spare, parts[3]],
        ] {
            let sdJWT = try SDJWT(compact: changed.joined(separator: "~"))
            scene.verify(sdJWT).expectRefusal(.presentationHash, .invalidHolderBinding)
        }
    }

    @Test func holderKeys() async throws {
        func verification(_ confirmation: JSONValue?) async throws -> Verification<VerifiedSDJWT> {
            var payload: JSONObject = ["vct": "t"]
            payload["cnf"] = confirmation
            let text = try await assemble(.object(payload), signer: scene.issuer)
            let bound = try SDJWT(compact: text)
            let unsigned = try? bound.prepareKeyBinding(scene.keyBinding, algorithm: .es256)
            let input = try #require(unsigned?.bytesToSign)
            let signature = Base64URL.encode(try scene.holder.signature(for: input))
            return scene.verify(try SDJWT(compact: "\(text)\(String(decoding: input, as: UTF8.self)).\(signature)"))
        }
        let jwk = JSONValue.object(try JWK(scene.holder.publicKey).members)
        #expect(try await verification(["jwk": jwk]).verified != nil)
        #expect(try await verification(["jwk": jwk, "kid": "k"]).verified != nil)
        try await verification(nil).expectRefusal(.holderKey, .missingHolderKey)
        for confirmation: JSONValue in [
            [:], "x", ["jwk": "x"], ["jwk": ["kty": "EC"]], ["jku": "https://keys.example"], ["kid": "did:example:1#0"],
            ["jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"], ["jwk": ["kty": "oct", "k": "AAAA"]],
        ] {
            try await verification(confirmation).expectRefusal(.holderKey, .unsupportedHolderKey)
        }
        let secret = try JWK(PrivateKey.generate(.p256, using: Scene.random(2))).membersWithSecrets()
        try await verification(["jwk": .object(secret)]).expectRefusal(.holderKey, .unsupportedHolderKey)
    }

    @Test func independentChecksAreAllMade() async throws {
        let verification = scene.verify(
            try await presentation {
                $0["nonce"] = "other"
                $0["aud"] = "other"
                $0["sd_hash"] = "other"
            }
        )
        let failed = verification.checks.filter(\.hasFailed).map(\.check)
        #expect(failed == [.keyBindingAudience, .nonce, .presentationHash])
    }

    @Test func malformedClaims() async throws {
        let text = try await scene.credential().compactSerialization()
        let jwt = try await JWS.sign(Array("[]".utf8), header: ["typ": "kb+jwt"], with: scene.holder)
            .compactSerialization()
        scene.verify(try SDJWT(compact: text + jwt)).expectRefusal(.keyBindingTime, .malformed)
    }

    /// The restrictions of the holder's key in the credential hold for the Key Binding JWT (RFC 7517, sections 4.2 to
    /// 4.4).
    @Test(
        arguments: [
            ("use", "enc", false), ("use", "sig", true), ("alg", "ES384", false), ("alg", "ECDH-ES", false),
            ("alg", "ES256", true), ("key_ops", ["sign"], false), ("key_ops", [], false), ("key_ops", ["verify"], true),
        ] as [(String, JSONValue, Bool)]
    )
    func restrictionsOfTheHoldersKeyAreKept(name: String, value: JSONValue, isVerified: Bool) async throws {
        let scene = try Scene()
        var members = try JWK(scene.holder.publicKey).members
        let free = try await SDJWT(
            compact: assemble(["vct": "t", "cnf": ["jwk": .object(members)]], signer: scene.issuer)
        )
        members[name] = value
        let payload: JSONValue = ["vct": "t", "cnf": ["jwk": .object(members)]]
        let credential = try SDJWT(compact: await assemble(payload, signer: scene.issuer))
        guard isVerified else {
            // This module's holder does not sign with it; another's presentation is refused.
            await expectRefusal(.signingFailed) { try await credential.bound(by: scene.holder, scene.keyBinding) }
            let prepared = try credential.prepareKeyBinding(scene.keyBinding, algorithm: .es256)
            let signature = try scene.holder.signature(for: prepared.bytesToSign)
            let jwt = String(decoding: prepared.bytesToSign, as: UTF8.self) + "." + Base64URL.encode(signature)
            let presentation = try SDJWT(compact: credential.compactSerialization() + jwt)
            let verification = verify(presentation, scene)
            #expect(verification.refusal?.check == .holderBinding, "\(verification.checks)")
            return
        }
        let verification = verify(try await credential.bound(by: scene.holder, scene.keyBinding), scene)
        #expect(verification.verified?.keyBinding?.jwk.members[name] == value, "\(verification.checks)")
        #expect(verify(try await free.bound(by: scene.holder, scene.keyBinding), scene).verified != nil)
    }

    private func verify(_ presentation: SDJWT, _ scene: Scene) -> Verification<VerifiedSDJWT> {
        SDJWTVerifier.verify(
            presentation,
            issuerKey: IssuerKey(scene.issuer.publicKey),
            policy: .credential(algorithms: [.es256]),
            expecting: .keyBinding(scene.expectation),
            at: scene.now
        )
    }
}

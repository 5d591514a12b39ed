import CBORKit
import COSEKit
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import MdocKit
import MdocResults
import OID4VPVerifier
import SDJWTKit
import Testing

/// The modules of the OpenID Foundation's conformance suite for verifiers of OpenID4VP 1.0 that are about validation.
struct ConformanceTests {
    private func verify(
        _ scene: Scene,
        _ make: (CreatedRequest) async throws -> JSONValue
    ) async throws -> Verification<VerifiedResponse> {
        let request = try scene.request(Scene.query([.sdJWT]))
        return try await scene.verify(["pid": await make(request)], request)
    }

    @Test func happyFlow() async throws {
        let scene = try await Scene()
        #expect(try await verify(scene) { try await scene.presentedSDJWT($0) }.refusal == nil)
    }

    @Test func happyFlowMdoc() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.mdoc]))
        let presentation = try await scene.presentedMdoc(Scene.transcript(request))
        #expect(try await scene.verify(["mdl": presentation], request).refusal == nil)
    }

    @Test func minimalCnfJWK() async throws {
        let scene = try await Scene()
        let full = try JWK(scene.holder.publicKey).members
        let minimal = JSONObject(["kty", "crv", "x", "y"].map { (name: $0, value: full[$0] ?? .null) })
        let credential = try await scene.sdJWT(holderKey: JWK(json: .object(minimal)))
        #expect(try credential.unverifiedPayload().claims["cnf"]?["jwk"]?.objectValue?.names.count == 4)
        #expect(try await verify(scene) { try await scene.presentedSDJWT($0, of: credential) }.refusal == nil)
    }

    @Test func invalidCredentialSignature() async throws {
        let scene = try await Scene()
        let credential = try await scene.sdJWT(signedBy: Scene.signer(.p256))
        try await verify(scene) { try await scene.presentedSDJWT($0, of: credential) }
            .expectRefusal(.issuerSignature, .invalidIssuerSignature)
    }

    @Test func invalidCredentialSignatureMdoc() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.mdoc]))
        let credential = try await scene.mdoc()
        let text = try #require(
            try await scene.presentedMdoc(Scene.transcript(request), of: [credential]).stringValue
        )
        var bytes = try Base64URL.decode(text)
        let signature = Array(credential.issuerAuth.signature)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: signature) })
        bytes[place] ^= 1
        let presentation = JSONValue.string(Base64URL.encode(bytes))
        try await scene.verify(["mdl": presentation], request)
            .expectRefusal(.issuerSignature, .invalidIssuerSignature)
    }

    @Test func invalidKeyBindingSignature() async throws {
        let scene = try await Scene()
        // The credential names another key than the one that signs, so that nothing but the signature is wrong.
        let credential = try await scene.sdJWT()
        try await verify(scene) { request in
            let text = try #require(try await scene.presentedSDJWT(request, of: credential).stringValue)
            let parts = text.split(separator: "~", omittingEmptySubsequences: false)
            let kb = try #require(parts.last).split(separator: ".")
            let input = Array("\(kb[0]).\(kb[1])".utf8)
            let signature = try Scene.signer(.p256).signature(for: input)
            let forged = "\(kb[0]).\(kb[1]).\(Base64URL.encode(signature))"
            return .string((parts.dropLast().map(String.init) + [forged]).joined(separator: "~"))
        }.expectRefusal(.holderBinding, .invalidHolderBinding)
    }

    @Test func invalidKeyBindingNonce() async throws {
        let scene = try await Scene()
        try await verify(scene) { try await scene.presentedSDJWT($0) { $0.nonce = "another" } }
            .expectRefusal(.nonce, .claimMismatch)
    }

    @Test func invalidKeyBindingAudience() async throws {
        let scene = try await Scene()
        try await verify(scene) { request in
            // The identifier without its prefix is another audience.
            try await scene.presentedSDJWT(request) { $0.audience = String($0.audience.dropFirst(10)) }
        }.expectRefusal(.keyBindingAudience, .claimMismatch)
    }

    @Test func invalidKeyBindingSDHash() async throws {
        let scene = try await Scene()
        let credential = try await scene.sdJWT()
        try await verify(scene) { request in
            let one = try #require(try await scene.presentedSDJWT(request, of: credential).stringValue)
            let two = try credential.presentation(disclosing: [["family_name"], ["given_name"]])
                .compactSerialization()
            let binding = try #require(one.split(separator: "~").last)
            return .string(two + binding)
        }.expectRefusal(.presentationHash, .invalidHolderBinding)
    }

    @Test func keyBindingIssuedInThePast() async throws {
        let scene = try await Scene()
        try await verify(scene) { try await scene.presentedSDJWT($0) { $0.issuedAt = Scene.now - 3_600 } }
            .expectRefusal(.keyBindingTime, .tooOld)
    }

    @Test func keyBindingIssuedInTheFuture() async throws {
        let scene = try await Scene()
        try await verify(scene) { try await scene.presentedSDJWT($0) { $0.issuedAt = Scene.now + 3_600 } }
            .expectRefusal(.keyBindingTime, .issuedInFuture)
    }

    @Test func invalidSessionTranscript() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.mdoc]))
        // The transcript of draft 23, which a wallet took for that of 1.0.
        let older = Scene.transcript(request, walletNonce: "W")
        let presentation = try await scene.presentedMdoc(older)
        let parameters: JSONObject = ["vp_token": ["mdl": [presentation]]]
        let verification = try await scene.verify(parameters, request, partyUInfo: "W")
        verification.expectRefusal(.holderBinding, .invalidHolderBinding)
        #expect(verification.refusal?.message.contains("\(SessionForm.openID4VPDraft23)") == true)
        var quiet = PresentationPolicy()
        quiet.diagnosesTranscripts = false
        let plain = try await scene.verify(parameters, request, partyUInfo: "W", policy: quiet)
        plain.expectRefusal(.holderBinding, .invalidHolderBinding)
        #expect(plain.refusal?.message.contains("\(SessionForm.openID4VPDraft23)") == false)
    }

    @Test func invalidDeviceSignature() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.mdoc]))
        var bytes = try Base64URL.decode(
            try #require(try await scene.presentedMdoc(Scene.transcript(request)).stringValue)
        )
        // The last bytes of a response are those of the device's signature, and the status.
        let place = bytes.count - 12
        bytes[place] ^= 1
        let verification = try await scene.verify(["mdl": .string(Base64URL.encode(bytes))], request)
        verification.expectRefusal(.holderBinding, .invalidHolderBinding)
    }

    @Test func revokedCredential() async throws {
        let scene = try await Scene(finding: .revoked)
        let credential = try await scene.sdJWT { $0["status"] = Self.status }
        try await verify(scene) { try await scene.presentedSDJWT($0, of: credential) }
            .expectRefusal(.status, .revoked)
    }

    @Test func suspendedCredential() async throws {
        let scene = try await Scene(finding: .suspended)
        let credential = try await scene.sdJWT { $0["status"] = Self.status }
        try await verify(scene) { try await scene.presentedSDJWT($0, of: credential) }
            .expectRefusal(.status, .suspended)
    }

    @Test func unknownStatus() async throws {
        let scene = try await Scene(finding: .unknown("the list cannot be fetched"))
        let credential = try await scene.sdJWT { $0["status"] = Self.status }
        let verification = try await verify(scene) { try await scene.presentedSDJWT($0, of: credential) }
        verification.expectRefusal(.status, .statusUnknown)
        #expect(verification.refusal?.isUnavailable == true)
    }

    @Test func credentialWithoutStatus() async throws {
        let lenient = try await Scene()
        #expect(try await verify(lenient) { try await lenient.presentedSDJWT($0) }.refusal == nil)
        let strict = try await Scene(status: .required)
        try await verify(strict) { try await strict.presentedSDJWT($0) }.expectRefusal(.status, .statusUnknown)
    }

    @Test func expiredCredential() async throws {
        let scene = try await Scene()
        let credential = try await scene.sdJWT { $0["exp"] = .integer(Int64(Scene.now.timeIntervalSince1970) - 61) }
        try await verify(scene) { try await scene.presentedSDJWT($0, of: credential) }
            .expectRefusal(.validity, .expired)
    }

    @Test func untrustedIssuer() async throws {
        let scene = try await Scene()
        let credential = try await scene.sdJWT { $0["iss"] = "https://other.example" }
        let verification = try await verify(scene) { try await scene.presentedSDJWT($0, of: credential) }
        #expect(verification.refusal?.reason == .issuerNotTrusted)
    }

    private static let status: JSONValue = ["status_list": ["idx": 1, "uri": "https://issuer.example/1"]]
}

/// The same for W3C presentations.
struct W3CConformanceTests {
    @Test(arguments: [CredentialFormat.linkedData, .jwt])
    func refusesWrongPresentations(_ format: CredentialFormat) async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([format]))
        let id = request.expectation.queryIDs[0]
        func refusal(_ presentation: JSONValue) async throws -> Refusal? {
            try await scene.verify([id: presentation], request).refusal
        }
        let nonce = try await refusal(try await scene.presentedW3C(format, request, nonce: "other"))
        #expect(nonce?.check == .nonce)
        let audience = try await refusal(try await scene.presentedW3C(format, request, audience: "x509_hash:other"))
        #expect(audience?.check == .audience)
        let holder = try await refusal(
            try await scene.presentedW3C(format, request, signedBy: try Scene.signer(.ed25519))
        )
        #expect(holder?.check == .holderBinding)
        let forged = try await scene.w3c(format, signedBy: try Scene.signer(.ed25519))
        let issuer = try await refusal(try await scene.presentedW3C(format, request, of: [forged]))
        #expect(
            issuer?.reason == .invalidSignature || issuer?.reason == .invalidIssuerSignature,
            "\(String(describing: issuer))"
        )
        // A credential about someone else.
        let other = try await scene.w3c(format, subject: try DID.key(scene.didIssuer.publicKey).text)
        let subject = try await refusal(try await scene.presentedW3C(format, request, of: [other]))
        #expect(subject?.reason == .invalidHolderBinding, "\(String(describing: subject))")
        let two = [try await scene.w3c(format), try await scene.w3c(format)]
        let several = try await scene.verify([id: try await scene.presentedW3C(format, request, of: two)], request)
        several.expectRefusal(.submission, .unrequestedCredential)
    }
}

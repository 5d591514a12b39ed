import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

@Suite struct PresentationTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private func names(_ sdJWT: SDJWT) -> [String?] { sdJWT.disclosures.map(\.claimName) }

    @Test func takesExactlyWhatAPathNeeds() async throws {
        let credential = try await scene.credential()
        #expect(names(try credential.presentation(disclosing: [])) == [])
        #expect(names(try credential.presentation(disclosing: [["iss"], ["vct"]])) == [])
        #expect(names(try credential.presentation(disclosing: [["given_name"]])) == ["given_name"])
        #expect(try credential.presentation(disclosing: [["nationalities", 1]]).disclosures.map(\.value) == ["NL"])
        #expect(try credential.presentation(disclosing: [["nationalities"]]).disclosures.map(\.value) == ["DE", "NL"])
        #expect(try credential.presentation(disclosing: [["nationalities", nil]]).disclosures.count == 2)
    }

    @Test func takesParentsAlong() async throws {
        let presentation = try await scene.credential().presentation(disclosing: [["address", "locality"]])
        #expect(Set(names(presentation)) == ["locality", "address"])
        let address = try presentation.unverifiedPayload()["address"]
        #expect(address == ["country": "DE", "locality": "Köln"])
    }

    @Test func aWholeObjectComesWithAllThatIsInside() async throws {
        let presentation = try await scene.credential().presentation(disclosing: [["address"], ["degrees", 0]])
        #expect(try presentation.unverifiedPayload()["address"] == Scene.claims["address"])
        #expect(try presentation.unverifiedPayload()["degrees"]?[0] == Scene.claims["degrees"]?[0])
        #expect(try presentation.unverifiedPayload()["degrees"]?[1] == ["type": "Master"])
    }

    @Test func keepsTheIssuersOrder() async throws {
        let credential = try await scene.credential()
        let presentation = try credential.presentation(disclosing: [
            ["nationalities", 0], ["family_name"], ["given_name"],
        ])
        let places = presentation.disclosures.compactMap { credential.disclosures.firstIndex(of: $0) }
        #expect(places == places.sorted())
        #expect(places.count == 3)
    }

    @Test func refusesPathsThatSelectNothing() async throws {
        let credential = try await scene.credential()
        expectRefusal(.claimNotFound) { try credential.presentation(disclosing: [["nobody"]]) }
        expectRefusal(.claimNotFound) { try credential.presentation(disclosing: [["nationalities", 2]]) }
        expectRefusal(.claimPathMismatch) { try credential.presentation(disclosing: [["given_name", "x"]]) }
        let less = try credential.presentation(disclosing: [["given_name"]])
        expectRefusal(.claimNotFound) { try less.presentation(disclosing: [["family_name"]]) }
        expectRefusal(.claimNotFound) { try less.presentation(disclosing: [["nationalities", 0]]) }
    }

    @Test func choosesByDisclosure() async throws {
        let credential = try await scene.credential()
        #expect(names(try credential.presentation { $0.claimName == "family_name" }) == ["family_name"])
        expectRefusal(.unreferencedDisclosure) { try credential.presentation { $0.claimName == "locality" } }
        let both = try credential.presentation { $0.claimName == "locality" || $0.claimName == "address" }
        #expect(both.disclosures.count == 2)
    }

    @Test func keyBindingJWTSaysWhatWasAskedFor() async throws {
        let presentation = try await scene.presentation()
        let jwt = try #require(presentation.keyBindingJWT)
        #expect(try jwt.unverifiedHeader().members == ["alg": "ES256", "typ": "kb+jwt"])
        let claims = try JSONValue(parsing: try #require(jwt.unverifiedPayload))
        #expect(claims["aud"] == .string(Scene.audience))
        #expect(claims["nonce"] == .string(Scene.nonce))
        #expect(claims["iat"] == 1_800_000_000)
        let text = try presentation.compactSerialization()
        let presented = text[...(try #require(text.lastIndex(of: "~")))]
        let hash = Base64URL.encode(HashAlgorithm.sha256.digest(of: Array(presented.utf8)))
        #expect(claims["sd_hash"] == .string(hash))
        #expect(claims.objectValue?.count == 4)
    }

    @Test func additionalClaimsCannotReplaceOthers() async throws {
        var keyBinding = scene.keyBinding
        keyBinding.additionalClaims = ["delegate": true]
        let verified = try scene.verify(try await scene.presentation(keyBinding: keyBinding)).get()
        #expect(verified.keyBinding?.claims["delegate"] == true)
        #expect(verified.keyBinding?.issuedAt == scene.now)
        #expect(verified.keyBinding?.key == scene.holder.publicKey)
        keyBinding.additionalClaims = ["aud": "x"]
        await expectRefusal(.duplicateClaim) { try await scene.presentation(keyBinding: keyBinding) }
    }

    @Test func bindsInTwoSteps() async throws {
        let presentation = try await scene.credential().presentation(disclosing: [["given_name"]])
        let unsigned = try presentation.prepareKeyBinding(scene.keyBinding, algorithm: .es256)
        let signature = try scene.holder.signature(for: unsigned.bytesToSign)
        let bound = try unsigned.completed(with: signature)
        #expect(try scene.verify(bound).get()["given_name"] == "Erika")
        expectRefusal(.signingFailed) { try unsigned.completed(with: []) }
        expectRefusal(.unexpectedKeyBinding) { try bound.prepareKeyBinding(scene.keyBinding, algorithm: .es256) }
        expectRefusal(.invalidValue) {
            try presentation.prepareKeyBinding(scene.keyBinding, algorithm: JWSAlgorithm(rawValue: "none"))
        }
        #expect(try bound.presentation(disclosing: [["given_name"]]).keyBindingJWT == nil)
    }

    @Test func refusesTheSignatureOfAnotherKey() async throws {
        let presentation = try await scene.credential().presentation(disclosing: [])
        await expectRefusal(.signingFailed) { try await presentation.bound(by: scene.stranger, scene.keyBinding) }
        await expectRefusal(.signingFailed) {
            try await presentation.bound(by: FailingSigner(publicKey: scene.holder.publicKey), scene.keyBinding)
        }
    }

    @Test func refusesMalformedTimes() async throws {
        let presentation = try await scene.credential().presentation(disclosing: [])
        for seconds in [-1, 1e12, .infinity] {
            var keyBinding = scene.keyBinding
            keyBinding.issuedAt = .init(timeIntervalSince1970: seconds)
            expectRefusal(.invalidValue) { try presentation.prepareKeyBinding(keyBinding, algorithm: .es256) }
        }
    }
}

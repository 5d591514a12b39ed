import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import Testing

struct SDJWTPresentationTests {
    private static func query(_ format: String = "dc+sd-jwt", isBound: Bool = true) -> JSONValue {
        [
            "id": "pid", "format": .string(format), "meta": ["vct_values": ["urn:pid"]],
            "require_cryptographic_holder_binding": .bool(isBound),
            "claims": [["path": ["family_name"]], ["path": ["address", "country"]]],
        ]
    }

    private static func descriptor(_ id: String, _ formats: JSONValue, _ path: String = "$.family_name") -> JSONValue {
        [
            "id": .string(id), "format": formats,
            "constraints": ["limit_disclosure": "required", "fields": [["path": [.string(path)]]]],
        ]
    }

    private static let expectation = KeyBindingExpectation(
        audience: PresentationScene.clientID,
        nonce: PresentationScene.nonce
    )

    private func verified(
        _ presentation: JSONValue,
        _ scene: PresentationScene,
        _ expectation: SDJWTExpectation = .keyBinding(Self.expectation)
    ) async throws -> VerifiedSDJWT {
        let sdJWT = try SDJWT(compact: try #require(presentation.stringValue))
        return try await scene.sdJWTVerifier.verify(sdJWT, expecting: expectation).get()
    }

    private func answer(_ token: VPToken) throws -> JSONValue {
        guard case .queries(let answers) = token else { throw OID4VPError(.malformed, "another form") }
        #expect(answers.map(\.presentations.count) == [1])
        return try #require(answers.first?.presentations.first)
    }

    @Test func answersDCQLByClaimPath() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query()))
        let unsigned = try await scene.prepare([scene.sdJWT()], for: request)
        let pending = try #require(unsigned.pendingSignatures.first)
        guard case .jwk(let jwk) = pending.keyReference, case .keyBinding = pending.subject else {
            Issue.record("another subject")
            return
        }
        #expect(try jwk.publicKey() == scene.deviceKey.publicKey)
        #expect(pending.algorithm == .ecdsaSHA256 && pending.format == .sdJWT)
        let header = try #require(pending.bytesToSign.split(separator: UInt8(ascii: ".")).first)
        #expect(try JSONValue(parsing: Base64URL.decode(header)) == ["alg": "ES256", "typ": "kb+jwt"])
        let verified = try await verified(try answer(await unsigned.signed(with: scene.signers)), scene)
        #expect(Set(verified.payload.disclosedClaims) == [["family_name"], ["address"], ["address", "country"]])
        #expect(verified.keyBinding?.issuedAt == PresentationScene.now)
    }

    @Test func leavesKeyBindingOutWhereItIsNotRequired() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(
            PresentationScene.dcql(Self.query(isBound: false)),
            others: ["state": "aaaaaaaaaaaaaaaaaaaaaaaa"]
        )
        let unsigned = try await scene.prepare([scene.sdJWT()], for: request)
        #expect(unsigned.pendingSignatures.isEmpty)
        _ = try await verified(try answer(unsigned.completed(with: [:])), scene, .noKeyBinding)
    }

    @Test func bindsCredentialsWithAKeyWhereAProfileDemandsIt() async throws {
        let scene = try await PresentationScene.make()
        let (authenticated, content) = try await PresentationScene.request(
            PresentationScene.dcql(Self.query(isBound: false)),
            others: ["state": "aaaaaaaaaaaaaaaaaaaaaaaa"]
        )
        let request = (authenticated, content.reporting([], bindsWherePossible: true))
        let unsigned = try await scene.prepare([scene.sdJWT()], for: request)
        _ = try await verified(try answer(await unsigned.signed(with: scene.signers)), scene)
        let unbound = try await scene.prepare([scene.sdJWT(confirmation: nil)], for: request)
        #expect(unbound.pendingSignatures.isEmpty)
    }

    @Test func bindsByKeysThatTheIssuerNames() async throws {
        let scene = try await PresentationScene.make()
        let did = scene.holderDID
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query()))
        let named = try await scene.sdJWT(confirmation: ["kid": .string("\(did.text)#\(did.identifier)")])
        let unsigned = try await scene.prepare([named], for: request)
        guard case .name(let name) = unsigned.pendingSignatures.first?.keyReference else {
            Issue.record("another reference")
            return
        }
        #expect(name == "\(did.text)#\(did.identifier)")
        _ = try await verified(try answer(await unsigned.signed(with: scene.signers)), scene)

        let bare = try await scene.sdJWT(confirmation: ["kid": .string(did.text)])
        #expect(try await scene.prepare([bare], for: request).pendingSignatures[0].key == scene.holderKey.publicKey)

        let local = try await scene.sdJWT(confirmation: ["kid": "key-1"])
        await expect(.missingHolderKey) { _ = try await scene.prepare([local], for: request) }
        let keys = HolderKeys(namedKeys: ["key-1": scene.holderKey.publicKey])
        #expect(try await scene.prepare([local], for: request, keys: keys).pendingSignatures[0].algorithm == .ed25519)
    }

    @Test func refusesKeysThatAreNotThere() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query()))
        let thumbprint = Base64URL.encode([UInt8](repeating: 1, count: 32))
        for confirmation: JSONValue in [["jkt": .string(thumbprint)], ["kid": "did:web:v.example#1"], ["x": 1]] {
            let credential = try await scene.sdJWT(confirmation: confirmation)
            await expect(.missingHolderKey) { _ = try await scene.prepare([credential], for: request) }
        }
    }

    @Test func refusesSignaturesOfOtherKeys() async throws {
        let scene = try await PresentationScene.make()
        let did = scene.holderDID
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query()))
        let named = try await scene.sdJWT(confirmation: ["kid": .string("\(did.text)#\(did.identifier)")])
        for credential in [try await scene.sdJWT(), named] {
            let unsigned = try await scene.prepare([credential], for: request)
            let pending = unsigned.pendingSignatures[0]
            let other = try SoftwareSigner(PrivateKey.generate(.p256)).signature(for: pending.bytesToSign)
            expect(.signingFailed) { () throws(OID4VPError) in
                try unsigned.completed(with: [pending.id: .bytes(other)])
            }
        }
    }

    @Test func answersDefinitionsWithOneElementForEachDescriptor() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(
            PresentationScene.definition(
                Self.descriptor("a", ["vc+sd-jwt": [:]]),
                Self.descriptor("b", ["vc+sd-jwt": [:], "dc+sd-jwt": [:]], "$.given_name")
            )
        )
        let token = try await scene.answer([scene.sdJWT()], for: request)
        guard case .definition(let presentations, let submission) = token else {
            Issue.record("another form")
            return
        }
        #expect(submission.entries.map(\.path) == ["$[0]", "$[1]"])
        // The descriptor's own name for the format.
        #expect(submission.entries.map(\.format) == ["vc+sd-jwt", "dc+sd-jwt"])
        #expect(submission.entries.map(\.descriptor) == ["a", "b"])
        var disclosed: [[ClaimPath]] = []
        for presentation in presentations {
            disclosed.append(try await verified(presentation, scene).payload.disclosedClaims)
        }
        #expect(disclosed == [[["family_name"]], [["given_name"]]])
    }

    @Test func answersDefinitionsWithoutKeyBindingWhereTheCredentialHasNoKey() async throws {
        let scene = try await PresentationScene.make()
        let definition = PresentationScene.definition(Self.descriptor("a", ["vc+sd-jwt": [:]]))
        let request = try await PresentationScene.request(definition)
        let unsigned = try await scene.prepare([scene.sdJWT(confirmation: nil)], for: request)
        guard case .definition(let presentations, let submission) = try unsigned.completed(with: [:]) else {
            Issue.record("another form")
            return
        }
        #expect(submission.entries.map(\.path) == ["$"])
        _ = try await verified(presentations[0], scene, .noKeyBinding)
    }
}

import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import LinkedDataKit
import OID4VPKit
import OID4VPMessages
import Testing

struct W3CPresentationTests {
    private static func query(_ id: String, _ format: String, isBound: Bool = true) -> JSONValue {
        [
            "id": .string(id), "format": .string(format),
            "meta": ["type_values": [["https://club.example/Member"]]],
            "require_cryptographic_holder_binding": .bool(isBound),
            "claims": [["path": ["credentialSubject", "level"]]],
        ]
    }

    private static func descriptor(_ id: String, _ format: String) -> JSONValue {
        [
            "id": .string(id), "format": .object([format: [:]]),
            "constraints": ["fields": [["path": ["$.credentialSubject.level", "$.vc.credentialSubject.level"]]]],
        ]
    }

    private func answers(_ token: VPToken) throws -> [JSONValue] {
        guard case .queries(let answers) = token else { throw OID4VPError(.malformed, "another form") }
        return answers.flatMap(\.presentations)
    }

    /// The suites, each with the curve of a key.
    private static let suites: [(LinkedDataProofSuite, EllipticCurve)] = [
        (.ed25519Signature2020, .ed25519), (.ed25519Signature2018, .ed25519), (.jsonWebSignature2020, .ed25519),
        (.jsonWebSignature2020, .p256), (.eddsaRDFC2022, .ed25519), (.eddsaJCS2022, .ed25519),
        (.ecdsaRDFC2019, .p256), (.ecdsaJCS2019, .p256),
    ]

    @Test(arguments: suites, DataModelVersion.allCases)
    func presentsLinkedDataWithEverySuite(
        _ suite: (LinkedDataProofSuite, EllipticCurve),
        _ version: DataModelVersion
    ) async throws {
        let scene = try await PresentationScene.make()
        let key = try SoftwareSigner(PrivateKey.generate(suite.1))
        let subject = try DID.key(key.publicKey).text
        let credential = try await scene.linkedData(version: version, subject: subject)
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query("q", "ldp_vc")))
        let keys = HolderKeys(holder: try scene.holder(suite.0, key))
        let unsigned = try await scene.prepare([credential], for: request, keys: keys)
        let presentations = try answers(await unsigned.signed(with: [key]))
        #expect(presentations.count == 1)
        let verified = try await scene.presentation(presentations[0])
        #expect(verified.holder.text == subject)
        #expect(verified.credentials.count == 1 && verified.content.version == version)
        let proof = try #require(presentations[0]["proof"])
        #expect(proof["proofPurpose"] == "authentication")
        #expect(proof["challenge"] == .string(PresentationScene.nonce))
        #expect(proof["domain"] == .string(PresentationScene.clientID))
    }

    @Test func presentsLinkedDataWithRSA() async throws {
        let scene = try await PresentationScene.make()
        let key = try SoftwareSigner(PrivateKey.generateRSA(bits: 2048), algorithm: .rsaPKCS1SHA256)
        let subject = try DID.jwk(key.publicKey).text
        let credential = try await scene.linkedData(subject: subject)
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query("q", "ldp_vc")))
        let keys = HolderKeys(holder: try scene.holder(.rsaSignature2018, key))
        let unsigned = try await scene.prepare([credential], for: request, keys: keys)
        let presentations = try answers(await unsigned.signed(with: [key]))
        #expect(try await scene.presentation(presentations[0]).holder.text == subject)
    }

    @Test(arguments: DataModelVersion.allCases, [true, false])
    func presentsTokens(_ version: DataModelVersion, isTyped: Bool) async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query("q", "jwt_vc_json")))
        let unsigned = try await scene.prepare([scene.token(version: version, isTyped: isTyped)], for: request)
        let pending = try #require(unsigned.pendingSignatures.first)
        guard case .token = pending.subject, case .name = pending.keyReference else {
            Issue.record("another subject")
            return
        }
        let presentation = try answers(await unsigned.signed(with: scene.signers))[0]
        let verified = try await scene.presentation(presentation)
        #expect(verified.holder == scene.holderDID)
        #expect(verified.credentials.count == 1)
        let token = try JWT(compact: try #require(presentation.stringValue))
        #expect(try token.unverifiedHeader().type() == (version == .v1 ? "JWT" : "vp+jwt"))
        let payload = try JSONValue(parsing: token.jws.unverifiedPayload ?? [])
        #expect(payload["vp"] == nil || version == .v1)
        let envelope: JSONValue? = version == .v1 ? nil : "EnvelopedVerifiableCredential"
        #expect(payload["verifiableCredential"]?[0]?["type"] == envelope)
        #expect(payload["exp"] == 1_800_000_600 && payload["jti"] != nil)
    }

    @Test(arguments: ["ldp_vc", "jwt_vc_json"])
    func sendsTheCredentialAloneWithoutHolderBinding(_ format: String) async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(
            PresentationScene.dcql(Self.query("q", format, isBound: false)),
            others: ["state": "aaaaaaaaaaaaaaaaaaaaaaaa"]
        )
        let credential = try await format == "ldp_vc" ? scene.linkedData() : scene.token()
        let unsigned = try await scene.prepare([credential], for: request, keys: HolderKeys())
        #expect(unsigned.pendingSignatures.isEmpty)
        let sent = try answers(unsigned.completed(with: [:]))[0]
        let text = sent.stringValue.map { Array($0.utf8) } ?? sent.encoded()
        let verified = try await scene.credentialVerifier().verify(VerifiableCredential(decoding: text))
        #expect(verified.refusal == nil)
    }

    @Test func answersDefinitionsWithOnePresentationForEachFormat() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(
            PresentationScene.definition(
                Self.descriptor("a", "ldp_vc"),
                Self.descriptor("b", "jwt_vc_json"),
                Self.descriptor("c", "ldp_vc")
            )
        )
        let token = try await scene.answer([scene.linkedData(), scene.token()], for: request)
        guard case .definition(let presentations, let submission) = token else {
            Issue.record("another form")
            return
        }
        #expect(presentations.count == 2)
        #expect(submission.entries.map(\.path) == ["$[0]", "$[1]", "$[0]"])
        #expect(submission.entries.map(\.format) == ["ldp_vp", "jwt_vp_json", "ldp_vp"])
        #expect(
            submission.entries.map { $0.nested.map(\.path) } == [
                ["$.verifiableCredential[0]"], ["$.vp.verifiableCredential[0]"], ["$.verifiableCredential[0]"],
            ]
        )
        #expect(submission.entries.map { $0.nested[0].format } == ["ldp_vc", "jwt_vc_json", "ldp_vc"])
        for presentation in presentations { _ = try await scene.presentation(presentation) }
    }

    /// The names that the definition has, or those that belong to them.
    @Test(
        arguments: [
            (["jwt_vc", "jwt_vp"], ["jwt_vp", "jwt_vc"]), (["jwt_vc"], ["jwt_vp", "jwt_vc"]),
            (["jwt_vp"], ["jwt_vp", "jwt_vc"]), (["jwt_vc_json"], ["jwt_vp_json", "jwt_vc_json"]),
            (["jwt_vp_json", "jwt_vc"], ["jwt_vp_json", "jwt_vc"]),
        ] as [([String], [String])]
    )
    func namesTheFormatsOfTheDefinition(_ formats: [String], _ names: [String]) async throws {
        let scene = try await PresentationScene.make()
        var descriptor = try #require(Self.descriptor("a", "jwt_vc_json").objectValue)
        descriptor["format"] = .object(JSONObject(formats.map { ($0, [:]) }))
        let request = try await PresentationScene.request(PresentationScene.definition(.object(descriptor)))
        let token = try await scene.answer([scene.token()], for: request)
        guard case .definition(_, let submission) = token else {
            Issue.record("another form")
            return
        }
        #expect(submission.entries.map(\.format) + submission.entries.flatMap { $0.nested.map(\.format) } == names)
    }

    @Test func presentsCredentialsOfBothVersionsTogether() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(
            PresentationScene.definition(Self.descriptor("a", "ldp_vc"), Self.descriptor("b", "ldp_vc"))
        )
        let credentials = try await [scene.linkedData("old"), scene.linkedData("new", version: .v2)]
        let (authenticated, parameters) = request
        let result = try parameters.evaluate(over: credentials.queryable, at: PresentationScene.now)
        let plan = try result.plan(choosing: ["a": ["old"], "b": ["new"]])
        let builder = PresentationBuilder(
            parameters,
            try PresentationBinding(authenticated, parameters, mdocGeneratedNonce: "w")
        )
        let unsigned = try await builder.prepare(
            plan,
            of: credentials,
            keys: scene.keys(),
            at: PresentationScene.now
        )
        guard
            case .definition(let presentations, let submission) = try await unsigned.signed(with: scene.signers)
        else {
            Issue.record("another form")
            return
        }
        #expect(submission.entries.map(\.path) == ["$", "$"])
        #expect(submission.entries.map { $0.nested[0].path } == (0...1).map { "$.verifiableCredential[\($0)]" })
        let verified = try await scene.presentation(presentations[0])
        #expect(verified.content.version == .v2 && verified.credentials.map(\.content.version) == [.v1, .v2])
    }

    /// An envelope holds no token of the data model 1.1, so that each version has a presentation of its own.
    @Test func presentsTokensOfBothVersionsApart() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(
            PresentationScene.definition(
                Self.descriptor("a", "jwt_vc_json"),
                Self.descriptor("b", "jwt_vc_json")
            )
        )
        let credentials = try await [scene.token("old"), scene.token("new", version: .v2)]
        let (authenticated, parameters) = request
        let result = try parameters.evaluate(over: credentials.queryable, at: PresentationScene.now)
        let plan = try result.plan(choosing: ["a": ["old"], "b": ["new"]])
        let builder = PresentationBuilder(
            parameters,
            try PresentationBinding(authenticated, parameters, mdocGeneratedNonce: "w")
        )
        let unsigned = try await builder.prepare(plan, of: credentials, keys: scene.keys(), at: PresentationScene.now)
        guard
            case .definition(let presentations, let submission) = try await unsigned.signed(with: scene.signers)
        else {
            Issue.record("another form")
            return
        }
        #expect(submission.entries.map(\.path) == ["$[0]", "$[1]"])
        let places = ["$.vp.verifiableCredential[0]", "$.verifiableCredential[0]"]
        #expect(submission.entries.map { $0.nested[0].path } == places)
        for (presentation, version) in zip(presentations, DataModelVersion.allCases) {
            let verified = try await scene.presentation(presentation)
            #expect(verified.content.version == version)
            #expect(verified.credentials.map(\.content.version) == [version])
        }
    }

    @Test func takesProofsInTheFormsOfOtherLibraries() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query("q", "ldp_vc")))
        for suite in [LinkedDataProofSuite.ed25519Signature2020, .jsonWebSignature2020] {
            let unsigned = try await scene.prepare([scene.linkedData()], for: request, keys: scene.keys(suite))
            let pending = unsigned.pendingSignatures[0]
            let hashData = pending.bytesToSign.suffix(64)
            func jws(_ header: String, _ signer: SoftwareSigner) throws -> String {
                let header = Base64URL.encode(Array(header.utf8))
                let signature = try signer.signature(for: Array(header.utf8) + [UInt8(ascii: ".")] + hashData)
                return "\(header)..\(Base64URL.encode(signature))"
            }
            if suite == .ed25519Signature2020 {
                let value = Multibase.encode(try scene.holderKey.signature(for: pending.bytesToSign))
                let token = try unsigned.completed(with: [pending.id: .proofValue(value)])
                _ = try await scene.presentation(try answers(token)[0])
                let wrong = try jws(#"{"alg":"EdDSA","b64":false,"crit":["b64"]}"#, scene.holderKey)
                expect(.signingFailed) { () throws(OID4VPError) in
                    try unsigned.completed(with: [pending.id: .jws(wrong)])
                }
            } else {
                let text = try jws(#"{"crit":["b64"],"b64":false,"alg":"EdDSA"}"#, scene.holderKey)
                let token = try unsigned.completed(with: [pending.id: .jws(text)])
                _ = try await scene.presentation(try answers(token)[0])
                for refused in [
                    try jws(#"{"crit":["b64"],"b64":false,"alg":"EdDSA"}"#, scene.issuer),
                    try jws(#"{"alg":"EdDSA"}"#, scene.holderKey),
                    try jws(#"{"crit":["b64"],"b64":false,"alg":"ES256"}"#, scene.holderKey), "e30..", "x",
                ] {
                    expect(.signingFailed) { () throws(OID4VPError) in
                        try unsigned.completed(with: [pending.id: .jws(refused)])
                    }
                }
            }
            let foreign = try scene.issuer.signature(for: pending.bytesToSign)
            expect(.signingFailed) { () throws(OID4VPError) in
                try unsigned.completed(with: [pending.id: .bytes(foreign)])
            }
        }
    }

    @Test(arguments: ["ldp_vc", "jwt_vc_json"])
    func refusesPresentationsWithoutAHolder(_ format: String) async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query("q", format)))
        let credential = try await format == "ldp_vc" ? scene.linkedData() : scene.token()
        await expect(.missingHolderKey) {
            _ = try await scene.prepare([credential], for: request, keys: HolderKeys())
        }
    }

    @Test func presentsByTheHolderOfEachCredential() async throws {
        let scene = try await PresentationScene.make()
        let other = try SoftwareSigner(PrivateKey.generate(.ed25519))
        let request = try await PresentationScene.request(
            PresentationScene.definition(Self.descriptor("a", "ldp_vc"), Self.descriptor("b", "ldp_vc"))
        )
        let credentials = try await [
            scene.linkedData("mine"), scene.linkedData("theirs", subject: DID.key(other.publicKey).text),
        ]
        let (authenticated, parameters) = request
        let plan = try parameters.evaluate(over: credentials.queryable, at: PresentationScene.now)
            .plan(choosing: ["a": ["mine"], "b": ["theirs"]])
        var keys = try scene.keys()
        keys.holders["theirs"] = try scene.holder(.ed25519Signature2020, other)
        let builder = PresentationBuilder(
            parameters,
            try PresentationBinding(authenticated, parameters, mdocGeneratedNonce: "w")
        )
        let unsigned = try await builder.prepare(plan, of: credentials, keys: keys, at: PresentationScene.now)
        let token = try await unsigned.signed(with: scene.signers + [other])
        guard case .definition(let presentations, let submission) = token else {
            Issue.record("another form")
            return
        }
        #expect(submission.entries.map(\.path) == ["$[0]", "$[1]"])
        var holders: [DID] = []
        for presentation in presentations { holders.append(try await scene.presentation(presentation).holder) }
        #expect(holders == [scene.holderDID, try DID.key(other.publicKey)])
    }
}

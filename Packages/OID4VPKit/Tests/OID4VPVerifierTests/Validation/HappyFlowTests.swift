import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPVerifier
import SDJWTKit
import Testing

/// Right presentations of every format, version and mode are verified.
struct HappyFlowTests {
    static let formats: [CredentialFormat] = [.mdoc, .sdJWT, .linkedData, .jwt]
    static let modes: [ResponseMode] = [
        .directPost, .directPostJWT, .digitalCredentials, .digitalCredentialsJWT, .fragment,
    ]

    @Test(arguments: formats, modes)
    func verifiesAnAnswerToDCQL(_ format: CredentialFormat, _ mode: ResponseMode) async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([format]), mode: mode)
        let id = request.expectation.queryIDs[0]
        let verification = try await scene.verify([id: await scene.presented(format, request)], request)
        #expect(verification.refusal == nil)
        let credential = try #require(verification.verified?[id].first)
        #expect(credential.format == format && credential.isHolderBound)
        #expect(verification.verified?.answers.map(\.query) == [id])
        #expect(verification.parts.map(\.name) == [id.text])
        #expect(verification.checks.map(\.check) == PresentationVerifier.responseChecks)
        #expect(verification.parts[0].verification.checks.map(\.check) == PresentationVerifier.queryChecks)
    }

    /// A response may have many presentations: none is looked at after the task was cancelled.
    @Test(arguments: formats)
    func verifiesNothingOnceCancelled(_ format: CredentialFormat) async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([format]))
        let id = request.expectation.queryIDs[0]
        let presented = try await scene.presented(format, request)
        let verification = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await scene.verify([id: presented], request)
        }.value
        verification.expectRefusal(.structure, .incomplete)
        let presentation = try #require(verification.parts.first?.verification.parts.first?.verification)
        #expect(presentation.checks.map(\.permitsSuccess).contains(true) == false)
    }

    @Test(arguments: formats, [OpenID4VPVersion.draft21, .draft23])
    func verifiesAnAnswerToPresentationExchange(_ format: CredentialFormat, _ version: OpenID4VPVersion) async throws {
        var scene = try await Scene()
        scene.party.client = .preRegistered("verifier", signer: nil)
        scene.party.encryption.key = .fixed(
            try JWK(PrivateKey.generate(.p256), keyID: "e1", use: .encryption, algorithm: "ECDH-ES")
        )
        // A registered client sends no metadata: the wallet encrypts to the key that it knows.
        let (asked, walletNonce) = (format == .sdJWT && version == .draft21 ? .olderSDJWT : format, "W1h2")
        let request = try scene.request(Scene.definition(asked), version: version)
        let presentation = try await scene.presented(format, request, walletNonce: walletNonce)
        let parameters = Self.submitting(presentation, format: asked, request)
        let key = try #require(request.expectation.decryption)
        let jwe = try JWE.encrypt(
            JSONValue.object(parameters).encoded(),
            to: .jwk(
                try #require(key.key.publicJWK),
                .ecdhES,
                for: key.encryptions[0],
                partyUInfo: Array(walletNonce.utf8)
            ),
            with: key.encryptions[0]
        )
        let text = try jwe.compactSerialization()
        let received = try ReceivedResponse(form: FormParameters.form(["response": text]))
        #expect(received.keyID == nil || received.keyID == "e1")
        let read = try await ResponseReader().read(received, for: request.expectation, at: Scene.now)
        guard case .presentations(let presentations) = read else { throw NoPresentations() }
        #expect(presentations.mdocGeneratedNonce == walletNonce)
        let verification = await scene.verifier().verify(presentations, for: request.expectation)
        #expect(verification.refusal == nil)
        #expect(verification.verified?.answers.first?.credentials.first?.format == format)
    }

    /// The parameters with a submission that leads to the only credential of a presentation.
    static func submitting(
        _ presentation: JSONValue,
        format: CredentialFormat,
        _ request: CreatedRequest,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) -> JSONObject {
        let id = request.expectation.queryIDs[0].text
        var entry: JSONObject = ["id": .string(id), "format": .string(format.text), "path": "$"]
        if format == .linkedData || format == .jwt {
            entry["format"] = format == .jwt ? "jwt_vp_json" : "ldp_vp"
            entry["path_nested"] = [
                "id": .string(id), "format": .string(format.text),
                "path": format == .jwt ? "$.vp.verifiableCredential[0]" : "$.verifiableCredential[0]",
            ]
        }
        change(&entry)
        var parameters: JSONObject = [
            "vp_token": presentation,
            "presentation_submission": [
                "id": "s", "definition_id": "definition", "descriptor_map": [.object(entry)],
            ],
        ]
        if let state = request.expectation.state { parameters["state"] = .string(state) }
        return parameters
    }

    @Test func verifiesSeveralQueriesAtOnce() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query(Self.formats))
        var answers: [QueryID: JSONValue] = [:]
        for (id, format) in zip(request.expectation.queryIDs, Self.formats) {
            answers[id] = try await scene.presented(format, request)
        }
        let verification = try await scene.verify(answers, request)
        #expect(verification.refusal == nil)
        // In the order of the request, whatever that of the response is.
        #expect(verification.verified?.answers.map(\.query) == request.expectation.queryIDs)
    }

    @Test func takesCredentialsWithoutAHolderWhereNoneIsAskedFor() async throws {
        let scene = try await Scene()
        for format in [CredentialFormat.linkedData, .jwt, .sdJWT] {
            let query = try Scene.query([format]) { $0.requiresHolderBinding = false }
            let request = try scene.request(query)
            let presentation: JSONValue
            switch format {
            case .sdJWT:
                let text = try await scene.sdJWT().presentation(disclosing: [["family_name"]]).compactSerialization()
                presentation = .string(text)
            default:
                switch try await scene.w3c(format).form {
                case .linkedData(let document): presentation = .object(document.unverifiedMembers)
                case .token(let token): presentation = .string(try token.compactSerialization())
                }
            }
            let verification = try await scene.verify([request.expectation.queryIDs[0]: presentation], request)
            #expect(verification.refusal == nil, "\(format)")
            #expect(verification.verified?.answers[0].credentials[0].isHolderBound == false, "\(format)")
            // The same is refused where a holder is asked for.
            let strict = try scene.request(Scene.query([format]))
            let refused = try await scene.verify([strict.expectation.queryIDs[0]: presentation], strict)
            #expect(refused.refusal?.reason == .invalidHolderBinding, "\(format)")
        }
    }

    /// Only types that are IRIs count where a context is unknown, as in a token.
    @Test func takesACredentialWithAnUnknownContext() async throws {
        let scene = try await Scene()
        let content = try W3CCredentialContent(
            types: ["https://issuer.example/Employee"],
            contexts: ["https://issuer.example/contexts/v1"],
            issuer: DID.key(scene.didIssuer.publicKey).text,
            subjects: [["degree": "Bachelor"]]
        )
        let signed = try await LinkedDataProver().sign(
            content.members,
            suite: .eddsaJCS2022,
            options: LinkedDataProofOptions(verificationMethod: Scene.keyName(scene.didIssuer), created: Scene.now),
            with: scene.didIssuer
        )
        let types: [(ExactText, Bool)] = [
            ("https://issuer.example/Employee", true),
            ("https://www.w3.org/2018/credentials#VerifiableCredential", false),
        ]
        for (type, isVerified) in types {
            let query = try Scene.query([.linkedData]) { query in
                query.requiresHolderBinding = false
                query.type = .expandedTypes([[type]])
            }
            let request = try scene.request(query)
            let answer = [request.expectation.queryIDs[0]: JSONValue.object(signed.unverifiedMembers)]
            let verification = try await scene.verify(answer, request)
            #expect((verification.refusal == nil) == isVerified, "\(String(describing: verification.refusal))")
        }
    }

    /// `typ` should be there, but need not (Securing VCs using JOSE and COSE, section 3.1.1).
    @Test func takesATokenOfVersion2WithoutAType() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.jwt]) { $0.claims = [] })
        let content = try W3CCredentialContent(
            issuer: DID.key(scene.didIssuer.publicKey).text,
            subjects: [["id": .string(try DID.key(scene.didHolder.publicKey).text)]]
        )
        let issuerKey = try Scene.keyName(scene.didIssuer).text
        func untyped(_ claims: JWTClaims, _ keyID: String, _ signer: SoftwareSigner) async throws -> JWT {
            try await JWT.sign(claims, header: ["kid": .string(keyID)], with: signer)
        }
        let credential = try await untyped(content.tokenClaims, issuerKey, scene.didIssuer)
        let presentation = try W3CPresentationContent(
            holder: DID.key(scene.didHolder.publicKey).text,
            credentials: [VerifiableCredential(.token(credential))]
        )
        let claims = presentation.tokenClaims(
            nonce: ExactText(request.expectation.nonce),
            audience: ExactText(Scene.audience(request))
        )
        let token = try await untyped(claims, Scene.keyName(scene.didHolder).text, scene.didHolder)
        let answer = [request.expectation.queryIDs[0]: JSONValue.string(try token.compactSerialization())]
        let verification = try await scene.verify(answer, request)
        #expect(verification.refusal == nil, "\(String(describing: verification.refusal))")
        #expect(verification.verified?.answers[0].credentials[0].isHolderBound == true)
    }

    @Test func checksAPresentationWithoutASession() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]), mode: .directPost)
        let verifier = scene.verifier()
        for format in Self.formats {
            var expectation = HolderProofExpectation(
                audience: Scene.audience(request),
                nonce: request.expectation.nonce,
                sessionTranscript: Scene.transcript(request)
            )
            let presentation = try await scene.presented(format, request)
            let verification = await verifier.verify(presentation, as: format, expecting: expectation)
            #expect(verification.refusal == nil, "\(format)")
            #expect(verification.verified?.count == 1)
            expectation.nonce = "other"
            expectation.sessionTranscript = SessionTranscript(
                handover: .openID4VP(
                    clientID: "x",
                    nonce: "other",
                    jwkThumbprint: nil,
                    responseURI: "https://x.example"
                )
            )
            let other = await verifier.verify(presentation, as: format, expecting: expectation)
            #expect(other.refusal != nil, "\(format)")
            let none = await verifier.verify(presentation, as: format, expecting: nil)
            #expect(none.refusal != nil, "a presentation for someone is not one for nobody: \(format)")
        }
    }

    @Test func refusesAFormatThatNothingVerifies() async throws {
        let scene = try await Scene()
        let verifier = PresentationVerifier(FormatVerifiers(), clock: { Scene.now })
        for format in Self.formats + ["ac_vp", "dc+sd-jwt-2"] {
            let verification = await verifier.verify("e30", as: format, expecting: nil)
            verification.expectRefusal(.structure, .unexpectedFormat)
        }
        let other = await scene.verifier().verify(["a": 1], as: .sdJWT, expecting: nil)
        other.expectRefusal(.structure, .malformed)
    }
}

extension FormParameters {
    /// The text of a form.
    static func form(_ parameters: KeyValuePairs<String, String>) -> String {
        var form = FormParameters()
        for (name, value) in parameters { form.append(name, value) }
        return form.text
    }
}

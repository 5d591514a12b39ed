import JSONKit
import OID4VPVerifier
import SDJWTKit
import Testing

/// Answers to presentation definitions: the submission must lead to every credential, and to no other place.
struct SubmissionTests {
    private func verification(
        _ format: CredentialFormat,
        _ change: (inout JSONObject) -> Void
    ) async throws -> Verification<VerifiedResponse> {
        let scene = try await Scene()
        let request = try scene.request(Scene.definition(format), version: .draft23, mode: .directPostJWT)
        let presentation = try await scene.presented(format, request, walletNonce: "W")
        let parameters = HappyFlowTests.submitting(presentation, format: format, request, change)
        return try await scene.verify(parameters, request, partyUInfo: "W")
    }

    @Test(arguments: HappyFlowTests.formats)
    func takesTheRightPlace(_ format: CredentialFormat) async throws {
        #expect(try await verification(format) { _ in }.refusal == nil)
    }

    @Test func takesAnEnvelopeWithOneCredentialWithoutItsPlace() async throws {
        #expect(
            try await verification(.jwt) { entry in
                entry["path_nested"] = nil
                entry["format"] = "jwt_vc_json"
            }.refusal == nil
        )
    }

    /// Both notations of JSONPath lead to the same place.
    @Test(arguments: ["$['verifiableCredential'][0]", "$.verifiableCredential", "$[\"verifiableCredential\"][0]"])
    func takesAPlaceInAnyNotation(path: String) async throws {
        #expect(
            try await verification(.linkedData) { entry in
                entry["path_nested"] = ["id": entry["id"] ?? .null, "format": "ldp_vc", "path": .string(path)]
            }.refusal == nil
        )
    }

    @Test(arguments: [CredentialFormat.linkedData, .jwt])
    func refusesAPlaceElsewhere(_ format: CredentialFormat) async throws {
        for path in ["$.verifiableCredential[1]", "$.proof", "$", "$..verifiableCredential[0]"] {
            try await verification(format) { entry in
                entry["path_nested"] = [
                    "id": entry["id"] ?? .null, "format": .string(format.text), "path": .string(path),
                ]
            }.expectRefusal(.submission, .credentialNotFound)
        }
    }

    @Test func refusesANestedPlaceInAFormatWithoutEnvelopes() async throws {
        for format in [CredentialFormat.sdJWT, .mdoc] {
            try await verification(format) { entry in
                entry["path_nested"] = ["id": entry["id"] ?? .null, "format": .string(format.text), "path": "$"]
            }.expectRefusal(.submission, .credentialNotFound)
        }
    }

    @Test func refusesAnotherFormatThanItNames() async throws {
        try await verification(.linkedData) { entry in
            entry["path_nested"] = [
                "id": entry["id"] ?? .null, "format": "jwt_vc_json", "path": "$.verifiableCredential[0]",
            ]
        }.expectRefusal(.submission, .unexpectedFormat)
        try await verification(.sdJWT) { $0["format"] = "mso_mdoc" }.expectRefusal(.structure, .malformed)
    }

    /// The header says `EdDSA` or `Ed25519`, and a definition may list either.
    @Test(arguments: [("EdDSA", true), ("Ed25519", true), ("ES256", false)])
    func takesAnAlgorithmByEitherName(_ name: String, isTaken: Bool) async throws {
        let scene = try await Scene()
        var definition = try #require(Scene.definition(.jwt).objectValue)
        var descriptor = try #require(definition["input_descriptors"]?[0]?.objectValue)
        descriptor["format"] = ["jwt_vc_json": ["alg": [.string(name)]]]
        definition["input_descriptors"] = [.object(descriptor)]
        let request = try scene.request(.object(definition), version: .draft23)
        let presentation = try await scene.presented(.jwt, request)
        let parameters = HappyFlowTests.submitting(presentation, format: .jwt, request)
        let verification = try await scene.verify(parameters, request)
        if isTaken {
            #expect(verification.refusal == nil)
        } else {
            verification.expectRefusal(.algorithm, .algorithmNotAllowed)
        }
    }

    @Test func refusesACredentialThatDoesNotFit() async throws {
        let scene = try await Scene()
        var definition = try #require(Scene.definition(.sdJWT).objectValue)
        definition["input_descriptors"] = [
            ["id": "pid", "constraints": ["fields": [["path": ["$.family_name"], "filter": ["const": "Doe"]]]]]
        ]
        let request = try scene.request(.object(definition), version: .draft23)
        let presentation = try await scene.presentedSDJWT(request)
        let parameters = HappyFlowTests.submitting(presentation, format: .sdJWT, request)
        try await scene.verify(parameters, request).expectRefusal(.requestedClaims, .claimMismatch)
    }

    @Test func refusesACredentialThatNoDescriptorAskedFor() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.definition(.linkedData), version: .draft23)
        let two = [try await scene.w3c(.linkedData), try await scene.w3c(.linkedData)]
        let presentation = try await scene.presentedW3C(.linkedData, request, of: two)
        let parameters = HappyFlowTests.submitting(presentation, format: .linkedData, request)
        try await scene.verify(parameters, request).expectRefusal(.query, .unrequestedCredential)
    }

    @Test func refusesAnUnansweredDescriptor() async throws {
        let scene = try await Scene()
        var definition = try #require(Scene.definition(.sdJWT).objectValue)
        var descriptors = definition["input_descriptors"]?.arrayValue ?? []
        descriptors += Scene.definition(.jwt)["input_descriptors"]?.arrayValue ?? []
        definition["input_descriptors"] = .array(descriptors)
        let request = try scene.request(.object(definition), version: .draft23)
        let presentation = try await scene.presentedSDJWT(request)
        let parameters = HappyFlowTests.submitting(presentation, format: .sdJWT, request)
        try await scene.verify(parameters, request).expectRefusal(.query, .queryNotAnswered)
    }

    @Test func refusesAnMdocWithoutTheWalletsNonce() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.definition(.mdoc), version: .draft23)
        let presentation = try await scene.presented(.mdoc, request, walletNonce: "W")
        let parameters = HappyFlowTests.submitting(presentation, format: .mdoc, request)
        try await scene.verify(parameters, request).expectRefusal(.structure, .invalidHolderBinding)
        try await scene.verify(parameters, request, partyUInfo: "V")
            .expectRefusal(.holderBinding, .invalidHolderBinding)
    }

    @Test func refusesARefusedPresentation() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.definition(.sdJWT), version: .draft23)
        let presentation = try await scene.presentedSDJWT(request) { $0.nonce = "other" }
        let parameters = HappyFlowTests.submitting(presentation, format: .sdJWT, request)
        try await scene.verify(parameters, request).expectRefusal(.nonce, .claimMismatch)
    }

    @Test func countsWhatSubmissionRequirementsDemand() async throws {
        let scene = try await Scene()
        var definition = try #require(Scene.definition(.sdJWT).objectValue)
        let both =
            (definition["input_descriptors"]?.arrayValue ?? [])
            + (Scene.definition(.jwt)["input_descriptors"]?.arrayValue ?? [])
        definition["input_descriptors"] = .array(
            both.map { descriptor in
                var members = descriptor.objectValue ?? [:]
                members["group"] = ["A"]
                return .object(members)
            }
        )
        for (count, isEnough) in [(1, true), (2, false)] {
            definition["submission_requirements"] = [["rule": "pick", "count": .integer(count), "from": "A"]]
            let request = try scene.request(.object(definition), version: .draft23)
            let parameters = HappyFlowTests.submitting(
                try await scene.presentedSDJWT(request),
                format: .sdJWT,
                request
            )
            let verification = try await scene.verify(parameters, request)
            if isEnough {
                #expect(verification.verified?.answers.map(\.query) == ["pid"])
            } else {
                verification.expectRefusal(.query, .queryNotAnswered)
            }
        }
    }

    @Test func takesSeveralDocumentsOfOneResponse() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.definition(.mdoc), version: .draft23)
        let transcript = Scene.transcript(request, walletNonce: "W")
        // Two documents, of which the descriptor asks for one.
        let two = [try await scene.mdoc(), try await scene.mdoc()]
        let presentation = try await scene.presentedMdoc(transcript, of: two)
        let parameters = HappyFlowTests.submitting(presentation, format: .mdoc, request)
        try await scene.verify(parameters, request, partyUInfo: "W")
            .expectRefusal(.query, .unrequestedCredential)
    }

    /// A response that was read for one request, and is verified for one to another page.
    @Test func refusesAResponseToAnotherPage() async throws {
        var scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]), mode: .digitalCredentials)
        let presentation = try await scene.presentedSDJWT(request)
        let received = try Wallet.send(["vp_token": ["pid": [presentation]]], request)
        let read = try await ResponseReader().read(received, for: request.expectation, at: Scene.now)
        guard case .presentations(let presentations) = read else {
            Issue.record("\(read)")
            return
        }
        scene.party.origins = ["https://other.example"]
        let other = try scene.request(Scene.query([.sdJWT]), mode: .digitalCredentials)
        let verification = await scene.verifier().verify(presentations, for: other.expectation)
        verification.expectRefusal(.structure, .originMismatch)
    }
}

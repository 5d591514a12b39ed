import CBORKit
import CryptoCore
import JOSEKit
import JSONKit
import MdocKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import Testing

struct MdocPresentationTests {
    private static let query: JSONValue = [
        "id": "mdl", "format": "mso_mdoc", "meta": ["doctype_value": "org.iso.18013.5.1.mDL"],
        "claims": [["path": ["org.iso.18013.5.1", "family_name"]]],
    ]

    private static func descriptor(_ id: String, _ element: String, group: String = "A") -> JSONValue {
        [
            "id": .string(id), "format": ["mso_mdoc": ["alg": ["ES256"]]],
            "constraints": [
                "limit_disclosure": "required",
                "fields": [["path": [.string("$['org.iso.18013.5.1']['\(element)']")]]],
            ],
        ]
    }

    private func identifiers(_ document: VerifiedMdocDocument) -> Set<String> {
        Set(document.elements.references.map(\.identifier.text))
    }

    @Test func answersDCQLWithOneDocumentForEachPresentation() async throws {
        let scene = try await PresentationScene.make()
        var second = try #require(Self.query.objectValue)
        second["id"] = "again"
        second["claims"] = [["path": ["org.iso.18013.5.1", "age_over_18"]]]
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query, .object(second)))
        guard case .queries(let answers) = try await scene.answer([scene.mdoc()], for: request) else {
            Issue.record("another form")
            return
        }
        #expect(answers.map(\.query) == ["mdl", "again"])
        let handover = Handover.openID4VP(
            clientID: PresentationScene.clientID,
            nonce: PresentationScene.nonce,
            jwkThumbprint: nil,
            responseURI: PresentationScene.address
        )
        var disclosed: [Set<String>] = []
        for answer in answers {
            #expect(answer.presentations.count == 1)
            let documents = try await scene.documents(answer.presentations[0], handover)
            disclosed += documents.map(identifiers)
        }
        #expect(disclosed == [["family_name"], ["age_over_18"]])
    }

    @Test(arguments: ["direct_post.jwt", "fragment.jwt"])
    func answersDefinitionsWithOneResponseInEncryptedModesAlone(_ mode: String) async throws {
        let scene = try await PresentationScene.make()
        let definition = PresentationScene.definition(
            Self.descriptor("org.iso.18013.5.1.mDL", "family_name"),
            Self.descriptor("org.example.other", "given_name")
        )
        let others: JSONObject =
            mode == "fragment.jwt" ? ["redirect_uri": .string(PresentationScene.address), "response_uri": .null] : [:]
        let request = try await PresentationScene.request(definition, mode: mode, others: others)
        let credentials = try await [scene.mdoc(), scene.mdoc("other", docType: "org.example.other")]
        let unsigned = try await scene.prepare(credentials, for: request)
        guard
            case .definition(let presentations, let submission) = try await unsigned.signed(with: scene.signers)
        else {
            Issue.record("another form")
            return
        }
        #expect(presentations.count == 1)
        #expect(submission.definition == "definition")
        #expect(submission.entries.map(\.path) == ["$", "$"])
        #expect(submission.entries.map(\.format) == ["mso_mdoc", "mso_mdoc"])
        #expect(submission.entries.allSatisfy { $0.nested.isEmpty })
        let handover = Handover.openID4VPDraft23(
            clientID: PresentationScene.clientID,
            responseURI: PresentationScene.address,
            nonce: PresentationScene.nonce,
            mdocGeneratedNonce: Base64URL.encode([UInt8](repeating: 1, count: 16))
        )
        let documents = try await scene.documents(presentations[0], handover)
        #expect(documents.map(\.docType) == ["org.iso.18013.5.1.mDL", "org.example.other"])
        #expect(documents.map(identifiers) == [["family_name"], ["given_name"]])
    }

    @Test func mergesWhatSeveralDescriptorsAskOfOneDocument() async throws {
        let scene = try await PresentationScene.make()
        let definition = PresentationScene.definition(Self.descriptor("a", "given_name"), Self.descriptor("b", "age"))
        let (authenticated, request) = try await PresentationScene.request(definition, mode: "direct_post.jwt")
        guard case .mdoc(let mdoc) = try await scene.mdoc() else { return }
        let items = [("a", "given_name"), ("b", "age_over_18")].map { query, element in
            PresentationItem(
                query: QueryID(query),
                credential: "mdl",
                format: .mdoc,
                content: .mdoc(mdoc.stored.issuerSigned, [DataElementReference(.mDL, DataElementIdentifier(element))])
            )
        }
        let unsigned = try await PresentationBuilder(
            request,
            try PresentationBinding(authenticated, request, mdocGeneratedNonce: "w")
        )
        .prepare(items, keys: HolderKeys(), at: PresentationScene.now, using: CountingRandom())
        #expect(unsigned.pendingSignatures.map(\.queries) == [["a", "b"]])
        guard case .definition(let presentations, let submission) = try await unsigned.signed(with: scene.signers)
        else {
            Issue.record("another form")
            return
        }
        #expect(presentations.count == 1 && submission.entries.map(\.path) == ["$", "$"])
        let response = try DeviceResponse(decoding: Base64URL.decode(try #require(presentations[0].stringValue)))
        #expect(response.documents.count == 1)
        let disclosed = response.documents[0].issuerSigned.nameSpaces.flatMap(\.items)
        #expect(Set(disclosed.map(\.elementIdentifier)) == ["given_name", "age_over_18"])
    }

    @Test func refusesUnencryptedDefinitions() async throws {
        let scene = try await PresentationScene.make()
        let definition = PresentationScene.definition(Self.descriptor("org.iso.18013.5.1.mDL", "family_name"))
        let request = try await PresentationScene.request(definition)
        await expect(.presentationFailed) { _ = try await scene.prepare([scene.mdoc()], for: request) }
    }

    @Test func showsAllThatSignersElsewhereNeed() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query))
        let unsigned = try await scene.prepare([scene.mdoc()], for: request)
        let pending = try #require(unsigned.pendingSignatures.first)
        guard case .deviceAuthentication(let docType, let tagged) = pending.subject,
            case .coseKey(let key) = pending.keyReference
        else {
            Issue.record("another subject")
            return
        }
        #expect(docType == .mDL)
        #expect(pending.credentials == ["mdl"] && pending.queries == ["mdl"] && pending.format == .mdoc)
        #expect(pending.key == scene.deviceKey.publicKey && pending.algorithm == .ecdsaSHA256)
        let structure: CBOR = [
            "Signature1", .bytes([0xa1, 0x01, 0x26]), .bytes([]), .bytes(tagged),
        ]
        #expect(pending.bytesToSign == structure.encoded())
        #expect(try CBOR(decoding: key)[1] == 2)
    }

    @Test func refusesSignaturesOfOtherKeys() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query))
        let unsigned = try await scene.prepare([scene.mdoc()], for: request)
        let id = unsigned.pendingSignatures[0].id
        let other = try SoftwareSigner(PrivateKey.generate(.p256))
        let foreign = try other.signature(for: unsigned.pendingSignatures[0].bytesToSign)
        for signatures in [
            [id: .bytes(foreign)], [:], ["other": .bytes(foreign)], [id: .jws("e30..e30")],
            [id: .bytes(foreign), "other": .bytes(foreign)],
        ] as [[String: PresentationSignature]] {
            expect(.signingFailed) { () throws(OID4VPError) in try unsigned.completed(with: signatures) }
        }
        await expect(.missingHolderKey) { _ = try await unsigned.signed(with: [other]) }
    }
}

import CryptoCore
import JOSEKit
import JSONKit
import MdocKit
import OID4VPKit
import OID4VPMessages
import TestSupport
import Testing

private let vectors = VectorSet("oid4vp")

struct PresentationBindingTests {
    private static let query = PresentationScene.dcql(["id": "q", "format": "mso_mdoc", "meta": [:]])
    private static let definition = PresentationScene.definition(["id": "q", "constraints": [:]])
    private static let thumbprint = [UInt8](hex: "4283ec927ae0f208daaa2d026a814f2b22dca52cf85ffa8f3f8626c6bd669047")

    /// Encrypted responses of 1.0 name no algorithm of the drafts.
    private static let encryption: JSONObject = [
        "client_metadata": ["jwks": PresentationScene.encryption["jwks"] ?? .null]
    ]

    @Test(arguments: [("direct_post", false), ("direct_post.jwt", true), ("fragment", false)])
    func namesTheWholeClientIdentifierInRedirectsAndPosts(_ mode: String, _ isEncrypted: Bool) async throws {
        var others: JSONObject = isEncrypted ? Self.encryption : [:]
        if mode == "fragment" {
            others["redirect_uri"] = .string(PresentationScene.address)
            others["response_uri"] = .null
        }
        let (authenticated, request) = try await PresentationScene.request(Self.query, mode: mode, others: others)
        let binding = try PresentationBinding(authenticated, request, mdocGeneratedNonce: "w")
        #expect(binding.audience == PresentationScene.clientID && binding.nonce == PresentationScene.nonce)
        let expected = Handover.openID4VP(
            clientID: PresentationScene.clientID,
            nonce: PresentationScene.nonce,
            jwkThumbprint: isEncrypted ? Self.thumbprint : nil,
            responseURI: PresentationScene.address
        )
        #expect(binding.handover == expected)
    }

    @Test func namesTheOriginToPages() async throws {
        let (authenticated, request) = try await PresentationScene.platformRequest(Self.query)
        let binding = try PresentationBinding(authenticated, request, mdocGeneratedNonce: "w")
        #expect(binding.audience == "origin:https://v.example")
        let expected = Handover.openID4VPDigitalCredentialsAPI(
            origin: "https://v.example",
            nonce: PresentationScene.nonce,
            jwkThumbprint: nil
        )
        #expect(binding.handover == expected)
        // Draft 25 has the protocols of 1.0 and presentation definitions.
        let (earlier, definition) = try await PresentationScene.platformRequest(Self.definition)
        #expect(try PresentationBinding(earlier, definition, mdocGeneratedNonce: "w").handover == expected)
    }

    @Test(arguments: [query, definition])
    func namesTheSyntheticClientToPagesInDrafts(_ query: JSONObject) async throws {
        let (authenticated, request) = try await PresentationScene.platformRequest(query, by: PlatformRequest.draft)
        let binding = try PresentationBinding(authenticated, request, mdocGeneratedNonce: "w")
        #expect(binding.audience == "web-origin:https://v.example")
        let older = Handover.openID4VPDraft24DigitalCredentialsAPI(
            origin: "https://v.example",
            clientID: "web-origin:https://v.example",
            nonce: PresentationScene.nonce
        )
        #expect(binding.handover == older)
    }

    @Test(arguments: ["vp_formats", "authorization_encrypted_response_alg"])
    func usesTheWalletsNonceInDraftsWithDCQL(_ older: String) async throws {
        var metadata = PresentationScene.encryption
        if older == "vp_formats" {
            metadata["vp_formats"] = ["mso_mdoc": [:]]
            metadata["authorization_encrypted_response_alg"] = nil
        }
        let (authenticated, request) = try await PresentationScene.request(
            Self.query,
            mode: "direct_post.jwt",
            others: ["client_metadata": .object(metadata)],
            options: .deployed
        )
        let binding = try PresentationBinding(authenticated, request, mdocGeneratedNonce: "w")
        let expected = Handover.openID4VPDraft23(
            clientID: PresentationScene.clientID,
            responseURI: PresentationScene.address,
            nonce: PresentationScene.nonce,
            mdocGeneratedNonce: "w"
        )
        #expect(binding.handover == expected)
        let responder = AuthorizationResponder(authenticated, mdocGeneratedNonce: "w")
        let info = responder.partyInfo(for: request.encryption)
        #expect(info.wallet == Array("w".utf8) && info.verifier == Array(PresentationScene.nonce.utf8))
    }

    /// Members of later versions beside the names of drafts.
    @Test(
        arguments: [
            (["vp_formats_supported": ["mso_mdoc": [:]]], [:]),
            ([:], ["verifier_info": [["format": "jwt", "data": "a.b.c"]]]),
        ] as [(JSONObject, JSONObject)]
    )
    func usesTheHandoverOfTheStandardWhereNewerMembersStand(_ metadata: JSONObject, _ others: JSONObject) async throws {
        let metadata = PresentationScene.encryption.merging(metadata)
        let (authenticated, request) = try await PresentationScene.request(
            Self.query,
            mode: "direct_post.jwt",
            others: others.merging(["client_metadata": .object(metadata)]),
            options: .deployed
        )
        let binding = try PresentationBinding(authenticated, request, mdocGeneratedNonce: "w")
        let expected = Handover.openID4VP(
            clientID: PresentationScene.clientID,
            nonce: PresentationScene.nonce,
            jwkThumbprint: Self.thumbprint,
            responseURI: PresentationScene.address
        )
        #expect(binding.handover == expected)
    }

    @Test func usesTheWalletsNonceInDrafts() async throws {
        let (authenticated, request) = try await PresentationScene.request(Self.definition, mode: "direct_post.jwt")
        let binding = try PresentationBinding(authenticated, request, mdocGeneratedNonce: "w")
        let expected = Handover.openID4VPDraft23(
            clientID: PresentationScene.clientID,
            responseURI: PresentationScene.address,
            nonce: PresentationScene.nonce,
            mdocGeneratedNonce: "w"
        )
        #expect(binding.handover == expected && binding.mdocGeneratedNonce == "w")
        let (open, unencrypted) = try await PresentationScene.request(Self.definition)
        #expect(try PresentationBinding(open, unencrypted, mdocGeneratedNonce: "w").handover == nil)
    }

    @Test(arguments: [("iar-post", "iar:"), ("iae_post", "iae:"), ("ia_post", "ia:"), ("ia_post.jwt", "ia:")])
    func namesTheEndpointOfInteractiveAuthorization(_ mode: String, _ prefix: String) async throws {
        let (endpoint, isEncrypted) = ("https://as.example/ia", mode.hasSuffix(".jwt"))
        let others = isEncrypted ? Self.encryption : [:]
        func binding(_ endpoint: InteractiveEndpoint?) async throws -> PresentationBinding {
            let (authenticated, request) = try await PresentationScene.request(
                Self.query,
                mode: mode,
                others: others,
                endpoint: endpoint
            )
            return try PresentationBinding(authenticated, request, mdocGeneratedNonce: "w")
        }
        let byEndpoint = try await binding(InteractiveEndpoint(url: endpoint, prevailsOverResponseURI: true))
        #expect(byEndpoint.audience == prefix + endpoint)
        let expected = Handover.openID4VCIInteractiveAuthorization(
            endpoint: endpoint,
            nonce: PresentationScene.nonce,
            jwkThumbprint: isEncrypted ? Self.thumbprint : nil
        )
        #expect(byEndpoint.handover == expected)
        // With an address the request is answered as one for direct_post.
        let byAddress = try await binding(nil)
        #expect(byAddress.audience == PresentationScene.clientID)
        let asPost = Handover.openID4VP(
            clientID: PresentationScene.clientID,
            nonce: PresentationScene.nonce,
            jwkThumbprint: isEncrypted ? Self.thumbprint : nil,
            responseURI: PresentationScene.address
        )
        #expect(byAddress.handover == asPost)
    }
}

/// The handovers that specifications print, and those that were computed by their rules.
@Suite(.enabled(if: vectors.isAvailable, VectorSet.absence))
struct HandoverVectorTests {
    private static let files = vectors.files(withExtension: "json").filter { file in
        (try? JSONValue(parsing: file.bytes()))?["printedInSpecifications"] != nil
    }

    private func thumbprint(_ inputs: JSONValue) throws -> [UInt8]? {
        let text = inputs["jwkThumbprintHex"]?.stringValue
        if let json = inputs["encryptionJwk"] {
            #expect(try JWK(json: json).thumbprint().hex == text)
        }
        return text.flatMap { [UInt8](hex: $0) }
    }

    private func handover(_ inputs: JSONValue) throws -> Handover {
        func text(_ name: String) -> String? { inputs[name]?.stringValue }
        let nonce = try #require(text("nonce"))
        if let mdocNonce = text("mdocGeneratedNonce") {
            return .openID4VPDraft23(
                clientID: try #require(text("clientId")),
                responseURI: try #require(text("responseUri")),
                nonce: nonce,
                mdocGeneratedNonce: mdocNonce
            )
        }
        let thumbprint = try thumbprint(inputs)
        if let endpoint = text("iae") {
            return .openID4VCIInteractiveAuthorization(endpoint: endpoint, nonce: nonce, jwkThumbprint: thumbprint)
        }
        if let origin = text("origin") {
            return .openID4VPDigitalCredentialsAPI(origin: origin, nonce: nonce, jwkThumbprint: thumbprint)
        }
        return .openID4VP(
            clientID: try #require(text("clientId")),
            nonce: nonce,
            jwkThumbprint: thumbprint,
            responseURI: try #require(text("responseUri"))
        )
    }

    @Test(arguments: files)
    func makesTheSameBytes(_ file: VectorFile) throws {
        let json = try JSONValue(parsing: file.bytes())
        var (ran, passedOver) = (0, [(name: String, reason: String)]())
        for group in json.objectValue?.names ?? [] {
            for vector in json[group]?.arrayValue ?? [] {
                let id = vector["id"]?.stringValue ?? "?"
                guard vector["sessionTranscriptHex"] != nil else {
                    passedOver.append((id, "session information for HPKE is no handover"))
                    continue
                }
                let inputs = try #require(vector["inputs"], "\(id)")
                let handover = try handover(inputs)
                #expect(handover.encodedBytes.hex == vector["handoverHex"]?.stringValue, "\(id)")
                let transcript = SessionTranscript(handover: handover)
                #expect(transcript.encodedBytes.hex == vector["sessionTranscriptHex"]?.stringValue, "\(id)")
                let authentication = vector["deviceAuthentication"]
                let docType = inputs["docType"]?.stringValue ?? authentication?["docType"]?.stringValue
                let bytes = vector["deviceAuthenticationBytesHex"] ?? authentication?["deviceAuthenticationBytesHex"]
                if let docType, let bytes = bytes?.stringValue {
                    let made = DeviceAuthentication(
                        sessionTranscript: transcript,
                        docType: DocType(docType),
                        // An empty map in a tag-24 byte string.
                        deviceNameSpacesBytes: [0xd8, 0x18, 0x41, 0xa0]
                    )
                    #expect(made.taggedBytes.hex == bytes, "\(id)")
                }
                ran += 1
            }
        }
        file.report(ran: ran, passedOver: passedOver)
        #expect(ran > 0)
    }
}

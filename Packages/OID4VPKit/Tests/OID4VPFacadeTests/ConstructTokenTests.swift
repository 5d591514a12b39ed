import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPFacade
import OID4VPMessages
import Testing

/// `constructUnsignedVPToken` and `constructVPResponse`, with V2 of each.
struct ConstructTokenTests {
    private static let all = FacadeScene.definition(
        FacadeScene.descriptor("l", "ldp_vc", "$.credentialSubject.level"),
        FacadeScene.descriptor("org.iso.18013.5.1.mDL", "mso_mdoc", "$['org.iso.18013.5.1']['family_name']"),
        FacadeScene.descriptor("s", "vc+sd-jwt", "$.family_name")
    )
    private static let suite = "Ed25519Signature2020"
    private static let audience = "redirect_uri:" + FacadeScene.address

    private func credentials(_ scene: FacadeScene) async throws -> [String: [FormatType: [Any]]] {
        [
            "l": [.ldp_vc: [try await scene.linkedData().plainForTests]],
            "org.iso.18013.5.1.mDL": [.mso_mdoc: [try await scene.mdoc()]],
            "s": [.vc_sd_jwt: [try await scene.sdJWT()]],
        ]
    }

    private func results(
        _ unsigned: [FormatType: any UnsignedVPToken],
        _ scene: FacadeScene
    ) throws -> [FormatType: any VPTokenSigningResult] {
        var results: [FormatType: any VPTokenSigningResult] = [:]
        if let ldp = unsigned[.ldp_vc] as? UnsignedLdpVPToken {
            results[.ldp_vc] = LdpVPTokenSigningResult(
                proofValue: try scene.proofValue(ldp.dataToSign),
                signatureAlgorithm: Self.suite
            )
        }
        if let mdoc = unsigned[.mso_mdoc] as? UnsignedMdocVPToken {
            results[.mso_mdoc] = MdocVPTokenSigningResult(
                docTypeToDeviceAuthentication: try mdoc.docTypeToDeviceAuthenticationBytes.mapValues {
                    try scene.deviceSignature($0)
                }
            )
        }
        for format in [FormatType.vc_sd_jwt, .dc_sd_jwt] {
            guard let sdJWT = unsigned[format] as? UnsignedSdJwtVPToken else { continue }
            results[format] = SdJwtVpTokenSigningResult(
                uuidToKbJWTSignature: try sdJWT.uuidToUnsignedKBT.mapValues { try scene.signature($0) }
            )
        }
        return results
    }

    private func refusal(_ body: () async throws -> Void) async -> OpenID4VPException? {
        await #expect(throws: OpenID4VPException.self) { try await body() }
    }

    // MARK: Whole answers

    @Test func answersWithAllFormatsEncrypted() async throws {
        let scene = try await FacadeScene()
        let wallet = try await scene.authenticated(Self.all, mode: "direct_post.jwt")
        let unsigned = try await wallet.constructUnsignedVPToken(
            verifiableCredentials: credentials(scene),
            holderId: scene.holderId,
            signatureSuite: Self.suite
        )
        #expect(Set(unsigned.keys) == [.ldp_vc, .mso_mdoc, .vc_sd_jwt])
        let mdoc = try #require(unsigned[.mso_mdoc] as? UnsignedMdocVPToken)
        #expect(mdoc.docTypeToDeviceAuthenticationBytes["org.iso.18013.5.1.mDL"]?.hasPrefix("d818") == true)
        let results = try results(unsigned, scene)
        let response = try wallet.constructVPResponse(vpTokenSigningResults: results)
        #expect(response.keys.map { $0 } == ["response"])
        let (content, header) = try await scene.opened(try #require(response["response"] as? String))
        let nonce = try #require(wallet.walletNonce)
        #expect(header["apu"] == .string(Base64URL.encode(Array(nonce.utf8))))
        #expect(header["apv"] == .string(Base64URL.encode(Array(FacadeScene.nonce.utf8))))
        #expect(header["kid"] == "1" && header["enc"] == "A256GCM" && content["state"] == "s1")
        let tokens = try #require(content["vp_token"]?.arrayValue)
        #expect(tokens.count == 3)
        _ = try await scene.verify(linkedData: tokens[0], audience: Self.audience)
        let handover = Handover.openID4VPDraft23(
            clientID: Self.audience,
            responseURI: FacadeScene.address,
            nonce: FacadeScene.nonce,
            mdocGeneratedNonce: nonce
        )
        let documents = try await scene.verify(mdoc: try #require(tokens[1].stringValue), handover)
        #expect(documents[0].elements.references.map(\.identifier.text) == ["family_name"])
        _ = try await scene.verify(sdJWT: try #require(tokens[2].stringValue), audience: Self.audience)
        let submission = try PresentationSubmission(json: try #require(content["presentation_submission"]))
        #expect(submission.definition == "pd" && submission.entries.map(\.path) == ["$[0]", "$[1]", "$[2]"])

        let answer = try await wallet.sendVPResponseToVerifier(vpTokenSigningResults: results)
        #expect(answer.statusCode == 200 && answer.redirectUri == "https://v.example/done")
        #expect(answer.additionalParams["message"] as? String == "ok")
        #expect(answer.additionalParamsText == #"{"message":"ok"}"# && answer.body().contains("redirect_uri"))
        #expect(answer.headers.keys.contains { $0.lowercased() == "content-type" })
        let form = try #require(try scene.posts.first)
        #expect(form.items.map(\.name) == ["response"])
    }

    @Test func answersUnencrypted() async throws {
        let scene = try await FacadeScene()
        let wallet = try await scene.authenticated()
        let unsigned = try await wallet.constructUnsignedVPToken(
            credentialsMap: ["s": [:], "d": ["vc+sd-jwt": [try await scene.sdJWT() as Any]]].filter { $0.key == "d" }
        )
        let results = try results(unsigned, scene)
        let response = try wallet.constructVPResponse(vpTokenSigningResults: results)
        #expect(Set(response.keys) == ["vp_token", "presentation_submission"])
        let token = try #require(response["vp_token"] as? String)
        _ = try await scene.verify(sdJWT: token, audience: Self.audience)
        let submission = try #require(response["presentation_submission"] as? [String: Any])
        #expect(submission["definition_id"] as? String == "pd")
        _ = try await wallet.sendVPResponseToVerifier(vpTokenSigningResults: results)
        let form = try #require(try scene.posts.first)
        #expect(form["vp_token"] == token && form["state"] == "s1")
        #expect(form["presentation_submission"] != nil)
    }

    @available(*, deprecated)
    @Test func sharesByTheOlderName() async throws {
        let scene = try await FacadeScene()
        let wallet = try await scene.authenticated()
        let unsigned = try await wallet.constructUnsignedVPToken(
            verifiableCredentials: ["d": [FormatType.vc_sd_jwt: [try await scene.sdJWT()]]]
        )
        scene.verifierAnswers("taken", type: "text/plain")
        let body = try await wallet.shareVerifiablePresentation(vpTokenSigningResults: results(unsigned, scene))
        #expect(body == "taken")
    }

    @Test func answersQueriesOfTheFinalVersion() async throws {
        let scene = try await FacadeScene()
        let query: JSONValue = [
            "credentials": [
                [
                    "id": "pid", "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:pid"]],
                    "claims": [["path": ["family_name"]]],
                ],
                [
                    "id": "mdl", "format": "mso_mdoc", "meta": ["doctype_value": "org.iso.18013.5.1.mDL"],
                    "claims": [["path": ["org.iso.18013.5.1", "given_name"]]],
                ],
            ]
        ]
        let others: JSONObject = ["presentation_definition": .null, "dcql_query": query]
        let wallet = try await scene.authenticated(FacadeScene.plain, others)
        #expect(wallet.authorizationRequest?.specVersion == .v1 && wallet.authorizationRequest?.dcqlQuery != nil)
        let unsigned = try await wallet.constructUnsignedVPToken(
            verifiableCredentials: [
                "pid": [.dc_sd_jwt: [try await scene.sdJWT()]],
                "mdl": [.mso_mdoc: [try await scene.mdoc(isBare: true)]],
            ] as [String: [FormatType: [Any]]]
        )
        let response = try wallet.constructVPResponse(vpTokenSigningResults: results(unsigned, scene))
        #expect(response.keys.map { $0 } == ["vp_token"])
        let token = try JSONValue(parsing: try #require(response["vp_token"] as? String))
        _ = try await scene.verify(sdJWT: try #require(token["pid"]?[0]?.stringValue), audience: Self.audience)
        let handover = Handover.openID4VP(
            clientID: Self.audience,
            nonce: FacadeScene.nonce,
            jwkThumbprint: nil,
            responseURI: FacadeScene.address
        )
        let documents = try await scene.verify(mdoc: try #require(token["mdl"]?[0]?.stringValue), handover)
        #expect(documents[0].elements.references.map(\.identifier.text) == ["given_name"])
    }

    @Test func leavesInteractiveResponsesToTheApp() async throws {
        let scene = try await FacadeScene()
        let wallet = try await scene.authenticated(mode: "iar-post")
        let unsigned = try await wallet.constructUnsignedVPToken(
            verifiableCredentials: ["d": [FormatType.vc_sd_jwt: [try await scene.sdJWT()]]]
        )
        let results = try results(unsigned, scene)
        #expect(Set(try wallet.constructVPResponse(vpTokenSigningResults: results).keys).contains("vp_token"))
        await #expect(throws: UnsupportedOperationException.self) {
            _ = try await wallet.sendVPResponseToVerifier(vpTokenSigningResults: results)
        }
        #expect(scene.requests.isEmpty)
    }

    @Test func presentsEveryCredentialOfADescriptorOrRefuses() async throws {
        let scene = try await FacadeScene()
        let wallet = try await scene.authenticated()
        let unsigned = try await wallet.constructUnsignedVPTokenV2(
            credentialValues: ["d": [.vc_sd_jwt: [.text(try await scene.sdJWT()), .text(try await scene.sdJWT())]]]
        )
        #expect(unsigned.count == 2)
        // A descriptor is answered once.
        let signed = try unsigned.map { VPTokenSigningResultV2(signedData: try scene.signature($0.dataToSign)) }
        #expect(throws: OpenID4VPException.self) { try wallet.constructVPResponseV2(vpTokenSigningResults: signed) }
    }

    @Test func refusesAPartOfWhatIsRequired() async throws {
        let scene = try await FacadeScene()
        let definition = FacadeScene.definition(
            FacadeScene.descriptor("a", "vc+sd-jwt", "$.family_name"),
            FacadeScene.descriptor("b", "vc+sd-jwt", "$.given_name")
        )
        func refused(_ others: JSONObject) async throws -> OpenID4VPException? {
            let wallet = try await scene.authenticated(definition, others)
            let value = CredentialValue.text(try await scene.sdJWT())
            return await refusal {
                _ = try await wallet.constructUnsignedVPTokenV2(credentialValues: ["a": [.vc_sd_jwt: [value]]])
            }
        }
        #expect(try await refused([:]) is AccessDenied)
        func query(_ id: String) -> JSONValue { ["id": .string(id), "format": "vc+sd-jwt", "meta": [:]] }
        let sets: JSONValue = [["options": [["b"]]]]
        for dcql: JSONValue in [
            ["credentials": [query("a"), query("b")]],
            ["credentials": [query("a"), query("b")], "credential_sets": sets],
        ] {
            #expect(try await refused(["presentation_definition": .null, "dcql_query": dcql]) is AccessDenied)
        }
        #expect(try scene.posts.map { $0["error"] } == ["access_denied", "access_denied", "access_denied"])
    }

    /// Two of three descriptors are picked: one alone is a part, and two are enough.
    @Test func refusesLessThanSubmissionRequirementsPick() async throws {
        let scene = try await FacadeScene()
        var members =
            FacadeScene.definition(
                FacadeScene.descriptor("a", "vc+sd-jwt", "$.family_name"),
                FacadeScene.descriptor("b", "vc+sd-jwt", "$.given_name"),
                FacadeScene.descriptor("c", "vc+sd-jwt", "$.address")
            ).objectValue ?? [:]
        let descriptors = (members["input_descriptors"]?.arrayValue ?? []).map { descriptor in
            var descriptor = descriptor.objectValue ?? [:]
            descriptor["group"] = ["g"]
            return JSONValue.object(descriptor)
        }
        members["input_descriptors"] = .array(descriptors)
        members["submission_requirements"] = [["rule": "pick", "count": 2, "from": "g"]]
        let wallet = try await scene.authenticated(.object(members))
        let value = CredentialValue.text(try await scene.sdJWT())
        let refused = await refusal {
            _ = try await wallet.constructUnsignedVPTokenV2(credentialValues: ["a": [.vc_sd_jwt: [value]]])
        }
        #expect(refused is AccessDenied)
        let unsigned = try await wallet.constructUnsignedVPTokenV2(
            credentialValues: ["a": [.vc_sd_jwt: [value]], "c": [.vc_sd_jwt: [value]]]
        )
        let signed = try unsigned.map { VPTokenSigningResultV2(signedData: try scene.signature($0.dataToSign)) }
        #expect(try wallet.constructVPResponseV2(vpTokenSigningResults: signed)["vp_token"] != nil)
    }

    // MARK: V2

    @Test func listsSignaturesInTheOrderOfFormats() async throws {
        let scene = try await FacadeScene()
        let wallet = try await scene.authenticated(Self.all, mode: "direct_post.jwt")
        let unsigned = try await wallet.constructUnsignedVPTokenV2(
            verifiableCredentials: credentials(scene),
            holderId: scene.holderId,
            signatureSuite: Self.suite
        )
        #expect(unsigned.map(\.format) == [.ldp_vc, .mso_mdoc, .vc_sd_jwt])
        #expect(unsigned.map(\.signatureAlgorithm) == ["Ed25519Signature2020", "ES256", "ES256"])
        #expect(unsigned[0].holderKeyReference == (try scene.holderId))
        #expect(try Base64URL.decode(unsigned[0].dataToSign).count == 64)
        #expect(try !Base64URL.decode(unsigned[1].holderKeyReference).isEmpty)
        #expect(unsigned[1].dataToSign.hasPrefix("d818"))
        #expect(try JSONValue(parsing: unsigned[2].holderKeyReference)["kty"] == "EC")
        #expect(unsigned[2].dataToSign.split(separator: ".").count == 2)
        var signed = [
            VPTokenSigningResultV2(signedData: try scene.proofValue(unsigned[0].dataToSign)),
            VPTokenSigningResultV2(signedData: try scene.deviceSignature(unsigned[1].dataToSign).signature),
            VPTokenSigningResultV2(signedData: try scene.signature(unsigned[2].dataToSign)),
        ]
        let response = try wallet.constructVPResponseV2(vpTokenSigningResults: signed)
        #expect(try await scene.opened(try #require(response["response"] as? String)).content["vp_token"] != nil)
        // A bare signature in base64url serves, too.
        let bare = try scene.holderKey.signature(for: try Base64URL.decode(unsigned[0].dataToSign))
        signed[0] = VPTokenSigningResultV2(signedData: Base64URL.encode(bare))
        _ = try wallet.constructVPResponseV2(vpTokenSigningResults: signed)
        #expect(throws: InvalidData.self) { try wallet.constructVPResponseV2(vpTokenSigningResults: []) }
        #expect(throws: InvalidData.self) {
            try wallet.constructVPResponseV2(vpTokenSigningResults: signed.dropLast())
        }
    }

    @Test func signsWithAJWS() async throws {
        let scene = try await FacadeScene()
        let definition = FacadeScene.definition(FacadeScene.descriptor("l", "ldp_vc", "$.credentialSubject.level"))
        for suite in ["JsonWebSignature2020", "Ed25519Signature2018"] {
            let wallet = try await scene.authenticated(definition)
            let unsigned = try await wallet.constructUnsignedVPTokenV2(
                credentialValues: ["l": [.ldp_vc: [.object(try await scene.linkedData())]]],
                holderId: scene.holderId,
                signatureSuite: suite
            )
            #expect(unsigned.map(\.signatureAlgorithm) == [suite])
            let bytes = try Base64URL.decode(unsigned[0].dataToSign)
            let signature = Base64URL.encode(try scene.holderKey.signature(for: bytes))
            let header = String(decoding: bytes.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)
            for signed in ["\(header)..\(signature)", signature] {
                let response = try wallet.constructVPResponseV2(
                    vpTokenSigningResults: [VPTokenSigningResultV2(signedData: signed)]
                )
                let token = try JSONValue(parsing: try #require(response["vp_token"] as? String))
                _ = try await scene.verify(linkedData: token, audience: Self.audience)
            }
        }
    }

    /// A base proof stays in the wallet: one presentation discloses what all descriptors ask for.
    @Test func presentsWithAProofDerivedFromABaseProof() async throws {
        let scene = try await FacadeScene()
        let definition = FacadeScene.definition(
            FacadeScene.descriptor("l", "ldp_vc", "$.credentialSubject.level"),
            FacadeScene.descriptor("g", "ldp_vc", "$.credentialSubject.grade")
        )
        let wallet = try await scene.authenticated(definition)
        let base = try await scene.base()
        let unsigned = try await wallet.constructUnsignedVPTokenV2(
            credentialValues: ["l": [.ldp_vc: [.object(base)]], "g": [.ldp_vc: [.object(base)]]],
            holderId: scene.holderId,
            signatureSuite: Self.suite
        )
        let value = try scene.proofValue(unsigned[0].dataToSign)
        let response = try wallet.constructVPResponseV2(
            vpTokenSigningResults: [VPTokenSigningResultV2(signedData: value)]
        )
        let sent = try #require(response["vp_token"] as? String)
        #expect(!sent.contains("Hush"))
        let verified = try await scene.verify(linkedData: JSONValue(parsing: sent), audience: Self.audience)
        let subject = verified.credentials[0].content.members["credentialSubject"]
        #expect(subject == ["id": .string(try scene.holderDID.text), "level": "gold", "grade": "A"])
    }

    // MARK: Refusals

    @Test func refusesCallsOutOfOrder() async throws {
        let scene = try await FacadeScene()
        let wallet = scene.wallet()
        #expect(
            await refusal {
                _ = try await wallet.constructUnsignedVPToken(credentialValues: ["d": [:]])
            } is InvalidData
        )
        #expect(throws: InvalidData.self) { try wallet.constructVPResponse(vpTokenSigningResults: [:]) }
        let authenticated = try await scene.authenticated()
        #expect(throws: InvalidData.self) { try authenticated.constructVPResponse(vpTokenSigningResults: [:]) }
        #expect(throws: InvalidData.self) { try authenticated.constructVPResponseV2(vpTokenSigningResults: []) }
    }

    @Test func refusesCredentialsThatCannotBeUsed() async throws {
        let scene = try await FacadeScene()
        let holderId = try scene.holderId
        let (ldp, mdoc, sdJWT) = (try await scene.linkedData(), try await scene.mdoc(), try await scene.sdJWT())
        let wallet = try await scene.authenticated(Self.all, mode: "direct_post.jwt")
        func refused(
            _ values: [String: [FormatType: [CredentialValue]]],
            _ holderId: String? = nil,
            _ suite: String? = nil
        ) async -> OpenID4VPException? {
            await refusal {
                _ = try await wallet.constructUnsignedVPToken(
                    credentialValues: values,
                    holderId: holderId,
                    signatureSuite: suite
                )
            }
        }
        #expect(await refused([:]) is InvalidData)
        #expect(await refused(["x": [.vc_sd_jwt: [.text(sdJWT)]]]) is InvalidData)
        #expect(await refused(["l": [.ldp_vc: [.object(ldp)]]]) is InvalidData)
        #expect(await refused(["l": [.ldp_vc: [.object(ldp)]]], holderId) is InvalidData)
        #expect(await refused(["l": [.ldp_vc: [.object(ldp)]]], holderId, "Other") is InvalidData)
        #expect(
            await refused(["l": [.ldp_vc: [.object(ldp)]]], "did:web:v.example", Self.suite)
                is PublicKeyResolutionFailed
        )
        #expect(await refused(["l": [.ldp_vc: ["eyJ.e30.e30"]]], holderId, Self.suite) is InvalidData)
        #expect(await refused(["l": [.ldp_vc: ["{"]]], holderId, Self.suite) is InvalidData)
        #expect(await refused(["s": [.vc_sd_jwt: [.text(String(sdJWT.dropLast()))]]]) is InvalidData)
        #expect(await refused(["s": [.vc_sd_jwt: ["x~"]]]) is InvalidData)
        let id = "org.iso.18013.5.1.mDL"
        for text in ["oA", "!", "", "gA"] {
            #expect(await refused([id: [.mso_mdoc: [.text(text)]]]) is InvalidData, "\(text)")
        }
        #expect(await refused([id: [.mso_mdoc: [.object([:])]]]) is InvalidData)
        let twice = await refused([id: [.mso_mdoc: [.text(mdoc), .text(try await scene.mdoc())]]])
        #expect(twice is InvalidData && twice?.errorCode == "invalid_request")
        // The verifier was told each time, in the encrypted form.
        let form = try #require(try scene.posts.last)
        let (content, _) = try await scene.opened(try #require(form["response"]))
        #expect(content["error"] == "invalid_request" && content["state"] == "s1")
    }

    @Test func refusesValuesThatAreNoCredentials() async throws {
        let scene = try await FacadeScene()
        let wallet = try await scene.authenticated()
        struct Opaque {}
        for value: Any in [1, Opaque(), [1]] {
            #expect(
                await refusal {
                    _ = try await wallet.constructUnsignedVPToken(
                        verifiableCredentials: ["d": [FormatType.vc_sd_jwt: [value]]]
                    )
                } != nil
            )
        }
        #expect(
            await refusal {
                _ = try await wallet.constructUnsignedVPTokenV2(verifiableCredentials: ["d": ["x": ["y" as Any]]])
            } is InvalidData
        )
    }

    @Test func refusesResultsThatDoNotFit() async throws {
        let scene = try await FacadeScene()
        let wallet = try await scene.authenticated(Self.all, mode: "direct_post.jwt")
        let unsigned = try await wallet.constructUnsignedVPToken(
            verifiableCredentials: credentials(scene),
            holderId: scene.holderId,
            signatureSuite: Self.suite
        )
        let good = try results(unsigned, scene)
        _ = try wallet.constructVPResponse(vpTokenSigningResults: good)
        let device = try scene.deviceSignature("d81840")
        let uuid = try #require((unsigned[.vc_sd_jwt] as? UnsignedSdJwtVPToken)?.uuidToUnsignedKBT.keys.first)
        func mdoc(_ type: String, _ authentication: OID4VPFacade.DeviceAuthentication) -> MdocVPTokenSigningResult {
            MdocVPTokenSigningResult(docTypeToDeviceAuthentication: [type: authentication])
        }
        let table: [(FormatType, (any VPTokenSigningResult)?)] = [
            (.mso_mdoc, nil), (.dc_sd_jwt, good[.vc_sd_jwt]), (.mso_mdoc, good[.vc_sd_jwt]),
            (.ldp_vc, LdpVPTokenSigningResult(jws: "a..b", signatureAlgorithm: Self.suite)),
            (.ldp_vc, LdpVPTokenSigningResult(proofValue: "", signatureAlgorithm: Self.suite)),
            (.ldp_vc, LdpVPTokenSigningResult(proofValue: "zabc", signatureAlgorithm: Self.suite)),
            (.mso_mdoc, mdoc("other", device)), (.mso_mdoc, mdoc("org.iso.18013.5.1.mDL", device)),
            (
                .mso_mdoc,
                mdoc("org.iso.18013.5.1.mDL", OID4VPFacade.DeviceAuthentication(signature: "", algorithm: "ES256"))
            ),
            (
                .mso_mdoc,
                mdoc(
                    "org.iso.18013.5.1.mDL",
                    OID4VPFacade.DeviceAuthentication(signature: device.signature, algorithm: "ES384")
                )
            ),
            (.vc_sd_jwt, SdJwtVpTokenSigningResult(uuidToKbJWTSignature: [:])),
            (.vc_sd_jwt, SdJwtVpTokenSigningResult(uuidToKbJWTSignature: [uuid: ""])),
            (.vc_sd_jwt, SdJwtVpTokenSigningResult(uuidToKbJWTSignature: [uuid: "!"])),
            (.vc_sd_jwt, SdJwtVpTokenSigningResult(uuidToKbJWTSignature: [uuid: device.signature])),
        ]
        for (format, result) in table {
            var results = good
            results[format] = result
            #expect(throws: OpenID4VPException.self, "\(format) \(String(describing: result))") {
                try wallet.constructVPResponse(vpTokenSigningResults: results)
            }
        }
        // Building fails, and the verifier hears of it.
        await #expect(throws: OpenID4VPException.self) {
            _ = try await wallet.sendVPResponseToVerifier(vpTokenSigningResults: [:])
        }
        #expect(try scene.posts.count == 1)
    }
}

extension JSONObject {
    /// The members as an app has them.
    fileprivate var plainForTests: [String: Any] {
        let data = Data(JSONValue.object(self).encoded())
        return (try? JSONSerialization.jsonObject(with: data) as? [String: Any]) ?? [:]
    }
}

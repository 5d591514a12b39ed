import CredentialTransport
import Foundation
import HTTPTypes
import JSONKit
import OID4VPKit
import OID4VPMessages
import OID4VPVerifier
import Synchronization
import TestSupport
import Testing

/// The wallet answers the verifier in every combination that a version allows.
@Suite struct EndToEndMatrixTests {
    private static let now = EndToEndScene.now

    @Test func countsTheMatrix() {
        let excluded = Dictionary(grouping: Combination.product.compactMap(\.exclusion)) { $0 }
        print(
            "OpenID4VP matrix: \(Combination.allowed.count) of \(Combination.product.count) combinations run; excluded:"
        )
        for (rule, cases) in excluded.sorted(by: { $0.key < $1.key }) { print("    \(cases.count): \(rule)") }
        #expect(Combination.allowed.count > 500)
        let versions = Set(Combination.allowed.map(\.version))
        let clients = Set(Combination.allowed.map(\.client))
        let formats = Set(Combination.allowed.map(\.format))
        #expect(versions.count == 3 && clients.count == Combination.Client.allCases.count && formats.count == 4)
    }

    @Test(arguments: Combination.allowed) func presents(_ combination: Combination) async throws {
        let scene = try await EndToEndScene.shared.value
        let builder = RequestBuilder(try scene.relyingParty(combination))
        let created = try builder.makeRequest(try Self.content(of: combination), at: Self.now)
        let authenticated = try await Self.authenticate(created, builder, combination, scene)
        let response = try await Self.answer(authenticated, scene)
        let received = try Self.received(response)
        let answer = try await ResponseReader().read(received, for: created.expectation, at: Self.now)
        guard case .presentations(let presentations) = answer else {
            Issue.record("the wallet answers with an error")
            return
        }
        let verifier = PresentationVerifier(try scene.verifiers, clock: { Self.now })
        let verification = await verifier.verify(presentations, for: created.expectation)
        let verified = try verification.get()
        let credential = try #require(verified[Self.query(of: combination)].first)
        #expect(credential.format.current == combination.format)
        #expect(Self.isDisclosed(credential.claims, combination.format))
    }

    // MARK: Verifier

    private static func content(of combination: Combination) throws -> RequestContent {
        let query: ResponseExpectation.Query =
            combination.version == .v1
            ? .dcql(try dcql(combination.format)) : .definition(try definition(combination))
        let isPlatform = combination.mode.address == .platform
        return RequestContent(
            query,
            mode: combination.mode,
            address: isPlatform ? nil : EndToEndScene.address,
            version: combination.version
        )
    }

    private static func dcql(_ format: CredentialFormat) throws -> DCQLQuery {
        let (meta, path): (JSONValue, JSONValue) =
            switch format {
            case .mdoc: (["doctype_value": "org.iso.18013.5.1.mDL"], ["org.iso.18013.5.1", "family_name"])
            case .sdJWT: (["vct_values": ["urn:pid"]], ["family_name"])
            default: (["type_values": [["https://club.example/Member"]]], ["credentialSubject", "level"])
            }
        return try DCQLQuery(
            json: [
                "credentials": [
                    ["id": "q", "format": .string(format.text), "meta": meta, "claims": [["path": path]]]
                ]
            ]
        )
    }

    private static func definition(_ combination: Combination) throws -> PresentationDefinition {
        let (format, path): (JSONValue, JSONValue) =
            switch combination.format {
            case .mdoc: (["mso_mdoc": ["alg": ["ES256"]]], "$['org.iso.18013.5.1']['family_name']")
            case .sdJWT where combination.version == .draft21:
                (["vc+sd-jwt": ["sd-jwt_alg_values": ["EdDSA"]]], "$.family_name")
            case .sdJWT: (["dc+sd-jwt": ["sd-jwt_alg_values": ["EdDSA"]]], "$.family_name")
            case .linkedData: (["ldp_vc": ["proof_type": ["Ed25519Signature2020"]]], "$.credentialSubject.level")
            default: (["jwt_vc_json": ["alg": ["EdDSA"]]], "$.vc.credentialSubject.level")
            }
        let id = query(of: combination).text
        let descriptor: JSONValue = [
            "id": .string(id), "format": format, "constraints": ["fields": [["path": [path]]]],
        ]
        return try PresentationDefinition(json: ["id": "d", "input_descriptors": [descriptor]])
    }

    /// The name of the query; that of a descriptor for an mdoc is the document type (ISO/IEC TS 18013-7, Annex B).
    private static func query(of combination: Combination) -> QueryID {
        combination.version != .v1 && combination.format == .mdoc ? "org.iso.18013.5.1.mDL" : "q"
    }

    /// The claim that was asked for is there, and the one beside it is not.
    private static func isDisclosed(_ claims: JSONObject, _ format: CredentialFormat) -> Bool {
        switch format {
        case .mdoc: claims["org.iso.18013.5.1"] == ["family_name": "Lovelace"]
        case .sdJWT: claims["family_name"] == "Lovelace" && claims["given_name"] == nil
        default:
            ["gold"] == [claims["credentialSubject"]?["level"] ?? claims["credentialSubject"]?[0]?["level"]]
        }
    }

    // MARK: Wallet

    private static func authenticate(
        _ created: CreatedRequest,
        _ builder: RequestBuilder,
        _ combination: Combination,
        _ scene: EndToEndScene
    ) async throws -> AuthenticatedRequest {
        let policy = try scene.policy(for: combination.version)
        let transport = InMemoryHTTPTransport { request throws(TransportError) in
            await requestObject(for: request, created, builder)
        }
        let authenticator = RequestAuthenticator(policy: policy, transport: transport)
        if combination.delivery.isPlatform {
            let request = try await platformRequest(created, builder, combination.delivery)
            return try await authenticator.authenticate(request, at: now).get()
        }
        let link = try await link(created, builder, combination.delivery)
        let request = try AuthorizationRequest(url: link)
        return try await authenticator.authenticate(request, at: now).get()
    }

    /// The verifier's answer where the wallet fetches the request object.
    private static func requestObject(
        for request: HTTPTransportRequest,
        _ created: CreatedRequest,
        _ builder: RequestBuilder
    ) async -> InMemoryHTTPAnswer {
        guard request.url.description == EndToEndScene.requestAddress else { return InMemoryHTTPAnswer(status: 404) }
        do {
            let post =
                request.method == .post ? try RequestURIPost(form: String(decoding: request.body, as: UTF8.self)) : nil
            let object = try await builder.signedObject(of: created, for: post, at: now)
            var answer = InMemoryHTTPAnswer(status: 200)
            answer.headerFields[.contentType] = "application/oauth-authz-req+jwt"
            answer.body = Array(object.utf8)
            return answer
        } catch {
            Issue.record(error)
            return InMemoryHTTPAnswer(status: 500)
        }
    }

    private static func link(
        _ created: CreatedRequest,
        _ builder: RequestBuilder,
        _ delivery: Combination.Delivery
    ) async throws -> String {
        switch delivery {
        case .unsignedValue: try builder.unsignedLink(for: created)
        case .signedValue: try await builder.signedLink(for: created, at: now)
        case .post: try builder.link(toReference: EndToEndScene.requestAddress, for: created, method: .post)
        default: try builder.link(toReference: EndToEndScene.requestAddress, for: created, method: .get)
        }
    }

    private static func platformRequest(
        _ created: CreatedRequest,
        _ builder: RequestBuilder,
        _ delivery: Combination.Delivery
    ) async throws -> PlatformRequest {
        let form: OID4VPVerifier.DigitalCredentialsRequest.Form =
            switch delivery {
            case .platformSigned: .signed
            case .platformMultiSigned: .multiSigned
            default: .unsigned
            }
        let request = try await builder.digitalCredentialsRequest(for: created, form: form, at: now)
        return PlatformRequest(
            protocolIdentifier: ExactText(form.rawValue),
            data: request.data,
            origin: EndToEndScene.origin
        )
    }

    private static func answer(
        _ authenticated: AuthenticatedRequest,
        _ scene: EndToEndScene
    ) async throws -> AuthorizationResponse {
        let asked = try authenticated.presentationRequest()
        let wallet = Array(scene.credentials.values)
        let result =
            switch asked.query {
            case .dcql(let query): query.evaluate(over: wallet.queryable)
            case .definition(let definition): try definition.evaluate(over: wallet.queryable)
            default: throw OID4VPError(.invalidSelection, "the query is not resolved")
            }
        let responder = AuthorizationResponder(authenticated)
        let binding = try PresentationBinding(
            authenticated,
            asked,
            mdocGeneratedNonce: responder.mdocGeneratedNonce
        )
        let unsigned = try await PresentationBuilder(asked, binding).prepare(
            try result.preferredPlan(),
            of: wallet,
            keys: try scene.holderKeys(),
            at: now
        )
        return try await responder.response(
            with: try await unsigned.signed(with: scene.signers),
            to: asked,
            at: now
        )
    }

    /// The response as it arrives at the verifier.
    private static func received(_ response: AuthorizationResponse) throws -> ReceivedResponse {
        switch response.delivery {
        case .post(let url, let form):
            #expect(url.description == EndToEndScene.address)
            return try ReceivedResponse(form: form.text)
        case .open(let url):
            #expect(url.hasPrefix(EndToEndScene.address))
            return try ReceivedResponse(form: String(url.dropFirst(EndToEndScene.address.count + 1)))
        case .page(let page): return try ReceivedResponse(form: page.form.text)
        case .platform(_, let data):
            return ReceivedResponse(digitalCredentials: data, origin: EndToEndScene.origin)
        case .app: throw OID4VPError(.invalidResponse, "the response is for the app")
        }
    }
}

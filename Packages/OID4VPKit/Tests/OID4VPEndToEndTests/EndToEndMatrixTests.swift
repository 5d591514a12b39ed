import CredentialTransport
import Foundation
import HTTPTypes
import JSONKit
import OID4VPKit
import OID4VPMessages
import OID4VPTesting
import OID4VPVerifier
import Synchronization
import TestSupport
import Testing

/// The wallet answers the verifier in every combination that a version allows.
@Suite struct EndToEndMatrixTests {
    private static let now = EndToEndScene.now
    private static let requestAddress = "https://v.example/request"

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
        let response = try await scene.response(to: authenticated)
        let received = try Self.received(response)
        let answer = try await ResponseReader().read(received, for: created.expectation, at: Self.now)
        guard case .presentations(let presentations) = answer else {
            Issue.record("the wallet answers with an error")
            return
        }
        let verifier = PresentationVerifier(try scene.verifiers, clock: { Self.now })
        let verification = await verifier.verify(presentations, for: created.expectation)
        let verified = try verification.get()
        let credential = try #require(verified[combination.queryID].first)
        #expect(credential.format.current == combination.format)
        #expect(combination.isDisclosed(in: credential.claims))
    }

    // MARK: Verifier

    private static func content(of combination: Combination) throws -> RequestContent {
        let isPlatform = combination.mode.address == .platform
        return RequestContent(
            try combination.query(),
            mode: combination.mode,
            address: isPlatform ? nil : EndToEndScene.address,
            version: combination.version
        )
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
        guard request.url.description == requestAddress else { return InMemoryHTTPAnswer(status: 404) }
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
        case .post: try builder.link(toReference: requestAddress, for: created, method: .post)
        default: try builder.link(toReference: requestAddress, for: created, method: .get)
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

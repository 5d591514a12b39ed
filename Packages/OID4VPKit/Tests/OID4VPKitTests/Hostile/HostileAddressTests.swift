import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import Synchronization
import TestSupport
import Testing

/// Every address that a peer supplies, aimed at the inside of a network.
struct HostileAddressTests {
    private let scene: RequestScene

    init() throws { scene = try RequestScene() }

    /// The parts of a request and of its processing that a peer supplies an address in.
    enum Place: String, CaseIterable {
        case requestURI, requestURIWithPOST, definition, response, errorResponse, keys, did
    }

    /// Loopback, private, link-local, shared, unspecified and mapped addresses, and those of cloud metadata.
    static let inside = [
        "127.0.0.1", "127.8.8.8", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "169.254.1.1",
        "100.64.0.1", "0.0.0.0", "::1", "::", "fe80::1", "fd00:ec2::254", "fc00::1", "::ffff:127.0.0.1",
        "::ffff:169.254.169.254", "64:ff9b::7f00:1",
    ]

    /// Goes to an address the way the place does, over a transport.
    ///
    /// The result is the name of the refusal, or nil if nothing was refused.
    private func visit(_ address: String, _ place: Place, _ transport: any HTTPTransport) async throws -> String? {
        switch place {
        case .requestURI: return await fetch(address, "get", transport)
        case .requestURIWithPOST: return await fetch(address, "post", transport)
        case .definition:
            let request = try await scene.request(
                ["presentation_definition_uri": .string(address)],
                without: ["dcql_query"]
            )
            return await failure {
                _ = try await request.presentationRequest(resolvingWith: QueryResolver(transport: transport))
            }
        case .response, .errorResponse:
            let request = try await scene.request(["response_uri": .string(address)])
            let responder = AuthorizationResponder(request)
            let response =
                place == .errorResponse
                ? try await responder.errorResponse(.accessDenied, at: scene.now)
                : try await responder.response(
                    with: RequestScene.token,
                    to: request.presentationRequest(),
                    at: scene.now
                )
            return await failure { _ = try await ResponseSender(transport: transport).send(response) }
        case .keys:
            var policy = RequestAuthenticationPolicy()
            policy.clients = [
                RegisteredClient(
                    id: "shop",
                    responseAddresses: [ExactText(RequestScene.address)],
                    keysAddress: try HTTPURL(address)
                )
            ]
            let object = try await scene.object(["client_id": "shop"])
            return await authenticate("client_id=shop&request=" + object, policy, transport)
        case .did:
            let host = try HTTPURL(address).host.description
            var policy = RequestAuthenticationPolicy()
            policy.resolver = DIDWebMethod(transport: transport)
            let client = "decentralized_identifier:did:web:" + host.replacingOccurrences(of: ":", with: "%3A")
            let header = JOSEHeader(type: "oauth-authz-req+jwt", keyID: "#k")
            let claims = JWTClaims(scene.claims.merging(["client_id": .string(client)]))
            let signer = try SoftwareSigner(scene.key, algorithm: .ed25519)
            var form = FormParameters()
            form.append("client_id", client)
            form.append("request", try await JWT.sign(claims, header: header, with: signer).compactSerialization())
            return await authenticate(form.text, policy, transport)
        }
    }

    private func fetch(_ address: String, _ method: String, _ transport: any HTTPTransport) async -> String? {
        var form = FormParameters()
        form.append("client_id", scene.clientID)
        form.append("request_uri", address)
        form.append("request_uri_method", method)
        return await authenticate(form.text, scene.policy, transport)
    }

    private func authenticate(
        _ query: String,
        _ policy: RequestAuthenticationPolicy,
        _ transport: any HTTPTransport
    ) async -> String? {
        do throws(OID4VPError) {
            let request = try AuthorizationRequest(url: "openid4vp://?" + query)
            let authenticator = RequestAuthenticator(policy: policy, transport: transport)
            return await authenticator.authenticate(request, at: scene.now).refusal?.reason.name
        } catch {
            return error.code.description
        }
    }

    private func failure(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? OID4VPError)?.code.description ?? "\(error)"
        }
    }

    @Test(arguments: Place.allCases)
    func contactsNoAddressInsteadOfAHost(_ place: Place) async throws {
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in .ok(Array("{}".utf8), type: .json) }
        for address in Self.inside + ["8.8.8.8", "2001:4860:4860::8888"] {
            let host = address.contains(":") ? "[\(address)]" : address
            guard (try? HTTPURL("https://\(host)/x")) != nil else { continue }
            let refusal = try await visit("https://\(host)/x", place, transport)
            #expect(refusal != nil, "\(place) \(address)")
        }
        #expect(transport.requests.isEmpty, "\(place)")
    }

    /// A name of the peer's that leads inside; one good address beside it does not help.
    @Test(arguments: Place.allCases)
    func contactsNoHostThatLeadsInside(_ place: Place) async throws {
        for text in Self.inside {
            let address = try #require(IPAddress(text), "\(text)")
            let good = try #require(IPAddress("93.184.216.34"))
            for addresses in [[address], [good, address]] {
                let connector = RecordingConnector()
                let transport = GuardedHTTPTransport(
                    connector: connector,
                    resolver: FixedHostResolver(["evil.example": addresses])
                )
                let refusal = try await visit("https://evil.example/x", place, transport)
                #expect(refusal != nil && connector.count == 0, "\(place) \(text)")
            }
        }
        // The same way leads to a host of the Internet, so that the refusals are those of the addresses.
        let connector = RecordingConnector()
        let outside = FixedHostResolver(["evil.example": [try #require(IPAddress("93.184.216.34"))]])
        let transport = GuardedHTTPTransport(connector: connector, resolver: outside)
        #expect(try await visit("https://evil.example/x", place, transport) != nil)
        #expect(connector.count == 1, "\(place)")
    }

    @Test(arguments: [
        "http://v.example/x", "ftp://v.example/x", "file:///etc/passwd", "https://v.example:22/x",
        "https://localhost./x",
        "https://user@v.example/x", "https://v.example/x#f", "https://v.example\\@evil.example/x", "https://0x7f.1/x",
        "https://2130706433/x", "https://127.1/x", "https://[::ffff:7f00:1]/x",
    ])
    func contactsNothingByOtherSchemesPortsAndSpellings(_ address: String) async throws {
        let connector = RecordingConnector()
        let transport = GuardedHTTPTransport(connector: connector, resolver: FixedHostResolver([:]))
        #expect(await fetch(address, "get", transport) != nil)
        let response = try await scene.verification(["response_uri": .string(address)])
        if let request = response.verified {
            let error = try await AuthorizationResponder(request).errorResponse(.accessDenied, at: scene.now)
            #expect(await failure { _ = try await ResponseSender(transport: transport).send(error) } != nil)
        }
        #expect(connector.count == 0)
    }

    /// Addresses in headers and metadata are never asked for anything.
    @Test func fetchesNothingThatARequestNamesBesides() async throws {
        let url: JSONValue = "https://evil.example/x"
        let metadata: JSONObject = [
            "jwks_uri": url, "logo_uri": url, "policy_uri": url, "tos_uri": url, "client_uri": url,
        ]
        var claims = scene.claims.merging(["client_metadata": .object(metadata), "client_metadata_uri": url])
        claims["verifier_info"] = [["format": "jwt", "data": url]]
        let signer = try SoftwareSigner(scene.key, algorithm: .ed25519)
        let header: JOSEHeader = [
            "typ": "oauth-authz-req+jwt", "kid": .string(scene.keyID), "jku": url, "x5u": url,
        ]
        let object = try await JWT.sign(JWTClaims(claims), header: header, with: signer).compactSerialization()
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            .ok(Array(object.utf8), type: try MediaType("application/oauth-authz-req+jwt"))
        }
        var form = FormParameters()
        form.append("client_id", scene.clientID)
        form.append("request_uri", "https://v.example/r")
        let request = try AuthorizationRequest(url: "openid4vp://?" + form.text)
        let authenticated = try await RequestAuthenticator(policy: scene.policy, transport: transport)
            .authenticate(request, at: scene.now).get()
        _ = try await authenticated.presentationRequest(resolvingWith: QueryResolver(transport: transport))
        #expect(transport.requests.map(\.url.description) == ["https://v.example/r"])
    }
}

/// A connector that counts connections, and makes none.
final class RecordingConnector: HTTPConnector {
    private let state = Mutex(0)

    /// The number of connections that were asked for.
    var count: Int { state.withLock { $0 } }

    func connection(to address: IPAddress, for url: HTTPURL, timeout: Duration) -> any HTTPConnection {
        state.withLock { $0 += 1 }
        return Refusing()
    }

    private struct Refusing: HTTPConnection {
        func exchange(_ request: HTTPTransportRequest, receiver: any ResponseReceiver) async throws(TransportError) {
            throw TransportError(.exchangeFailed, "nothing answers")
        }

        func close() async {}
    }
}

import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import JOSEKit
import JSONKit
import Testing

@testable import IRMAServer

/// Requestors over HTTP: who they are, and what they may do.
@Suite struct RequestorAuthenticationTests {
    private let rsa: SoftwareSigner
    private let curve: SoftwareSigner
    private static let rsaSigner = Result {
        try SoftwareSigner(PrivateKey.generateRSA(bits: 2048), algorithm: .rsaPKCS1SHA256)
    }
    private static let secret = SecretBytes(Array("0123456789abcdef0123456789abcdef".utf8))
    private static let short = SecretBytes(Array("fourteen bytes".utf8))
    private let registry: RequestorRegistry

    init() throws {
        rsa = try Self.rsaSigner.get()
        curve = try SoftwareSigner(PrivateKey.generate(.p256))
        registry = RequestorRegistry(
            [
                Requestor("token", authentication: .token(SecretBytes(Array("correct horse".utf8))), permissions: .all),
                Requestor("other", authentication: .token(SecretBytes(Array("battery staple".utf8)))),
                Requestor("hmac", authentication: .hmac(Self.secret), permissions: .all),
                Requestor("short", authentication: .hmac(Self.short, allowsShortKey: true), permissions: .all),
                Requestor("rsa", authentication: .publicKey(rsa.publicKey), permissions: .all),
                Requestor("curve", authentication: .publicKey(curve.publicKey), permissions: .all),
            ],
            requiresPrivateKeys: false
        )
    }

    private func world() throws -> ServerWorld { try ServerWorld { $0.requestors = registry } }

    private static let body = try? RequestorMessage(ServerScene.nameRequest).encodedBytes()

    private func post(
        _ world: ServerWorld,
        _ fields: HTTPFields,
        _ body: [UInt8]? = body
    ) async throws -> InMemoryResponse {
        try await world.response(.post, "/session", fields, body ?? [])
    }

    private func requestor(of response: InMemoryResponse, _ world: ServerWorld) async throws -> String? {
        #expect(response.status == .ok, "\(response.text)")
        let package = try SessionPackage(decoding: response.body)
        return try await world.server.record(.requestor(package.token)).requestor
    }

    /// A signed request of a requestor.
    private func token(
        issuer: String?,
        keyID: String? = nil,
        issuedAt: Date = ServerScene.now,
        changing: (inout JWTClaims) -> Void = { _ in },
        signer: SoftwareSigner? = nil,
        secret: SecretBytes? = nil
    ) async throws -> [UInt8] {
        let claims = RequestorTokenClaims(
            issuer: issuer,
            issuedAt: Int64(issuedAt.timeIntervalSince1970),
            content: .session(RequestorMessage(ServerScene.nameRequest, options: RequestorOptions()))
        )
        var set = JWTClaims(try #require(claims.json().objectValue))
        changing(&set)
        var header = JOSEHeader(type: "JWT", keyID: keyID)
        if let secret {
            header["alg"] = "HS256"
            let jws = try JWS.authenticate(set.encoded(), header: header, hmacKey: secret, allowsShortKey: true)
            return Array(try jws.compactSerialization().utf8)
        }
        return Array(try await JWT.sign(set, header: header, with: signer ?? rsa).compactSerialization().utf8)
    }

    private static let text: HTTPFields = [.contentType: "text/plain"]

    @Test func tokensNameTheirRequestor() async throws {
        let world = try world()
        let json: HTTPFields = [.contentType: "application/json; charset=UTF-8", .authorization: "correct horse"]
        #expect(try await requestor(of: post(world, json), world) == "token")
        for wrong in ["wrong", "correct hors", "correct horses", "hmac"] {
            let fields: HTTPFields = [.contentType: "application/json", .authorization: wrong]
            try expectError(.unauthorized, in: await post(world, fields))
        }
        let other: HTTPFields = [.contentType: "application/json", .authorization: "battery staple"]
        try expectError(.unauthorized, in: await post(world, other))
    }

    @Test func signedRequestsNameTheRequestorWhoseKeyVerified() async throws {
        let world = try world()
        #expect(try await requestor(of: post(world, Self.text, token(issuer: "rsa")), world) == "rsa")
        let curve = try await token(issuer: "curve", signer: curve)
        #expect(try await requestor(of: post(world, Self.text, curve), world) == "curve")
        let hmac = try await token(issuer: "hmac", secret: Self.secret)
        #expect(try await requestor(of: post(world, Self.text, hmac), world) == "hmac")
        let short = try await token(issuer: "short", secret: Self.short)
        #expect(try await requestor(of: post(world, Self.text, short), world) == "short")
        // The header's name wins over the claim, and is the one that the key proves.
        let both = try await token(issuer: "hmac", keyID: "rsa")
        #expect(try await requestor(of: post(world, Self.text, both), world) == "rsa")
    }

    @Test func tokensOfOthersAreRefused() async throws {
        let world = try world()
        let key = try #require(rsa.publicKey.subjectPublicKeyInfo as [UInt8]?)
        let refused: [[UInt8]] = [
            try await token(issuer: "rsa", signer: curve),
            try await token(issuer: "curve", signer: rsa),
            try await token(issuer: "nobody"),
            try await token(issuer: nil),
            try await token(issuer: "token"),
            try await token(issuer: "hmac", secret: SecretBytes(Array(repeating: 1, count: 32))),
            // A public key is no secret.
            (try? await token(issuer: "rsa", secret: SecretBytes(key))) ?? [],
            Array("a.b.c".utf8), [], Array("eyJhbGciOiJub25lIn0.e30.".utf8),
        ]
        for token in refused { try expectError(.invalidRequest, in: await post(world, Self.text, token)) }
    }

    @Test func tokensAreFresh() async throws {
        let world = try world()
        for (age, isTaken) in [(0.0, true), (300, true), (301, false), (-1, false), (1e9, false)] {
            let body = try await token(issuer: "rsa", issuedAt: ServerScene.now - age)
            let response = try await post(world, Self.text, body)
            if isTaken { #expect(response.status == .ok) } else { try expectError(.unauthorized, in: response) }
        }
        let expired = try await token(issuer: "rsa", changing: { $0.setExpirationTime(ServerScene.now) })
        try expectError(.unauthorized, in: await post(world, Self.text, expired))
        let early = try await token(issuer: "rsa", changing: { $0.setNotBefore(ServerScene.now + 1) })
        try expectError(.unauthorized, in: await post(world, Self.text, early))
        for time in [JSONValue.integer(Int64.min), "now", .null] {
            let body = try await token(issuer: "rsa", changing: { $0["iat"] = time })
            #expect(try await post(world, Self.text, body).status.code >= 400)
        }
    }

    @Test func theSubjectNamesTheRequest() async throws {
        let world = try world()
        for subject in ["issue_request", "revocation_request", "", "song"] {
            let body = try await token(issuer: "rsa", changing: { $0.setSubject(subject) })
            try expectError(.invalidRequest, in: await post(world, Self.text, body))
        }
        let revocation = try await token(
            issuer: "rsa",
            changing: { claims in
                claims.setSubject("revocation_request")
                claims["revrequest"] = try? RevocationRequest("demo.bank.pass", revocationKey: "a").json()
            }
        )
        try expectError(.invalidRequest, in: await post(world, Self.text, revocation))
        try expectError(
            .invalidRequest,
            in: await world.response(.post, "/revocation", Self.text, token(issuer: "rsa"))
        )
    }

    @Test func otherContentTypesAreRefused() async throws {
        let world = try world()
        let token = try await token(issuer: "rsa")
        let cases: [(HTTPFields, String)] = [
            ([.contentType: "application/json"], "request could not be authenticated"),
            ([.contentType: "text/plain", .authorization: "correct horse"], "request could not be authenticated"),
            ([.contentType: "text/html"], "Unsupported Content-Type: text/html"),
            ([:], "Unsupported Content-Type: "),
        ]
        for (fields, message) in cases {
            let response = try await post(world, fields, token)
            try expectError(.invalidRequest, in: response)
            #expect(try response.json().member("message") == .string(message))
        }
        let open = try ServerWorld()
        #expect(try await post(open, [.contentType: "application/json"]).status == .ok)
        let fields: HTTPFields = [.contentType: "application/json", .authorization: "a"]
        try expectError(.invalidRequest, in: await post(open, fields))
        try expectError(.invalidRequest, in: await post(open, Self.text, token))
        try expectError(.invalidRequest, in: await post(open, [.contentType: "application/json"], Array("{}".utf8)))
        let closed = try ServerWorld { $0.requestors = RequestorRegistry() }
        try expectError(.invalidRequest, in: await post(closed, [.contentType: "application/json"]))
    }
}

/// The permissions of requestors.
@Suite struct RequestorPermissionTests {
    private func registry(_ permissions: RequestorPermissions) -> RequestorRegistry {
        RequestorRegistry(
            [Requestor("shop", authentication: .token(SecretBytes(Array("k".utf8))), permissions: permissions)]
        )
    }

    private func reason(_ permissions: RequestorPermissions, _ request: SessionRequest) -> String? {
        registry(permissions).reasonAgainst(request, by: "shop", host: "shop.example")
    }

    @Test(arguments: ["*", "demo.*", "demo.bank.*", "demo.bank.card.*", "demo.bank.card.name"])
    func wildcardsPermit(pattern: String) {
        #expect(reason(RequestorPermissions(disclose: [pattern]), ServerScene.nameRequest) == nil)
        let signing = SessionRequest(.signing(message: "x"), disclose: ServerScene.nameRequest.disclose)
        #expect(reason(RequestorPermissions(sign: [pattern]), signing) == nil)
        #expect(reason(RequestorPermissions(disclose: [pattern]), signing) != nil)
        #expect(reason(RequestorPermissions(sign: [pattern]), ServerScene.nameRequest) != nil)
    }

    @Test(arguments: [
        "other.*", "demo.shop.*", "demo.bank.mail.*", "demo.bank.card.number", "demo", "demo.bank.card", "dem.*",
    ])
    func otherPatternsDoNot(pattern: String) {
        #expect(reason(RequestorPermissions(disclose: [pattern]), ServerScene.nameRequest) == "demo.bank.card.name")
    }

    @Test func everyAttributeCounts() {
        let both = SessionRequest(.disclosing, disclose: [[["demo.bank.card.name"], ["demo.bank.mail.address"]]])
        #expect(reason(RequestorPermissions(disclose: ["demo.bank.card.*"]), both) == "demo.bank.mail.address")
        let whole = SessionRequest(.disclosing, disclose: [[["demo.bank.card"]]])
        #expect(reason(RequestorPermissions(disclose: ["demo.bank.card.*"]), whole) == nil)
        #expect(reason(RequestorPermissions(disclose: ["demo.bank.card.name"]), whole) == "demo.bank.card")
    }

    @Test func issuanceNeedsBothPermissions() {
        let issuance = ServerScene.issuance(ServerScene.cardRequest)
        let combined = ServerScene.issuance(ServerScene.cardRequest, disclose: ServerScene.nameRequest.disclose)
        for pattern in ["*", "demo.*", "demo.bank.*", "demo.bank.card"] {
            #expect(reason(RequestorPermissions(issue: [pattern]), issuance) == nil)
        }
        #expect(reason(.none, issuance) == "No issuer permissions configured")
        #expect(
            reason(RequestorPermissions(issue: ["demo.bank.mail"]), issuance)
                == "No issuer permissions configured for credential 'demo.bank.card'"
        )
        #expect(reason(RequestorPermissions(issue: ["*"]), combined) == "")
        #expect(reason(RequestorPermissions(disclose: ["demo.bank.card.name"], issue: ["*"]), combined) == nil)
    }

    @Test func globalPermissionsAreJoined() {
        let registry = RequestorRegistry(
            [Requestor("shop", authentication: .token(SecretBytes([1])))],
            permissions: RequestorPermissions(disclose: ["demo.*"])
        )
        #expect(registry.reasonAgainst(ServerScene.nameRequest, by: "shop", host: "a") == nil)
        #expect(registry.reasonAgainst(ServerScene.nameRequest, by: "nobody", host: "a") == nil)
        #expect(registry.reasonAgainstRevoking("demo.bank.pass", by: "shop") == "demo.bank.pass")
    }

    @Test func hostsNeedPermission() {
        func reason(_ hosts: [String], _ host: String?) -> String? {
            var request = ServerScene.nameRequest
            request.parameters.host = host
            return self.reason(RequestorPermissions(disclose: ["*"], hosts: hosts), request)
        }
        #expect(reason([], nil) == nil)
        #expect(reason([], "shop.example") == nil)
        #expect(reason([], "other.example") != nil)
        #expect(reason(["*.example"], "other.example") == nil)
        #expect(reason(["*.example"], "other.example:8080") != nil)
        // The server's own host needs a pattern as well, where there are any.
        #expect(reason(["other.example"], nil) != nil)
        #expect(reason(["shop.example"], nil) == nil)
    }

    @Test func patternsOfHosts() {
        let cases: [(String, String, Bool)] = [
            ("*", "", true), ("*", "a.b", true), ("a?c", "abc", true), ("a?c", "ac", false), ("*.b", ".b", true),
            ("a*b*c", "axxbyyc", true), ("a*b*c", "axxbyy", false), ("", "", true), ("", "a", false),
            (String(repeating: "*a", count: 50), String(repeating: "a", count: 200), true),
            (String(repeating: "*a", count: 50) + "b", String(repeating: "a", count: 200), false),
        ]
        for (pattern, host, fits) in cases { #expect(HostPattern(text: pattern).matches(host) == fits, "\(pattern)") }
    }

    @Test func forbiddenRequestsStartNothing() async throws {
        let world = try ServerWorld {
            $0.requestors = registry(RequestorPermissions(disclose: ["demo.bank.mail.*"]))
        }
        let body = try RequestorMessage(ServerScene.nameRequest).encodedBytes()
        let fields: HTTPFields = [.contentType: "application/json", .authorization: "k"]
        let response = try await world.response(.post, "/session", fields, body)
        try expectError(.unauthorized, in: response)
        #expect(try response.json().member("message") == "demo.bank.card.name")
    }
}

/// Settings that no server is made with.
@Suite struct ConfigurationTests {
    private func expectRefusal(
        _ code: IRMAServerError.Code,
        at component: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout ServerWorld.Setup) -> Void
    ) {
        let error = #expect(throws: IRMAServerError.self, sourceLocation: sourceLocation) {
            _ = try ServerWorld(change)
        }
        #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(error?.path.contains(component) == true, "\(String(describing: error))", sourceLocation: sourceLocation)
    }

    @Test func urls() throws {
        for url in ["", "shop.example/irma", "ftp://shop.example/", "https://shop.example/irma?a=1"] {
            expectRefusal(.invalidConfiguration, at: "url") { $0.url = url }
        }
        expectRefusal(.unsafeConfiguration, at: "url") { $0.url = "http://shop.example/irma/" }
        #expect(
            try ServerWorld { setup in
                setup.url = "http://shop.example/irma"
                setup.options.allowsPlainHTTP = true
            }.server.url == "http://shop.example/irma/"
        )
        #expect(
            try ServerWorld { setup in
                setup.url = "http://localhost:8088/irma/"
                setup.options.mode = .development
            }.server.host == "localhost:8088"
        )
    }

    @Test func times() {
        expectRefusal(.invalidConfiguration, at: "maximumSessionLifetime") { $0.options.maximumSessionLifetime = .zero }
        expectRefusal(.invalidConfiguration, at: "resultLifetime") { $0.options.resultLifetime = .seconds(-1) }
        expectRefusal(.invalidConfiguration, at: "requestDeadline") { $0.options.requestDeadline = .zero }
        for version in [ProtocolVersion(2, 3), .v2_9] {
            expectRefusal(.invalidConfiguration, at: "minimumVersion") { $0.options.minimumVersion = version }
        }
    }

    @Test func requestors() {
        let token = Requestor("a", authentication: .token(SecretBytes([1])))
        let lists = [
            [token, token], [Requestor("", authentication: .token(SecretBytes([1])))],
            [Requestor("a", authentication: .token(SecretBytes([UInt8]())))],
            [token, Requestor("b", authentication: .token(SecretBytes([1])))],
            [Requestor("a", authentication: .hmac(SecretBytes(Array(repeating: 1, count: 31))))],
            [Requestor("a", authentication: .hmac(SecretBytes([UInt8]()), allowsShortKey: true))],
        ]
        for list in lists {
            expectRefusal(.invalidConfiguration, at: "requestors") { $0.requestors = RequestorRegistry(list) }
        }
    }

    @Test func permissions() throws {
        let patterns = [
            "other.*", "demo.shop.*", "demo.bank.purse.*", "demo.bank.card.colour", "demo", "demo.bank.card",
            "*.bank.*",
            "demo.*.card.name", "", "demo.bank.card.name.*", "demo.bank.card.na*",
        ]
        for pattern in patterns {
            let permissions = RequestorPermissions(disclose: [pattern])
            expectRefusal(.invalidConfiguration, at: pattern) {
                $0.requestors = .unauthenticated(permissions: permissions)
            }
            expectRefusal(.invalidConfiguration, at: "a") {
                $0.requestors = RequestorRegistry(
                    [Requestor("a", authentication: .token(SecretBytes([1])), permissions: permissions)]
                )
            }
        }
        for pattern in ["demo.bank.card.name", "demo.bank.card.*"] {
            expectRefusal(.invalidConfiguration, at: pattern) {
                $0.requestors = .unauthenticated(permissions: RequestorPermissions(issue: [pattern]))
            }
        }
    }

    @Test func productionDoesNotLetEveryoneIssue() throws {
        let open = RequestorRegistry.unauthenticated(permissions: .all)
        expectRefusal(.unsafeConfiguration, at: "issue") {
            $0.requestors = open
            $0.options.hasSeparateRequestorListener = false
        }
        _ = try ServerWorld { $0.requestors = open }
        _ = try ServerWorld {
            $0.requestors = .unauthenticated(permissions: RequestorPermissions(disclose: ["*"]))
            $0.options.hasSeparateRequestorListener = false
        }
        _ = try ServerWorld {
            $0.requestors = open
            $0.options.hasSeparateRequestorListener = false
            $0.options.mode = .development
        }
    }

    @Test func staticSessions() throws {
        var options = RequestorOptions()
        options.callbackURL = "https://shop.example/result"
        let good = RequestorMessage(ServerScene.nameRequest, options: options)
        let issuance = RequestorMessage(ServerScene.issuance(ServerScene.cardRequest), options: options)
        for (name, message) in [
            ("", good), ("a-b", good), ("a", RequestorMessage(ServerScene.nameRequest)), ("a", issuance),
        ] {
            expectRefusal(.invalidConfiguration, at: name) {
                $0.staticSessions = [name: message]
                $0.options.allowsUnsignedCallbacks = true
            }
        }
        expectRefusal(.invalidConfiguration, at: "a") { $0.staticSessions = ["a": good] }
        expectRefusal(.invalidConfiguration, at: "a") {
            $0.staticSessions = ["a": good]
            $0.options.allowsUnsignedCallbacks = true
            $0.hasTransport = false
        }
    }
}

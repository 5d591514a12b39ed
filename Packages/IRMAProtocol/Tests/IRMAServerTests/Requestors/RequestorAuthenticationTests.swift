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

    private static let body = try? RequestorMessage(ServerScene.nameRequest).encoded()

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

    @Test func aLineEndBehindATokenCountsForNothing() async throws {
        let world = try world()
        for end in ["\n", "\r\n", "\n\n"] {
            let body = try await token(issuer: "rsa") + Array(end.utf8)
            #expect(try await requestor(of: post(world, Self.text, body), world) == "rsa")
        }
        for end in [" ", "\n.", "\nx"] {
            let body = try await token(issuer: "rsa") + Array(end.utf8)
            try expectError(.invalidRequest, in: await post(world, Self.text, body))
        }
        try expectError(.invalidRequest, in: await post(world, Self.text, Array("\n".utf8)))
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
        let ages: [(Double, RemoteError.Name?)] = [
            (0, nil), (300, nil), (301, .unauthorized), (1e9, .unauthorized), (-1, .invalidRequest),
        ]
        for (age, error) in ages {
            let body = try await token(issuer: "rsa", issuedAt: ServerScene.now - age)
            let response = try await post(world, Self.text, body)
            if let error { try expectError(error, in: response) } else { #expect(response.status == .ok) }
        }
        let expired = try await token(issuer: "rsa", changing: { $0.setExpirationTime(ServerScene.now) })
        try expectError(.invalidRequest, in: await post(world, Self.text, expired))
        let milliseconds = JSONValue.integer(Int64(ServerScene.now.timeIntervalSince1970 + 60) * 1000)
        let distant = try await token(issuer: "rsa", changing: { $0["exp"] = milliseconds })
        #expect(try await post(world, Self.text, distant).status == .ok)
        let early = try await token(issuer: "rsa", changing: { $0.setNotBefore(ServerScene.now + 1) })
        try expectError(.invalidRequest, in: await post(world, Self.text, early))
        let timeless = try await token(issuer: "rsa", changing: { $0["iat"] = nil })
        try expectError(.unauthorized, in: await post(world, Self.text, timeless))
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

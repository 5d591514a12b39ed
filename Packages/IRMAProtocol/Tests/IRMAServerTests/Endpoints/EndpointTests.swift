import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import JOSEKit
import JSONKit
import Testing

@testable import IRMAServer

/// The endpoints as HTTP sees them: headers, unknown paths, other origins, event streams.
@Suite struct EndpointTests {
    @Test func unknownPathsAndWrongMethodsAreInvalidRequests() async throws {
        let world = try ServerWorld()
        let token = try await world.start().token
        let cases: [(HTTPRequest.Method, String, Int)] = [
            (.get, "/irma/nothing", 404), (.put, "/irma/session/\(token)", 405), (.get, "/nothing", 404),
            (.post, "/session/\(token)/result", 405), (.get, "/session", 405), (.get, "/irma", 404),
        ]
        for (method, path, status) in cases {
            let response = try await world.response(method, path)
            #expect(response.status.code == status, "\(path)")
            #expect(try response.json() == ["status": .integer(status), "error": "INVALID_REQUEST"], "\(path)")
        }
    }

    @Test func bothSpellingsOfAPathAreTheSame() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        for slash in ["", "/"] {
            let path = world.wallet(package).path
            #expect(try await world.response(.get, "\(path)/status\(slash)").json() == "INITIALIZED")
            let requestor = "/session/\(package.token)/status\(slash)"
            #expect(try await world.response(.get, requestor).json() == "INITIALIZED")
        }
    }

    @Test func tokensHaveTwentyLettersAndDigits() async throws {
        let world = try ServerWorld()
        let token = try await world.start().token
        for wrong in [String(token.dropLast()), token + "a", "%2e%2e%2fabcdefghijklmnop", "é" + token.dropLast(2)] {
            for path in ["/irma/session/\(wrong)/status", "/session/\(wrong)/result"] {
                try expectError(.invalidRequest, in: await world.response(.get, path))
            }
        }
    }

    @Test func scriptsOfOtherOriginsAreLetIn() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let fields: HTTPFields = [
            .origin: "https://page.example", .accessControlRequestMethod: "POST",
            .accessControlRequestHeaders: "authorization, content-type",
        ]
        let path = world.wallet(package).path
        let preflight = try await world.response(.options, path + "/frontend/options", fields)
        #expect(preflight.status == .ok)
        #expect(preflight.headerFields[.accessControlAllowOrigin] == "*")
        let allowed = preflight.headerFields[.accessControlAllowHeaders]?.lowercased() ?? ""
        for name in ["accept", "authorization", "content-type", "cache-control"] { #expect(allowed.contains(name)) }
        let status = try await world.response(.get, path + "/status", [.origin: "https://page.example"])
        #expect(status.headerFields[.accessControlAllowOrigin] == "*")
        #expect(status.headerFields[.accessControlExposeHeaders] == "Retry-After")
    }

    @Test func frontendsNeedTheirAuthorization() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let path = world.wallet(package).path + "/frontend/"
        let right = try #require(package.frontend?.authorization)
        for wrong in ["", "other", package.token, String(right.dropLast())] {
            let fields: HTTPFields = [.authorization: wrong]
            for endpoint in ["status", "statusevents"] {
                let response = try await world.response(.get, path + endpoint, fields)
                try expectError(
                    .unauthorized,
                    in: response,
                    description: "You are not authorized to access the session"
                )
            }
            for endpoint in ["options", "pairingcompleted"] {
                let response = try await world.response(.post, path + endpoint, fields)
                try expectError(
                    .unauthorized,
                    in: response,
                    description: "You are not authorized to access the session"
                )
            }
        }
        #expect(try await world.response(.get, path + "status", [.authorization: right]).status == .ok)
        let fields: HTTPFields = [.authorization: right]
        try expectError(.malformedInput, in: await world.response(.post, path + "options", fields, Array("[]".utf8)))
        // Without a method the message changes nothing.
        for method: PairingMethod? in [nil, .pin, nil] {
            let body = try FrontendOptionsRequest(pairingMethod: method).encoded()
            let response = try await world.response(.post, path + "options", fields, body)
            #expect(response.status == .ok)
        }
        let empty = #"{"@context":"https://irma.app/ld/request/frontendoptions/v1","pairingMethod":""}"#
        let kept = try await world.response(.post, path + "options", fields, Array(empty.utf8))
        #expect(try SessionOptions(decoding: kept.body).pairingMethod == .pin)
        let unknown = try FrontendOptionsRequest(pairingMethod: PairingMethod("song")).encoded()
        try expectError(.unexpectedRequest, in: await world.response(.post, path + "options", fields, unknown))
        try expectError(.unexpectedRequest, in: await world.response(.post, path + "pairingcompleted", fields))
    }

    @Test func walletsCanCancel() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let response = try await world.response(.delete, world.wallet(package).path)
        #expect(response.status == .ok)
        #expect(response.body.isEmpty)
        #expect(try await world.server.status(of: package.token) == .cancelled)
        let other = try await world.start()
        #expect(try await world.response(.delete, "/session/\(other.token)/").status == .ok)
        #expect(try await world.server.status(of: other.token) == .cancelled)
    }

    @Test func healthAndPublicKey() async throws {
        let world = try ServerWorld()
        #expect(try await world.response(.get, "/health").text == "OK")
        try expectError(.unsupported, in: await world.response(.get, "/publickey"))
        let token = try await world.start().token
        try expectError(.exception, in: await world.response(.get, "/session/\(token)/result-jwt"))
        try expectError(.exception, in: await world.response(.get, "/session/\(token)/getproof"))
    }

    @Test func resultsAreSigned() async throws {
        let signer = try SoftwareSigner(PrivateKey.generateRSA(bits: 2048), algorithm: .rsaPKCS1SHA256)
        let world = try ServerWorld { $0.signer = signer }
        let key = try PublicKey(pem: await world.response(.get, "/publickey").text)
        #expect(key == signer.publicKey)
        let package = try await world.start { $0.resultValidity = 60 }
        _ = try await world.wallet(package).showName()
        let token = try await world.response(.get, "/session/\(package.token)/result-jwt")
        #expect(token.headerFields[.contentType] == "text/plain")
        let verified = try JWT(compact: token.text).jws.verify(with: key, policy: [.rs256])
        let claims = try SessionResultClaims(decoding: verified.payload)
        #expect(claims.issuer == "irmaserver")
        #expect(claims.expiresAt - claims.issuedAt == 60)
        #expect(claims.result == (try await world.server.result(of: package.token)))
        let old = try await world.response(.get, "/session/\(package.token)/getproof")
        let legacy = try LegacyResultClaims(
            decoding: JWT(compact: old.text).jws.verify(with: key, policy: [.rs256]).payload
        )
        #expect(legacy.subject == "disclosure_result")
        #expect(legacy.attributes[ServerScene.name] == "Alice")
        #expect(legacy.status == .valid)
    }
}

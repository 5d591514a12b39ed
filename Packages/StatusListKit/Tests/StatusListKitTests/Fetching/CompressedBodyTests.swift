import CredentialTransport
import Foundation
@_spi(Layers) import JOSEKit
import JSONKit
import StatusListKit
import Testing

/// Lists whose bodies a server compresses with gzip, as it should (Token Status List, section 8.1).
struct CompressedBodyTests {
    private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] { try Deflate.compress(bytes, format: .gzip) }

    @Test(arguments: StatusListToken.Form.allCases)
    func takesCompressedTokens(form: StatusListToken.Form) async throws {
        let maker = try TokenMaker(form)
        let type: MediaType = form == .jwt ? .statusListJWT : .statusListCWT
        let body = try Self.gzip(try await maker.token().encodedBytes)
        for encoding in ["gzip", "x-gzip"] {
            let server = TokenServer([TokenMaker.uri: .ok(body, type: type).encoded(encoding)])
            let client = StatusListClient(transport: server.transport, policy: TokenMaker.policy)
            let list = try await client.list(at: TokenMaker.uri, signedBy: maker.key, at: TokenMaker.now)
            #expect(list.status(at: 1) == .revoked)
            #expect(server.transport.requests.first?.acceptsGzip == true)
        }
    }

    @Test func takesCompressedIdentifierLists() async throws {
        let issuer = try await IdentifierListIssuer()
        let server = IdentifierListIssuer.server(try await issuer.token())
        let plain = try await server.transport.response(
            to: .get(try HTTPURL(IdentifierListIssuer.uri), accepting: .any)
        )
        let type = try #require(plain.contentType)
        server.set(.ok(try Self.gzip(plain.body), type: type).encoded("gzip"), at: IdentifierListIssuer.uri)
        let client = IdentifierListClient(transport: server.transport)
        let time = IdentifierListIssuer.now
        _ = try await client.list(at: IdentifierListIssuer.uri, anchors: issuer.anchors, at: time)
    }

    /// The limit of a token holds for what it decompresses to.
    @Test func refusesBodiesThatCannotBeDecompressed() async throws {
        let maker = try TokenMaker(.jwt)
        let token = try await maker.token().encodedBytes
        let compressed = try Self.gzip(token)
        let large = try Self.gzip(Array(repeating: UInt8(ascii: "a"), count: (4 << 20) + 1))
        #expect(large.count < 1 << 20)
        let bodies: [([UInt8], TransportError.Code)] = [
            (large, .bodyTooLarge), (token, .contentEncodingNotAccepted),
            (compressed.dropLast(), .contentEncodingNotAccepted), (compressed + [0], .contentEncodingNotAccepted),
            ([], .contentEncodingNotAccepted),
        ]
        for (body, code) in bodies {
            let server = TokenServer([TokenMaker.uri: .ok(body, type: .statusListJWT).encoded("gzip")])
            let client = StatusListClient(transport: server.transport, policy: TokenMaker.policy)
            let error = await #expect(throws: StatusListError.self) {
                try await client.list(at: TokenMaker.uri, signedBy: maker.key, at: TokenMaker.now)
            }
            #expect(error?.code == .notFetched)
            #expect((error?.cause as? TransportError)?.code == code)
        }
    }
}

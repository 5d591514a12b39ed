import JOSEKit
import JSONKit
import Testing

@testable import OID4VPVerifier

/// Responses that are looked at before their transaction is known.
struct ReceivedResponseTests {
    /// A response whose JWE has a header of depth 8.
    private func received(_ request: CreatedRequest) throws -> ReceivedResponse {
        let key = try #require(request.expectation.decryption?.key.publicJWK)
        var parameters: JSONObject = ["vp_token": ["pid": ["a~"]]]
        parameters["state"] = request.expectation.state.map { .string($0) }
        let jwe = try JWE.encrypt(
            JSONValue.object(parameters).encoded(),
            to: .jwk(key, .ecdhES, for: .a128GCM),
            with: .a128GCM,
            header: ["deep": [[[[[[["x"]]]]]]]]
        )
        return try ReceivedResponse(form: FormParameters.form(["response": try jwe.compactSerialization()]))
    }

    /// A JWE that was read for the name of its key is read anew by a reader with narrower limits.
    @Test(arguments: [true, false])
    func readersKeepTheirLimits(isReadBefore: Bool) async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]))
        var response = try received(request)
        if isReadBefore {
            let jwe = response.readJWE()
            #expect(jwe != nil)
        }
        let sent = response
        var reader = ResponseReader()
        let read = try await reader.read(sent, for: request.expectation, at: Scene.now)
        guard case .presentations(let presentations) = read else {
            Issue.record("no presentations")
            return
        }
        #expect(presentations.token.presentations == ["a~"])
        reader.options.limits.depth = 4
        let narrow = reader
        await expectError(.decryptionFailed) { try await narrow.read(sent, for: request.expectation, at: Scene.now) }
    }

    @Test func givesTheJWEWithinLimits() async throws {
        let scene = try await Scene()
        var response = try received(scene.request(Scene.query([.sdJWT])))
        #expect(response.knownJWE(within: .default) == nil)
        let jwe = response.readJWE()
        #expect(jwe != nil && response.knownJWE(within: .default) != nil)
        #expect(response.knownJWE(within: ResponseLimits(size: 8 << 20, depth: 65)) != nil)
        #expect(response.knownJWE(within: ResponseLimits(size: 1 << 20)) == nil)
        #expect(response.knownJWE(within: ResponseLimits(depth: 63)) == nil)
    }
}

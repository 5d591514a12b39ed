import CryptoCore
import JOSEKit
import JSONKit
import OID4VPVerifier
import Testing

/// Responses are read for the transaction they belong to, and for no other.
struct ResponseReaderTests {
    private func read(
        _ response: ReceivedResponse,
        _ request: CreatedRequest,
        _ reader: ResponseReader = ResponseReader()
    ) async throws -> WalletResponse {
        try await reader.read(response, for: request.expectation, at: Scene.now)
    }

    private static let token: JSONObject = ["vp_token": ["pid": ["a~"]]]

    @Test(arguments: [ResponseMode.directPost, .directPostJWT, .digitalCredentials, .digitalCredentialsJWT])
    func readsPresentations(_ mode: ResponseMode) async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]), mode: mode)
        let received = try Wallet.send(Self.token, request)
        #expect(received.keyID == request.expectation.decryption?.key.keyID)
        #expect(received.state == (mode == .directPost ? request.expectation.state : nil))
        guard case .presentations(let response) = try await read(received, request) else { throw NoPresentations() }
        #expect(response.token.presentations == ["a~"])
    }

    @Test func refusesPresentationsInTheClear() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]))
        await expectError(.notEncrypted) { try await read(Wallet.send(Self.token, request, inTheClear: true), request) }
        var both = Self.token
        both["error"] = "access_denied"
        await expectError(.notEncrypted) { try await read(Wallet.send(both, request, inTheClear: true), request) }
        // A signature alone does not replace the encryption.
        let signed = try await JWT.sign(JWTClaims(Self.token), with: scene.issuer).compactSerialization()
        await expectError(.notEncrypted) {
            try await read(ReceivedResponse(form: FormParameters.form(["response": signed])), request)
        }
    }

    @Test func refusesTheStateOfAnother() async throws {
        let scene = try await Scene()
        for mode in [ResponseMode.directPost, .directPostJWT] {
            let request = try scene.request(Scene.query([.sdJWT]), mode: mode)
            for state in ["another", "", nil] as [String?] {
                var parameters = Self.token
                parameters["state"] = state.map { .string($0) }
                let form = try ReceivedResponse(form: ResponseParameters(parameters).form.text)
                guard mode == .directPostJWT else {
                    await expectError(.stateMismatch) { try await read(form, request) }
                    continue
                }
                parameters["state"] = state.map { .string($0) } ?? .null
                await expectError(state == "another" ? .stateMismatch : .malformedResponse) {
                    try await read(Wallet.send(parameters, request), request)
                }
            }
        }
        let platform = try scene.request(Scene.query([.sdJWT]), mode: .digitalCredentials)
        var parameters = Self.token
        parameters["state"] = "unasked"
        await expectError(.stateMismatch) { try await read(Wallet.send(parameters, platform), platform) }
    }

    @Test func refusesTheResponseToAnotherRequest() async throws {
        let scene = try await Scene()
        let query = try Scene.query([.sdJWT])
        let (one, two) = (try scene.request(query), try scene.request(query))
        await expectError(.decryptionFailed) { try await read(Wallet.send(Self.token, two), one) }
        let platform = try scene.request(query, mode: .digitalCredentialsJWT)
        await expectError(.malformedResponse) { try await read(Wallet.send(Self.token, one), platform) }
        await expectError(.malformedResponse) { try await read(Wallet.send(Self.token, platform), one) }
        let foreign = ReceivedResponse(digitalCredentials: Self.token, origin: "https://other.example")
        await expectError(.originMismatch) { try await read(foreign, platform) }
        let plain = try scene.request(query, mode: .directPost)
        await expectError(.malformedResponse) {
            try await read(ReceivedResponse(form: FormParameters.form(["response": "a.b.c.d.e"])), plain)
        }
    }

    @Test func refusesAlgorithmsThatWereNotOffered() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]))
        let key = try #require(request.expectation.decryption?.key.publicJWK)
        var parameters = Self.token
        parameters["state"] = request.expectation.state.map { .string($0) }
        for (algorithm, encryption) in [(JWEAlgorithm.ecdhES, JWEEncryption.a256CBC_HS512), (.ecdhES_A128KW, .a128GCM)]
        {
            var members = key.members
            members["alg"] = .string(algorithm.rawValue)
            let jwe = try JWE.encrypt(
                JSONValue.object(parameters).encoded(),
                to: .jwk(try JWK(json: .object(members)), algorithm, for: encryption),
                with: encryption
            )
            let form = FormParameters.form(["response": try jwe.compactSerialization()])
            await expectError(.decryptionFailed) { try await read(ReceivedResponse(form: form), request) }
        }
    }

    @Test func refusesWhatIsNoResponse() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]))
        await expectError(.decryptionFailed) {
            try await read(ReceivedResponse(form: FormParameters.form(["response": "a.b.c.d.e"])), request)
        }
        await expectError(.malformedResponse) { try ReceivedResponse(form: "state=a&state=b") }
        let platform = try scene.request(Scene.query([.sdJWT]), mode: .digitalCredentialsJWT)
        await expectError(.malformedResponse) {
            try await read(ReceivedResponse(digitalCredentials: ["response": 1], origin: Scene.origin), platform)
        }
        await expectError(.limitExceeded) {
            try ReceivedResponse(form: "a=" + String(repeating: "a", count: 99), limits: ResponseLimits(size: 100))
        }
        var small = ResponseReader()
        small.options.limits.size = 100
        await expectError(.limitExceeded) { try await read(Wallet.send(Self.token, request), request, small) }
        let sent = try Wallet.send(Self.token, request)
        let text = try #require(sent.parameters.members["response"]?.stringValue)
        await expectError(.malformedResponse) {
            try await read(ReceivedResponse(form: FormParameters.form(["response": text, "vp_token": "{}"])), request)
        }
        await expectError(.malformedResponse) {
            try await read(ReceivedResponse(form: FormParameters.form(["response": text, "state": "other"])), request)
        }
        for token in ["a", [], ["other": ["a"]], ["pid": []], ["pid": "a"], ["pid": ["a", "b"]], ["pid": [1]]]
            as [JSONValue]
        {
            await expectError(.malformedResponse) { try await read(Wallet.send(["vp_token": token], request), request) }
        }
        await expectError(.malformedResponse) { try await read(Wallet.send([:], request), request) }
        let tolerant = ResponseReader(options: .deployed)
        let single = try await read(Wallet.send(["vp_token": ["pid": "a"]], request), request, tolerant)
        guard case .presentations(let response) = single else { throw NoPresentations() }
        #expect(response.deviations.map(\.tolerance) == ["singlePresentations"])
    }

    /// Parameters that nobody defined are ignored (section 8.1); those of a response belong into the JWT.
    @Test func ignoresUnknownParametersBesideTheJWT() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]))
        let sent = try Wallet.send(Self.token, request)
        let text = try #require(sent.parameters.members["response"]?.stringValue)
        let form = FormParameters.form(["response": text, "wallet": "1", "iss": "https://wallet.example"])
        guard case .presentations = try await read(ReceivedResponse(form: form), request) else {
            throw NoPresentations()
        }
        for name in ["vp_token", "presentation_submission", "error", "error_description", "id_token", "code"] {
            await expectError(.malformedResponse) {
                try await read(ReceivedResponse(form: FormParameters.form(["response": text, name: "{}"])), request)
            }
        }
    }

    @Test func readsErrors() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]))
        let error: JSONObject = ["error": "access_denied", "error_description": "The request was declined"]
        for inTheClear in [true, false] {
            let received = try Wallet.send(error, request, inTheClear: inTheClear)
            guard case .error(let read) = try await read(received, request) else { throw NoPresentations() }
            #expect(read.code == .accessDenied && read.description == "The request was declined")
        }
        var foreign = error
        foreign["state"] = "another"
        await expectError(.stateMismatch) { try await read(Wallet.send(foreign, request, inTheClear: true), request) }
        var both = error
        both["vp_token"] = ["pid": ["a"]]
        await expectError(.malformedResponse) { try await read(Wallet.send(both, request), request) }
    }

    @Test func readsResponsesThatAWalletSigned() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]))
        let wallet = "https://wallet.example"
        var claims = Self.token
        claims["iss"] = .string(wallet)
        claims["aud"] = .string(request.expectation.clientID ?? "")
        claims["exp"] = 1_800_000_060
        claims["state"] = request.expectation.state.map { .string($0) }
        let key = try #require(request.expectation.decryption?.key.publicJWK)
        func sent(_ claims: JSONObject, by signer: SoftwareSigner) async throws -> ReceivedResponse {
            let token = try await JWT.sign(JWTClaims(claims), with: signer).compactSerialization()
            let jwe = try JWE.encrypt(Array(token.utf8), to: .jwk(key, .ecdhES, for: .a128GCM), with: .a128GCM)
            return try ReceivedResponse(form: FormParameters.form(["response": try jwe.compactSerialization()]))
        }
        let reader = ResponseReader(walletKeys: [ExactText(wallet): JWKSet([try JWK(scene.holder.publicKey)])])
        let read = try await read(sent(claims, by: scene.holder), request, reader)
        guard case .presentations(let response) = read else { throw NoPresentations() }
        #expect(response.token.presentations == ["a~"])
        await expectError(.invalidSignedResponse) { try await self.read(sent(claims, by: scene.holder), request) }
        await expectError(.invalidSignedResponse) {
            try await self.read(sent(claims, by: scene.issuer), request, reader)
        }
        for (name, value) in [("aud", "other"), ("exp", 1_700_000_000), ("iss", "https://other.example")]
            as [(String, JSONValue)]
        {
            var changed = claims
            changed[name] = value
            await expectError(.invalidSignedResponse) {
                try await self.read(sent(changed, by: scene.holder), request, reader)
            }
            changed[name] = nil
            await expectError(.invalidSignedResponse) {
                try await self.read(sent(changed, by: scene.holder), request, reader)
            }
        }
    }

    /// A request of an older verifier that asked for a signature and no encryption.
    @Test func readsResponsesThatAreSignedAlone() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]))
        var stored = try #require(try JSONValue(parsing: request.expectation.encodedBytes).objectValue)
        stored["key"] = nil
        let expectation = try ResponseExpectation(decoding: JSONValue.object(stored).encoded())
        var claims = Self.token
        claims["iss"] = "https://wallet.example"
        claims["aud"] = .string(expectation.clientID ?? "")
        claims["exp"] = 1_800_000_060
        claims["state"] = expectation.state.map { .string($0) }
        let token = try await JWT.sign(JWTClaims(claims), with: scene.holder).compactSerialization()
        let received = try ReceivedResponse(form: FormParameters.form(["response": token]))
        let keys = try JWKSet([JWK(scene.holder.publicKey)])
        let reader = ResponseReader(walletKeys: ["https://wallet.example": keys])
        let read = try await reader.read(received, for: expectation, at: Scene.now)
        guard case .presentations(let response) = read else { throw NoPresentations() }
        #expect(response.token.presentations == ["a~"])
        await expectError(.invalidSignedResponse) {
            try await ResponseReader().read(received, for: expectation, at: Scene.now)
        }
        await expectError(.notEncrypted) {
            try await reader.read(
                try Wallet.send(Self.token, request, inTheClear: true),
                for: expectation,
                at: Scene.now
            )
        }
    }
}

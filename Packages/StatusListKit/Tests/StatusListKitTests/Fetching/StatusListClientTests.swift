import COSEKit
import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import StatusListKit
import TestSupport
import Testing

@Suite struct StatusListClientTests {
    private let now = TokenMaker.now

    private func client(_ server: TokenServer, _ options: StatusListClientOptions = .default) -> StatusListClient {
        StatusListClient(transport: server.transport, policy: TokenMaker.policy, options: options)
    }

    private func reference(_ index: Int, _ uri: String = TokenMaker.uri) throws -> StatusReference {
        try StatusReference(index: index, uri: uri)
    }

    private func later(_ seconds: TimeInterval) -> Date { now.addingTimeInterval(seconds) }

    @Test(arguments: StatusListToken.Form.allCases)
    func givesEveryVerdict(form: StatusListToken.Form) async throws {
        let maker = try TokenMaker(form)
        let server = TokenServer(try await maker.token())
        let client = client(server)
        let expected: [CredentialStatus] = [
            .valid(asOf: TokenMaker.now - 100), .revoked, .suspended, .application(3),
        ]
        for (index, status) in expected.enumerated() {
            #expect(try await client.status(for: reference(index), signedBy: maker.key, at: now).status == status)
        }
        #expect(
            try await client.status(for: reference(8), signedBy: maker.key, at: now).status.reason == "indexOutOfRange"
        )
        #expect(server.count == 1)
        let request = try #require(server.transport.requests.first)
        #expect(request.url.description == TokenMaker.uri)
        #expect(request.accepted == [.statusListJWT, .statusListCWT])
        #expect(request.limits.maximumBodySize == 4 << 20)
    }

    /// Tokens of several mebibytes, in either form.
    @Test(arguments: StatusListToken.Form.allCases)
    func takesTokensAsLongAsTheLimitsAllow(form: StatusListToken.Form) async throws {
        var maker = try TokenMaker(form)
        var random = RepeatableRandomNumberGenerator(seed: 4)
        maker.list = StatusList(bytes: (0..<2_000_000).map { _ in .random(in: 0...255, using: &random) }, bits: .one)
        let token = try await maker.token()
        #expect(token.encodedBytes.count > 1_900_000)
        let expected = try maker.list.status(at: 12_345)
        let found = try await client(TokenServer(token)).list(at: TokenMaker.uri, signedBy: maker.key, at: now)
        #expect(try found.list.status(at: 12_345) == expected)
    }

    @Test func asksForTheFormsThatThePolicyTakes() async throws {
        let pki = try await SignerPKI.make()
        let server = TokenServer([:])
        let policy = StatusListPolicy(jwtAlgorithms: [], cwtAlgorithms: [.es256])
        let client = StatusListClient(transport: server.transport, policy: policy)
        #expect(try await client.status(for: reference(0), signedBy: pki.trust, at: now).status.reason == "notFetched")
        #expect(server.transport.requests.first?.accepted == [.statusListCWT])
    }

    /// A list that is kept for callers of either form does not answer callers of one form.
    @Test(arguments: StatusListToken.Form.allCases)
    func aCallerCanDemandAForm(form: StatusListToken.Form) async throws {
        let maker = try TokenMaker(form)
        let other: StatusListToken.Form = form == .jwt ? .cwt : .jwt
        let server = TokenServer(try await maker.token())
        let client = client(server)
        #expect(try await client.list(at: TokenMaker.uri, signedBy: maker.key, at: now).token.form == form)
        #expect(
            try await client.list(at: TokenMaker.uri, signedBy: maker.key, forms: [form], at: now).token.form == form
        )
        await expectRefusal(.notFetched) {
            try await client.list(at: TokenMaker.uri, signedBy: maker.key, forms: [other], at: now)
        }
        await expectRefusal(.notAvailable) {
            try await client.list(at: TokenMaker.uri, signedBy: maker.key, forms: [], at: now)
        }
        #expect(
            server.transport.requests.map(\.accepted) == [
                [.statusListJWT, .statusListCWT], form == .jwt ? [.statusListJWT] : [.statusListCWT],
                form == .jwt ? [.statusListCWT] : [.statusListJWT],
            ]
        )
    }

    /// Lists that are loaded or fetched ahead serve both.
    @Test(arguments: StatusListToken.Form.allCases)
    func aListThatIsSuppliedHasItsForm(form: StatusListToken.Form) async throws {
        let maker = try TokenMaker(form)
        let other: StatusListToken.Form = form == .jwt ? .cwt : .jwt
        let server = TokenServer(try await maker.token())
        let online = client(server)
        #expect(await online.prefetch([TokenMaker.uri], signedBy: maker.key, at: now).isEmpty)
        let verified = StatusListClient(transport: nil, policy: TokenMaker.policy)
        #expect(verified.load(online.snapshot(), signedBy: maker.key, at: now).isEmpty)
        let unverified = StatusListClient(transport: nil, snapshot: online.snapshot(), policy: TokenMaker.policy)
        for client in [online, verified, unverified] {
            for forms: Set<StatusListToken.Form>? in [nil, [form], [.jwt, .cwt]] {
                _ = try await client.list(at: TokenMaker.uri, signedBy: maker.key, forms: forms, at: now)
            }
            #expect(client.keptLists(at: now).count == 1)
        }
        #expect(server.count == 1)
        for client in [verified, unverified] {
            await expectRefusal(.notAvailable) {
                try await client.list(at: TokenMaker.uri, signedBy: maker.key, forms: [other], at: now)
            }
        }
        #expect(online.snapshot().tokens.count == 1)
    }

    @Test func saysWhyNothingIsKnown() async throws {
        let maker = try TokenMaker(.jwt)
        let token = try await maker.token()
        var other = maker
        other.subject = "https://issuer.example/lists/2"
        let cases: [(InMemoryHTTPAnswer, String)] = [
            (InMemoryHTTPAnswer(status: 404), "notFetched"),
            (InMemoryHTTPAnswer(status: 500), "notFetched"),
            (.redirect(to: "https://other.example/"), "notFetched"),
            (.ok(token.encodedBytes, type: .json), "notFetched"),
            (.ok([UInt8](repeating: 0, count: 4 << 20 + 1), type: .statusListCWT), "notFetched"),
            (.ok(token.encodedBytes, type: .statusListCWT), "malformed"),
            (.ok([], type: .statusListJWT), "malformed"),
            (TokenServer.answer(try await other.token()), "claimMismatch"),
            (TokenServer.answer(try await TokenMaker(.cwt).token()), "invalidSignature"),
        ]
        for (answer, reason) in cases {
            let status = try await client(TokenServer([TokenMaker.uri: answer]))
                .status(for: reference(0), signedBy: maker.key, at: now).status
            #expect(status.reason == reason)
        }
    }

    @Test(
        arguments: ["application/jwt", "application/cwt", "text/plain; charset=utf-8", "application/octet-stream"],
        StatusListToken.Form.allCases
    )
    func toleratesOtherContentTypesByName(type: String, form: StatusListToken.Form) async throws {
        let maker = try TokenMaker(form)
        let answer = InMemoryHTTPAnswer.ok(try await maker.token().encodedBytes, type: try MediaType(type))
        let server = TokenServer([TokenMaker.uri: answer])
        let strict = try await client(server).status(for: reference(1), signedBy: maker.key, at: now)
        #expect(strict.status.reason == "notFetched")
        var policy = TokenMaker.policy
        policy.tolerances = .deployed
        let client = StatusListClient(transport: server.transport, policy: policy)
        // The kept list reports it, too.
        for _ in 0..<2 {
            let finding = try await client.status(for: reference(1), signedBy: maker.key, at: now)
            #expect(finding.status == .revoked)
            #expect(finding.deviations.map(\.tolerance) == ["otherContentType"])
        }
        #expect(server.count == 2)
        let type = try MediaType("text/html")
        server.set(.ok(try await maker.token().encodedBytes, type: type))
        let other = StatusListClient(transport: server.transport, policy: policy)
        #expect(
            try await other.status(for: reference(1), signedBy: maker.key, at: now).status.reason == "notFetched"
        )
    }

    /// The form in the bytes must be one that the policy takes, and the type in the header is required as ever.
    @Test func otherContentTypesChangeNothingElse() async throws {
        let jwt = try TokenMaker(.jwt)
        func reason(_ bytes: [UInt8], _ algorithms: Set<JWSAlgorithm>) async throws -> String? {
            let policy = StatusListPolicy(
                jwtAlgorithms: algorithms,
                cwtAlgorithms: [.es256],
                tolerances: .deployed
            )
            let transport = TokenServer([TokenMaker.uri: .ok(bytes, type: try MediaType("text/plain"))]).transport
            return try await StatusListClient(transport: transport, policy: policy)
                .status(for: reference(0), signedBy: jwt.key, at: now).status.reason
        }
        #expect(try await reason(jwt.token().encodedBytes, []) == "notFetched")
        #expect(try await reason([], [.es256]) == "notFetched")
        let other = try await JWS.sign(Array("{}".utf8), header: ["typ": "JWT"], with: jwt.signer)
        #expect(try await reason(Array(other.compactSerialization().utf8), [.es256]) == "unexpectedType")
    }

    @Test(arguments: [
        "http://issuer.example/lists/1", "https://127.0.0.1/", "not a URL", "ftp://issuer.example/",
        "https://user@issuer.example/",
    ])
    func contactsNothingThatTheTransportRefuses(uri: String) async throws {
        let server = TokenServer([:])
        let status = try await client(server)
            .status(for: reference(0, uri), signedBy: TokenMaker(.jwt).key, at: now).status
        #expect(status.reason == "notFetched")
        #expect(server.count == 0)
    }

    @Test func aListIsKeptForItsTimeToLive() async throws {
        var maker = try TokenMaker(.jwt)
        maker.timeToLive = 600
        let server = TokenServer(try await maker.token())
        let client = client(server)
        for offset: TimeInterval in [0, 1, 599] {
            #expect(
                try await client.status(for: reference(1), signedBy: maker.key, at: later(offset)).status == .revoked
            )
            #expect(server.count == 1)
        }
        maker.list = try StatusList(count: 8, bits: .one)
        server.set(TokenServer.answer(try await maker.token()))
        #expect(try await client.status(for: reference(1), signedBy: maker.key, at: later(600)).status.isValid)
        #expect(server.count == 2)
    }

    @Test(arguments: [(1, 59.0, 60.0), (1_000_000, 999.0, 1000.0)])
    func timesToLiveAreHeldWithinBounds(timeToLive: Int, kept: TimeInterval, refreshed: TimeInterval) async throws {
        var maker = try TokenMaker(.cwt)
        maker.timeToLive = timeToLive
        let server = TokenServer(try await maker.token())
        let client = client(server, StatusListClientOptions(caching: DocumentCacheOptions(maximumLifetime: 1000)))
        for (offset, count) in [(0, 1), (kept, 1), (refreshed, 2)] {
            _ = try await client.status(for: reference(0), signedBy: maker.key, at: later(offset)).status
            #expect(server.count == count)
        }
    }

    /// The header of the answer decides where the token has no `ttl`.
    @Test(arguments: [(nil, "max-age=200", 200), (nil, "no-cache", 60), (600, "max-age=200", 600)])
    func headersDecideAboutAListWithoutTimeToLive(
        timeToLive: Int?,
        cacheControl: String,
        seconds: TimeInterval
    ) async throws {
        var maker = try TokenMaker(.jwt)
        maker.expirationTime = nil
        maker.timeToLive = timeToLive
        let server = TokenServer([TokenMaker.uri: TokenServer.answer(try await maker.token()).caching(cacheControl)])
        let client = client(server, StatusListClientOptions(caching: DocumentCacheOptions(defaultLifetime: 100)))
        for (offset, count): (TimeInterval, Int) in [(0, 1), (seconds - 1, 1), (seconds, 2)] {
            _ = try await client.status(for: reference(0), signedBy: maker.key, at: later(offset)).status
            #expect(server.count == count)
        }
    }

    @Test func aListWithoutTimeToLiveIsKeptForTheDefault() async throws {
        var maker = try TokenMaker(.jwt)
        maker.expirationTime = nil
        let server = TokenServer(try await maker.token())
        let client = client(server, StatusListClientOptions(caching: DocumentCacheOptions(defaultLifetime: 100)))
        for (offset, count): (TimeInterval, Int) in [(0, 1), (99, 1), (100, 2)] {
            _ = try await client.status(for: reference(0), signedBy: maker.key, at: later(offset)).status
            #expect(server.count == count)
        }
    }

    @Test func aListIsNotUsedPastItsExpiration() async throws {
        var maker = try TokenMaker(.jwt)
        maker.timeToLive = 86400
        maker.expirationTime = 1000
        let server = TokenServer(try await maker.token())
        let client = client(server)
        #expect(try await client.status(for: reference(0), signedBy: maker.key, at: now).status.isValid)
        #expect(
            try await client.status(for: reference(0), signedBy: maker.key, at: later(1060)).status.reason == "expired"
        )
        #expect(server.count == 2)
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func aKeptListEndsWithItsSignersCertificate(form: StatusListToken.Form) async throws {
        let pki = try await SignerPKI.make()
        var maker = try TokenMaker(form, key: pki.key)
        maker.certificates = [Array(pki.certificate.derBytes)]
        maker.timeToLive = 1_000_000
        maker.expirationTime = 1_000_000
        let server = TokenServer(try await maker.token())
        let client = client(server, StatusListClientOptions(caching: DocumentCacheOptions(maximumLifetime: 1_000_000)))
        for (offset, count): (TimeInterval, Int) in [(0, 1), (SignerPKI.day, 1)] {
            #expect(try await client.status(for: reference(0), signedBy: pki.trust, at: later(offset)).status.isValid)
            #expect(server.count == count)
        }
        let late = try await client.status(for: reference(0), signedBy: pki.trust, at: later(SignerPKI.day + 1))
        #expect(late.status.reason == "issuerNotTrusted")
        #expect(server.count == 2)
    }

    @Test func aListAnswersOnlyForItsSigner() async throws {
        let maker = try TokenMaker(.jwt)
        let server = TokenServer(try await maker.token())
        let client = client(server)
        let stranger = try TokenMaker(.jwt).key
        #expect(try await client.status(for: reference(0), signedBy: maker.key, at: now).status.isValid)
        #expect(
            try await client.status(for: reference(0), signedBy: stranger, at: now).status.reason == "invalidSignature"
        )
        #expect(try await client.status(for: reference(0), signedBy: maker.key, at: now).status.isValid)
        #expect(server.count == 2)
    }

    @Test func aFailureIsRememberedForAMoment() async throws {
        let maker = try TokenMaker(.jwt)
        let server = TokenServer([:])
        let client = client(server)
        for offset: TimeInterval in [0, 4] {
            #expect(
                try await client.status(for: reference(0), signedBy: maker.key, at: later(offset)).status.reason
                    == "notFetched"
            )
            #expect(server.count == 1)
        }
        server.set(TokenServer.answer(try await maker.token()))
        #expect(try await client.status(for: reference(0), signedBy: maker.key, at: later(5)).status.isValid)
        #expect(server.count == 2)
    }

    @Test func tasksShareOneRequest() async throws {
        let maker = try TokenMaker(.jwt)
        let gate = AsyncStream.makeStream(of: Void.self)
        let server = TokenServer(try await maker.token(), gate: gate.stream)
        let client = client(server)
        let reference = try reference(1)
        let key = maker.key
        let statuses = await withTaskGroup(of: CredentialStatus.self) { group in
            for _ in 0..<50 {
                group.addTask { await client.status(for: reference, signedBy: key, at: TokenMaker.now).status }
            }
            while server.count == 0 { await Task.yield() }
            gate.continuation.finish()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: .revoked, count: 50))
        #expect(server.count == 1)
    }

    @Test func theNumberOfKeptListsIsBounded() async throws {
        var maker = try TokenMaker(.jwt)
        let uris = (0..<4).map { "https://issuer.example/lists/\($0)" }
        var answers: [String: InMemoryHTTPAnswer] = [:]
        for uri in uris {
            maker.subject = uri
            answers[uri] = TokenServer.answer(try await maker.token())
        }
        let server = TokenServer(answers)
        let client = client(server, StatusListClientOptions(caching: DocumentCacheOptions(maximumCount: 2)))
        func ask(_ index: Int, expecting count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            _ = try await client.status(for: reference(0, uris[index]), signedBy: maker.key, at: now).status
            #expect(server.count == count, sourceLocation: sourceLocation)
        }
        try await ask(0, expecting: 1)
        try await ask(1, expecting: 2)
        try await ask(0, expecting: 2)
        try await ask(2, expecting: 3)  // drops 1, which was not used for longest
        try await ask(0, expecting: 3)
        try await ask(1, expecting: 4)
        #expect(client.snapshot().tokens.count == 2)
        client.removeAll()
        try await ask(0, expecting: 5)
    }

    @Test func theSizeOfKeptListsIsBounded() async throws {
        let maker = try TokenMaker(.jwt)
        let server = TokenServer(try await maker.token())
        let client = client(server, StatusListClientOptions(caching: DocumentCacheOptions(maximumSize: 10)))
        for count in [1, 2] {
            #expect(try await client.status(for: reference(1), signedBy: maker.key, at: now).status == .revoked)
            #expect(server.count == count)
        }
    }

    @Test func staleListsAreUsedOnlyWhereAllowed() async throws {
        var maker = try TokenMaker(.jwt)
        maker.timeToLive = 100
        for isAllowed in [false, true] {
            let server = TokenServer(try await maker.token())
            let client = client(
                server,
                StatusListClientOptions(caching: DocumentCacheOptions(stalePeriod: isAllowed ? .infinity : 0))
            )
            #expect(try await client.status(for: reference(1), signedBy: maker.key, at: now).status == .revoked)
            server.set(nil)
            // The first of these asks in vain, the second knows of that failure.
            for offset: TimeInterval in [200, 201] {
                let status = try await client.status(for: reference(1), signedBy: maker.key, at: later(offset)).status
                #expect(isAllowed ? status == .revoked : status.reason == "notFetched")
            }
            let expired = try await client.status(for: reference(1), signedBy: maker.key, at: later(4000)).status
            // A list past its `exp` is no stale list.
            #expect(expired.reason == "notFetched")
        }
    }

    @Test func redirectsAreFollowedOnlyWhereAllowed() async throws {
        let maker = try TokenMaker(.jwt)
        let server = TokenServer([
            TokenMaker.uri: .redirect(to: "https://mirror.example/a"),
            // Relative to the mirror (RFC 9110 section 10.2.2).
            "https://mirror.example/a": .redirect(to: "./b#list"),
            "https://mirror.example/b": TokenServer.answer(try await maker.token()),
        ])
        let two = client(server, StatusListClientOptions(redirects: 2))
        #expect(try await two.status(for: reference(1), signedBy: maker.key, at: now).status == .revoked)
        #expect(server.count == 3)
        let one = client(server, StatusListClientOptions(redirects: 1))
        #expect(try await one.status(for: reference(1), signedBy: maker.key, at: now).status.reason == "notFetched")
        #expect(server.count == 5)
        #expect(StatusListClientOptions.default.redirects == 5)
        server.set(.redirect(to: "http://169.254.169.254/"))
        let other = client(server, StatusListClientOptions(redirects: 2))
        #expect(try await other.status(for: reference(1), signedBy: maker.key, at: now).status.reason == "notFetched")
        #expect(server.count == 6)
    }

    @Test func keepsACurrentListFromCallersWithAnEarlierTime() async throws {
        let maker = try TokenMaker(.jwt)
        let server = TokenServer(try await maker.token())
        let client = client(server)
        #expect(try await client.status(for: reference(0), signedBy: maker.key, at: now).status.isValid)
        let past = try await client.status(for: reference(0), signedBy: maker.key, at: later(-100_000)).status
        #expect(past.reason == "issuedInFuture")
        #expect(try await client.status(for: reference(0), signedBy: maker.key, at: now).status.isValid)
        #expect(server.count == 2)
    }
}

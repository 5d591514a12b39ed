import CBORKit
import COSEKit
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import StatusListKit
import Testing

/// The mandatory refusals, once for each form.
@Suite struct StatusListTokenTests {
    private let forms = StatusListToken.Form.allCases

    private func verify(
        _ maker: TokenMaker,
        with key: StatusListKey? = nil,
        policy: StatusListPolicy = TokenMaker.policy,
        at now: Date = TokenMaker.now
    ) async throws -> VerifiedStatusList {
        let token = try StatusListToken(await maker.bytes(), form: maker.form)
        return try token.verify(for: TokenMaker.uri, with: key ?? maker.key, policy: policy, at: now).get()
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func verifies(form: StatusListToken.Form) async throws {
        var maker = try TokenMaker(form)
        maker.timeToLive = 600
        maker.notBefore = -50
        let verified = try await verify(maker)
        #expect(verified.uri == TokenMaker.uri)
        #expect(verified.list == maker.list)
        #expect(verified.issuedAt == TokenMaker.now.addingTimeInterval(-100))
        #expect(verified.notBefore == TokenMaker.now.addingTimeInterval(-50))
        #expect(verified.expirationTime == TokenMaker.now.addingTimeInterval(3600))
        #expect(verified.timeToLive == 600)
        #expect(verified.token.form == form)
        #expect(verified.certificateChain == nil)
        let valid = CredentialStatus.valid(asOf: TokenMaker.now - 100)
        let statuses = (0..<5).map { verified.status(at: $0) }
        #expect(statuses == [valid, .revoked, .suspended, .application(3), valid])
        #expect(verified.status(at: 8).reason == "indexOutOfRange")
        #expect(verified.status(at: -1).reason == "indexOutOfRange")
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func issuesWhatItVerifies(form: StatusListToken.Form) async throws {
        let maker = try TokenMaker(form)
        let content = try StatusListContent(
            uri: TokenMaker.uri,
            list: maker.list,
            aggregationURI: "https://issuer.example/lists",
            issuedAt: TokenMaker.now,
            expirationTime: TokenMaker.now.addingTimeInterval(100),
            timeToLive: 50
        )
        let signed =
            form == .jwt
            ? try await content.signedJWT(header: ["kid": "12"], with: maker.signer)
            : try await content.signedCWT(
                headers: COSEHeaders(unprotected: [.kid: .bytes([0x31, 0x32])]),
                with: maker.signer
            )
        for token in [signed, try StatusListToken(signed.encodedBytes, form: form)] {
            #expect(try token.unverifiedKeyID() == [0x31, 0x32])
            let verified = try token.verify(
                for: TokenMaker.uri,
                with: maker.key,
                policy: TokenMaker.policy,
                at: TokenMaker.now
            ).get()
            #expect(verified.list == maker.list)
            #expect(verified.aggregationURI == "https://issuer.example/lists")
            #expect(verified.timeToLive == 50)
        }
    }

    @Test func issuesInTwoSteps() throws {
        let maker = try TokenMaker(.jwt)
        let content = try StatusListContent(uri: TokenMaker.uri, list: maker.list, issuedAt: TokenMaker.now)
        let jws = try content.unsignedJWT(header: ["alg": "ES256"])
        let jwt = try JWT(jws.completed(with: maker.signer.signature(for: jws.bytesToSign)))
        let cose = try content.unsignedCWT(
            headers: COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.es256.rawValue)])
        )
        let message = try cose.completed(with: maker.signer.signature(for: cose.bytesToSign))
        for token in [try StatusListToken(jwt), StatusListToken(message)] {
            let verified = try token.verify(
                for: TokenMaker.uri,
                with: maker.key,
                policy: TokenMaker.policy,
                at: TokenMaker.now
            ).get()
            #expect(verified.expirationTime == nil)
            #expect(verified.timeToLive == nil)
        }
        expectRefusal(.algorithmNotAllowed) { try content.unsignedJWT(header: [:]) }
        expectRefusal(.algorithmNotAllowed) { try content.unsignedCWT(headers: COSEHeaders()) }
    }

    @Test func refusesContentsThatMakeNoToken() throws {
        let list = try StatusList(count: 1, bits: .one)
        let now = TokenMaker.now
        expectRefusal(.invalidClaim, at: "sub") { try StatusListContent(uri: "", list: list, issuedAt: now) }
        expectRefusal(.invalidClaim, at: "iat") {
            try StatusListContent(uri: "x", list: list, issuedAt: Date(timeIntervalSince1970: .infinity))
        }
        expectRefusal(.invalidClaim, at: "exp") {
            try StatusListContent(uri: "x", list: list, issuedAt: now, expirationTime: now)
        }
        expectRefusal(.invalidClaim, at: "ttl") {
            try StatusListContent(uri: "x", list: list, issuedAt: now, timeToLive: 0)
        }
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func refusesAnotherType(form: StatusListToken.Form) async throws {
        var maker = try TokenMaker(form)
        for type in [nil, "JWT", "statuslist", "application/jwt", "application/identifierlist+cwt", ""] {
            maker.type = type
            let made = maker
            await expectRefused(.unexpectedType) { try await verify(made) }
        }
        maker.type = form == .jwt ? "statuslist+cwt" : "application/statuslist+jwt"
        let other = maker
        await expectRefused(.unexpectedType) { try await verify(other) }
        maker.type = form.rawValue.uppercased()
        _ = try await verify(maker)
    }

    @Test func takesAShortTypeOfACWTByNameAlone() async throws {
        var maker = try TokenMaker(.cwt)
        maker.type = "statuslist+cwt"
        let token = try await maker.token()
        await expectRefused(.unexpectedType, at: "typ") { try verify(token, maker) }
        var policy = TokenMaker.policy
        policy.tolerances = [.shortType]
        let tolerated = token.verify(for: TokenMaker.uri, with: maker.key, policy: policy, at: TokenMaker.now)
        #expect(tolerated.refusal == nil && tolerated.deviations == [Deviation("shortType", at: ["typ"])])
    }

    @Test(arguments: [(279, true), (278, false), (61, false), (0, false)])
    func takesTheNumberOfTheTypeOfACWT(number: UInt16, isTaken: Bool) async throws {
        let maker = try TokenMaker(.cwt)
        var protected = maker.coseHeaders().protected
        protected[.type] = COSEContentType.coapContentFormat(number).cbor
        let headers = COSEHeaders(protected: protected)
        let token = StatusListToken(try await COSESign1.sign(maker.cwtPayload(), headers: headers, with: maker.signer))
        let verification = token.verify(
            for: TokenMaker.uri,
            with: maker.key,
            policy: TokenMaker.policy,
            at: TokenMaker.now
        )
        #expect(verification.refusal?.reason == (isTaken ? nil : .unexpectedType))
        #expect(verification.deviations.isEmpty)
    }

    /// The names of ECDSA in COSE that say the curve, with a key for the algorithm's name in JOSE.
    @Test func takesAKeyForTheSameAlgorithmByAnotherName() async throws {
        let maker = try TokenMaker(.cwt)
        var protected = maker.coseHeaders().protected
        protected[.alg] = .integer(COSEAlgorithm.esp256.rawValue)
        let headers = COSEHeaders(protected: protected)
        let token = StatusListToken(try await COSESign1.sign(maker.cwtPayload(), headers: headers, with: maker.signer))
        let policy = StatusListPolicy(jwtAlgorithms: [], cwtAlgorithms: [.esp256])
        for (algorithm, isTaken) in [("ES256", true), ("ES384", false)] {
            let key = try JWK(maker.signer.publicKey, algorithm: algorithm)
            let verification = token.verify(for: TokenMaker.uri, with: .jwk(key), policy: policy, at: TokenMaker.now)
            #expect((verification.refusal == nil) == isTaken, "\(algorithm)")
        }
    }

    /// A set of keys, of which the token names one or only one fits.
    @Test(arguments: StatusListToken.Form.allCases)
    func findsTheKeyInASet(form: StatusListToken.Form) async throws {
        var maker = try TokenMaker(form)
        let own = try JWK(maker.signer.publicKey, keyID: "own")
        let (other, edwards) = (try PrivateKey.generate(.p256).publicKey, try PrivateKey.generate(.ed25519).publicKey)
        func verify(_ keys: [JWK]) async throws -> Verification<VerifiedStatusList> {
            try await maker.token()
                .verify(for: TokenMaker.uri, with: .jwkSet(JWKSet(keys)), policy: TokenMaker.policy, at: TokenMaker.now)
        }
        let fitting = [try JWK(edwards, keyID: "ed"), own]
        #expect(try await verify(fitting).refusal == nil)
        maker.keyID = "own"
        #expect(try await verify(fitting + [try JWK(other, keyID: "other")]).refusal == nil)
        maker.keyID = "other"
        #expect(try await verify(fitting + [try JWK(other, keyID: "other")]).refusal?.reason == "invalidSignature")
        maker.keyID = "none"
        #expect(try await verify(fitting).refusal?.check == .signature)
        #expect(try await verify([]).refusal?.check == .signature)
    }

    @Test func takesTheTypeFromTheProtectedHeaderOnly() async throws {
        let maker = try TokenMaker(.cwt)
        let headers = COSEHeaders(unprotected: [.type: .text(StatusListToken.Form.cwt.rawValue)])
        let token = StatusListToken(try await COSESign1.sign(maker.cwtPayload(), headers: headers, with: maker.signer))
        await expectRefused(.unexpectedType) { try verify(token, maker) }
        // No number is registered for it in CoAP.
        let number = COSEHeaders(protected: [.type: 60])
        let numbered = StatusListToken(
            try await COSESign1.sign(maker.cwtPayload(), headers: number, with: maker.signer)
        )
        await expectRefused(.unexpectedType) { try verify(numbered, maker) }
    }

    private func verify(_ token: StatusListToken, _ maker: TokenMaker) throws -> VerifiedStatusList {
        try token.verify(for: TokenMaker.uri, with: maker.key, policy: TokenMaker.policy, at: TokenMaker.now).get()
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func refusesAnotherSigner(form: StatusListToken.Form) async throws {
        let maker = try TokenMaker(form)
        let other = try PrivateKey.generate(.p256).publicKey
        await expectRefused("invalidSignature") { try await verify(maker, with: .publicKey(other)) }
        let otherKind = try PrivateKey.generate(.ed25519).publicKey
        await expectRefused("keyMismatch") { try await verify(maker, with: .publicKey(otherKind)) }
        let shared = StatusListKey.symmetric(SecretBytes([UInt8](repeating: 1, count: 32)))
        await expectRefused("keyMismatch") { try await verify(maker, with: shared) }
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func refusesOtherAlgorithmsAndForms(form: StatusListToken.Form) async throws {
        let maker = try TokenMaker(form)
        let others = StatusListPolicy(jwtAlgorithms: [.es384], cwtAlgorithms: [.es384])
        await expectRefused(.algorithmNotAllowed) { try await verify(maker, policy: others) }
        let otherForm = StatusListPolicy(
            jwtAlgorithms: form == .jwt ? [] : [.es256],
            cwtAlgorithms: form == .cwt ? [] : [.es256]
        )
        await expectRefused(.unexpectedType) { try await verify(maker, policy: otherForm) }
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func refusesMissingClaims(form: StatusListToken.Form) async throws {
        let edits: [(inout TokenMaker) -> Void] = [
            { $0.subject = nil }, { $0.issuedAt = nil }, { $0.hasList = false },
        ]
        for edit in edits {
            var maker = try TokenMaker(form)
            edit(&maker)
            let made = maker
            await expectRefused(.missingClaim) { try await verify(made) }
        }
        var endless = try TokenMaker(form)
        endless.expirationTime = nil
        _ = try await verify(endless)
        var strict = TokenMaker.policy
        strict.requiresExpirationTime = true
        let (made, policy) = (endless, strict)
        await expectRefused(.missingClaim) { try await verify(made, policy: policy) }
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func refusesClaimsOfOtherTypes(form: StatusListToken.Form) async throws {
        for name in ["sub", "iat", "exp", "nbf", "ttl"] {
            var maker = try TokenMaker(form)
            maker.moreJWTClaims = [name: [1]]
            let labels: [String: COSELabel] = [
                "sub": .claimSubject, "iat": .claimIssuedAt, "exp": .claimExpirationTime, "nbf": .claimNotBefore,
                "ttl": .claimTimeToLive,
            ]
            maker.moreCWTClaims = [try #require(labels[name]): [1]]
            let made = maker
            await expectRefused(.invalidClaim) { try await verify(made) }
        }
        for ttl in [0, -1] {
            var maker = try TokenMaker(form)
            maker.timeToLive = ttl
            let made = maker
            await expectRefused(.invalidClaim) { try await verify(made) }
        }
        var maker = try TokenMaker(form)
        (maker.jsonList, maker.cborList) = ("x", "x")
        let made = maker
        await expectRefused(.malformed) { try await verify(made) }
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func refusesTheTokenOfAnotherList(form: StatusListToken.Form) async throws {
        for subject in [
            "https://issuer.example/lists/2", "https://issuer.example/lists/1/", "", "HTTPS://issuer.example/lists/1",
        ] {
            var maker = try TokenMaker(form)
            maker.subject = subject
            let made = maker
            await expectRefused(.claimMismatch) { try await verify(made) }
        }
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func refusesAnotherAudience(form: StatusListToken.Form) async throws {
        var maker = try TokenMaker(form)
        maker.audience = "https://verifier.example"
        let made = maker
        await expectRefused(.claimMismatch) { try await verify(made) }
        var policy = TokenMaker.policy
        policy.audience = "https://verifier.example"
        _ = try await verify(maker, policy: policy)
        policy.audience = "https://other.example"
        let other = policy
        await expectRefused(.claimMismatch) { try await verify(made, policy: other) }
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func toleratesTheClockSkew(form: StatusListToken.Form) async throws {
        let maker = try TokenMaker(form)
        let bytes = try await maker.bytes()
        func verify(
            at offset: TimeInterval,
            _ policy: StatusListPolicy = TokenMaker.policy
        ) throws -> VerifiedStatusList {
            let token = try StatusListToken(bytes, form: form)
            let now = TokenMaker.now.addingTimeInterval(offset)
            return try token.verify(for: TokenMaker.uri, with: maker.key, policy: policy, at: now).get()
        }
        _ = try verify(at: -160)
        await expectRefused(.issuedInFuture, at: "iat") { try verify(at: -161) }
        _ = try verify(at: 3659)
        await expectRefused(.expired, at: "exp") { try verify(at: 3660) }
        var aged = TokenMaker.policy
        aged.maximumAge = 1000
        _ = try verify(at: 960, aged)
        await expectRefused(.tooOld, at: "iat") { try verify(at: 961, aged) }
        var exact = TokenMaker.policy
        exact.clockSkew = 0
        _ = try verify(at: 3599, exact)
        await expectRefused(.expired) { try verify(at: 3600, exact) }
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func refusesATokenBeforeItsTime(form: StatusListToken.Form) async throws {
        var maker = try TokenMaker(form)
        maker.notBefore = 60
        _ = try await verify(maker)
        maker.notBefore = 61
        let made = maker
        await expectRefused(.notYetValid) { try await verify(made) }
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func aKeptListIsCheckedAgain(form: StatusListToken.Form) async throws {
        let verified = try await verify(TokenMaker(form))
        let reference = try StatusReference(index: 1, uri: TokenMaker.uri)
        let other = try StatusReference(index: 1, uri: TokenMaker.uri + "2")
        let policy = TokenMaker.policy
        let late = TokenMaker.now.addingTimeInterval(4000)
        #expect(verified.status(for: reference, policy: policy, at: TokenMaker.now).status == .revoked)
        #expect(verified.status(for: other, policy: policy, at: TokenMaker.now).status.reason == "claimMismatch")
        #expect(verified.status(for: reference, policy: policy, at: late).status.reason == "expired")
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func refusesOversizedTokens(form: StatusListToken.Form) async throws {
        let bytes = try await TokenMaker(form).bytes()
        _ = try StatusListToken(bytes, form: form, limits: StatusListLimits(tokenSize: bytes.count))
        await expectRefusal(.limitExceeded) {
            try StatusListToken(bytes, form: form, limits: StatusListLimits(tokenSize: bytes.count - 1))
        }
        var maker = try TokenMaker(form)
        maker.list = try StatusList(count: 8001, bits: .one)
        var policy = TokenMaker.policy
        policy.limits.inflatedSize = 1000
        let (made, limited) = (maker, policy)
        await expectRefused(.limitExceeded) { try await verify(made, policy: limited) }
    }

    @Test func refusesOtherObjects() async throws {
        let cwt = try await TokenMaker(.cwt).bytes()
        let jwt = try await TokenMaker(.jwt).bytes()
        await expectRefusal(.malformed) { try StatusListToken(cwt, form: .jwt) }
        await expectRefusal(.malformed) { try StatusListToken(jwt, form: .cwt) }
        await expectRefusal(.malformed) { try StatusListToken([], form: .cwt) }
        await expectRefusal(.malformed) { try StatusListToken([], form: .jwt) }
        // The tag of CWT outside, and no tag at all (Token Status List, section 5.2).
        await expectRefusal(.malformed) { try StatusListToken(cwt: [0xd8, 0x3d] + cwt) }
        await expectRefusal(.malformed) { try StatusListToken(cwt: Array(cwt.dropFirst())) }
        let encrypted: CBOR = .tagged(16, [.bytes([]), [:], .bytes([1])])
        await expectRefusal(.malformed) { try StatusListToken(cwt: encrypted.encoded()) }
        await expectRefusal(.malformed) { try StatusListToken(cwt: cwt + [0]) }
    }

    @Test func takesMACsBetweenPartiesThatShareAKey() async throws {
        let secret = SecretBytes([UInt8](repeating: 7, count: 32))
        let policy = StatusListPolicy(jwtAlgorithms: [.hs256], cwtAlgorithms: [.hmac256_256])
        let maker = try TokenMaker(.cwt)
        var headers = maker.coseHeaders().protected
        headers[.alg] = .integer(COSEAlgorithm.hmac256_256.rawValue)
        let message = try COSEMac0.authenticate(
            maker.cwtPayload(),
            headers: COSEHeaders(protected: headers),
            with: secret
        )
        let jws = try JWS.authenticate(
            maker.jwtClaims().encoded(),
            header: ["alg": "HS256", "typ": "statuslist+jwt", "kid": "12"],
            hmacKey: secret
        )
        for made in [StatusListToken(message), try StatusListToken(JWT(jws))] {
            let form = made.form
            let token = try StatusListToken(made.encodedBytes, form: form)
            func verify(_ key: StatusListKey) throws -> VerifiedStatusList {
                try token.verify(for: TokenMaker.uri, with: key, policy: policy, at: TokenMaker.now).get()
            }
            #expect(try verify(.symmetric(secret)).list == maker.list)
            let other = StatusListKey.symmetric(SecretBytes([UInt8](repeating: 8, count: 32)))
            await expectRefused(form == .jwt ? "invalidSignature" : "invalidMAC") { try verify(other) }
            await expectRefused("keyMismatch") { try verify(maker.key) }
        }
        #expect(try StatusListToken(message).unverifiedKeyID() == nil)
    }
}

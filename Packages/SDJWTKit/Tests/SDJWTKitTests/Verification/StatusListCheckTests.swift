import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import StatusListKit
import Synchronization
import Testing

/// Statuses from status lists that are fetched, from the token to the verdict about the credential.
@Suite struct StatusListCheckTests {
    private static let uri = "https://status.example/1"
    private static let day: TimeInterval = 86_400
    private let scene: Scene

    /// The status of the first credential in the list.
    private var valid: CredentialStatus { .valid(asOf: scene.now.addingTimeInterval(-7200)) }

    init() throws {
        scene = try Scene()
    }

    /// Two bits each: valid, invalid, suspended, application specific, and 12 that are valid.
    private let list = StatusList(bytes: [0b1110_0100, 0, 0, 0], bits: .two)

    private func token(
        signer: SoftwareSigner? = nil,
        expiresIn seconds: TimeInterval = 3600
    ) async throws -> StatusListToken {
        let content = try StatusListContent(
            uri: Self.uri,
            list: list,
            issuedAt: scene.now.addingTimeInterval(-7200),
            expirationTime: scene.now.addingTimeInterval(seconds)
        )
        return try await content.signedJWT(with: signer ?? scene.issuer)
    }

    private func client(_ token: StatusListToken?) -> StatusListClient {
        let answer = token.map { InMemoryHTTPAnswer.ok($0.encodedBytes, type: .statusListJWT) }
        let transport = InMemoryHTTPTransport(answer.map { [Self.uri: $0] } ?? [:])
        return StatusListClient(
            transport: transport,
            policy: StatusListPolicy(jwtAlgorithms: [.es256], cwtAlgorithms: [])
        )
    }

    private func verification(
        index: Int?,
        _ checker: SDJWTStatusChecker,
        _ status: StatusPolicy = .required
    ) async throws -> Verification<VerifiedSDJWT> {
        var payload: JSONObject = ["vct": "t", "iss": "https://issuer.example"]
        if let index { payload["status"] = ["status_list": ["idx": .integer(index), "uri": .string(Self.uri)]] }
        var policy = SDJWTVerificationPolicy.credential(algorithms: [.es256])
        policy.status = status
        let verifier = SDJWTVerifier(
            policy: policy,
            issuerKeys: KnownIssuerKeys(scene.issuer.publicKey),
            statusChecker: checker,
            clock: { [now = scene.now] in now }
        )
        let text = try await assemble(.object(payload), signer: scene.issuer)
        let verification = await verifier.verify(try SDJWT(compact: text), expecting: .noKeyBinding)
        verification.expectEveryCheck()
        return verification
    }

    @Test func aValidCredential() async throws {
        for checker in try await checkers(token()) {
            let verification = try await verification(index: 0, checker)
            #expect(verification.verified?.status == valid)
            #expect(verification.verified?.issuerKey == scene.issuer.publicKey)
        }
    }

    private func checkers(_ token: StatusListToken?) -> [SDJWTStatusChecker] {
        [
            .lists(from: client(token), signedBy: .issuerKey),
            .lists(from: client(token), signedBy: .known(.publicKey(scene.issuer.publicKey))),
        ]
    }

    @Test(arguments: [(1, .revoked), (2, .suspended), (3, .statusUnknown)] as [(Int, Reason)])
    func credentialsThatAreNotValid(index: Int, reason: Reason) async throws {
        for checker in try await checkers(token()) {
            try await verification(index: index, checker).expectRefusal(.status, reason)
        }
    }

    private func expectUnknown(
        _ cause: String,
        index: Int = 0,
        _ checkers: [SDJWTStatusChecker]
    ) async throws {
        for checker in checkers {
            let verification = try await verification(index: index, checker)
            verification.expectRefusal(.status, .statusUnknown)
            #expect(verification.refusal?.message.hasPrefix("\(cause): ") == true)
        }
    }

    @Test func aListThatAnswersNothing() async throws {
        try await expectUnknown("indexOutOfRange", index: 16, checkers(token()))
        try await expectUnknown("expired", checkers(token(expiresIn: -3600)))
        try await expectUnknown("invalidSignature", checkers(token(signer: scene.stranger)))
        try await expectUnknown("notFetched", checkers(nil))
    }

    @Test func credentialsWithoutAStatus() async throws {
        let client = try await client(token())
        let checker = SDJWTStatusChecker.lists(from: client, signedBy: .issuerKey)
        try await verification(index: nil, checker).expectRefusal(.status, .statusUnknown)
        let verification = try await verification(index: nil, checker, .whenNamed)
        #expect(verification.refusal == nil && verification.verified?.status == nil)
    }

    @Test func aRuleMayRefuseToNameASigner() async throws {
        let client = try await client(token())
        let rule = StatusListSigner { _ throws(StatusListError) in throw StatusListError(.issuerNotTrusted, "nobody") }
        try await expectUnknown("issuerNotTrusted", [.lists(from: client, signedBy: rule)])
        struct Offline: Error {}
        let offline = StatusListSigner { _ in throw Offline() }
        try await expectUnknown("notAvailable", [.lists(from: client, signedBy: offline)])
        // The issuer's key did not come from certificates.
        try await expectUnknown(
            "issuerNotTrusted",
            [.lists(from: client, signedBy: .issuerAnchor(policy: .statusListSigner))]
        )
    }

    // MARK: Certificates

    private func authority(_ name: String) async throws -> CertificateAuthority {
        try await .root(
            subject: DistinguishedName(countryName: "UT", commonName: name),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: scene.now.addingTimeInterval(-400 * Self.day)...scene.now.addingTimeInterval(400 * Self.day)
        )
    }

    private func certified(_ key: PublicKey, by authority: CertificateAuthority) async throws -> [UInt8] {
        try await authority.issueStatusListSigner(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia"),
            publicKey: key,
            validity: scene.now.addingTimeInterval(-Self.day)...scene.now.addingTimeInterval(Self.day)
        ).derBytes
    }

    /// A number that issuers and verifiers could have agreed upon for id-kp-oauthStatusSigning.
    private static let statusSigning = OID("1.3.6.1.4.1.55555.1")

    /// A certificate for the signer of lists, with or without purposes.
    private func certified(purposes: [OID], by authority: CertificateAuthority) async throws -> [UInt8] {
        try await CertificateBuilder(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia"),
            publicKey: scene.stranger.publicKey,
            validity: scene.now.addingTimeInterval(-Self.day)...scene.now.addingTimeInterval(Self.day),
            extensions: [.keyUsage(.digitalSignature)] + (purposes.isEmpty ? [] : [.extendedKeyUsage(purposes)])
        ).issued(by: authority).derBytes
    }

    /// Another issuer below the same authority has a valid chain, but may not speak about this one's credentials.
    @Test func certificatesThatAreNotForLists() async throws {
        let own = try await authority("own")
        let number = try #require(Self.statusSigning)
        let policy = CertificatePathPolicy.statusListTokenSigner(purposes: [number])
        for (purposes, isTaken) in [
            ([], false), ([.serverAuthentication], false), ([.mdlDocumentSigner], false),
            ([.mdlReaderAuthentication], false), ([.anyExtendedKeyUsage], false), ([number], true),
        ] as [([OID], Bool)] {
            let certificate = try await certified(purposes: purposes, by: own)
            let verification = try await verification(issuer: own, listCertificate: certificate, policy)
            if isTaken {
                #expect(verification.verified?.status == valid, "\(verification.checks)")
            } else {
                verification.expectRefusal(.status, .statusUnknown)
                #expect(verification.refusal?.message.hasPrefix("issuerNotTrusted: ") == true)
            }
        }
    }

    private func verification(
        issuer: CertificateAuthority,
        lists: CertificateAuthority
    ) async throws -> Verification<VerifiedSDJWT> {
        let listCertificate = try await certified(scene.stranger.publicKey, by: lists)
        return try await verification(issuer: issuer, listCertificate: listCertificate, .statusListSigner)
    }

    private func verification(
        issuer: CertificateAuthority,
        listCertificate: [UInt8],
        _ policy: CertificatePathPolicy
    ) async throws -> Verification<VerifiedSDJWT> {
        let content = try StatusListContent(uri: Self.uri, list: list, issuedAt: scene.now.addingTimeInterval(-7200))
        var tokenHeader = JOSEHeader()
        tokenHeader.setCertificateChain([listCertificate])
        let token = try await content.signedJWT(header: tokenHeader, with: scene.stranger)
        var header: JOSEHeader = ["typ": "dc+sd-jwt"]
        header.setCertificateChain([try await certified(scene.issuer.publicKey, by: issuer)])
        let payload: JSONValue = ["vct": "t", "status": ["status_list": ["idx": 0, "uri": .string(Self.uri)]]]
        let text = try await assemble(payload, header: header, signer: scene.issuer)
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: X509IssuerKeys(anchors: [issuer.certificate], nameRule: .notCompared),
            statusChecker: .lists(from: client(token), signedBy: .issuerAnchor(policy: policy)),
            clock: { [now = scene.now] in now }
        )
        return await verifier.verify(try SDJWT(compact: text), expecting: .noKeyBinding)
    }

    @Test func theAuthorityOfTheIssuerCertifiesTheSignerOfLists() async throws {
        let own = try await authority("own")
        let verification = try await verification(issuer: own, lists: own)
        #expect(verification.verified?.status == valid, "\(verification.checks)")
        let other = try await self.verification(issuer: own, lists: authority("other"))
        other.expectRefusal(.status, .statusUnknown)
        #expect(other.refusal?.message.hasPrefix("issuerNotTrusted: ") == true)
    }

    // MARK: DIDs

    /// The keys of an issuer's DID sign its lists, under their full names or without the DID.
    @Test(
        arguments: [
            ("did:web:issuer.example#2", nil, true), ("#2", nil, true), (nil, nil, true),
            ("did:web:issuer.example#1", nil, false), ("did:web:other.example#2", nil, false), ("2", nil, false),
            ("did:web:other.example#2", "did:web:other.example", true),
            ("did:web:issuer.example#2", "did:web:other.example", false),
        ] as [(String?, String?, Bool)]
    )
    func listsUnderKeysOfADID(keyID: String?, signer: String?, isTaken: Bool) async throws {
        let resolver = FixedKeys(keys: [
            "did:web:issuer.example#1": scene.issuer.publicKey, "did:web:issuer.example#2": scene.stranger.publicKey,
            "did:web:other.example#2": scene.stranger.publicKey,
        ])
        let content = try StatusListContent(uri: Self.uri, list: list, issuedAt: scene.now.addingTimeInterval(-7200))
        var tokenHeader = JOSEHeader()
        tokenHeader["kid"] = keyID.map { .string($0) }
        let token = try await content.signedJWT(header: tokenHeader, with: scene.stranger)
        let rule: StatusListSigner =
            if let signer { .did(try DID(signer), from: resolver) } else { .issuerDID(from: resolver) }
        let verification = try await verification(issuer: "did:web:issuer.example", token, rule, resolver)
        if isTaken {
            #expect(verification.verified?.status == valid, "\(verification.checks)")
        } else {
            verification.expectRefusal(.status, .statusUnknown)
        }
    }

    /// A key that the DID revoked after the credential was issued signs no list.
    @Test func aRevokedKeyOfADIDSignsNoLists() async throws {
        let token = try await token()
        let claims = FixedKeys(keys: ["did:web:issuer.example#1": scene.issuer.publicKey])
        let did = try DID("did:web:issuer.example")
        let document = try claims.document(of: did, at: scene.now)
        for (end, isTaken) in [("2000-01-01T00:00:00Z", false), ("9999-01-01T00:00:00Z", true)] {
            var members = document.members
            members["verificationMethod"] = .array(
                document.verificationMethods.map { method in
                    var method = method.members
                    method["revoked"] = .string(end)
                    return .object(method)
                }
            )
            let lists = OneDocument(document: try DIDDocument(json: members, of: did))
            let verification = try await verification(
                issuer: did.text,
                token,
                .issuerDID(from: lists),
                claims
            )
            if isTaken {
                #expect(verification.verified?.status == valid, "\(verification.checks)")
            } else {
                verification.expectRefusal(.status, .statusUnknown)
            }
        }
    }

    private struct OneDocument: DIDResolver {
        let document: DIDDocument

        func document(of did: DID, at time: Date) -> DIDDocument { document }
    }

    private func verification(
        issuer: String,
        _ token: StatusListToken,
        _ signer: StatusListSigner,
        _ resolver: any DIDResolver,
        after seconds: TimeInterval = 0
    ) async throws -> Verification<VerifiedSDJWT> {
        let payload: JSONValue = [
            "vct": "t", "iss": .string(issuer), "status": ["status_list": ["idx": 0, "uri": .string(Self.uri)]],
        ]
        let text = try await assemble(
            payload,
            header: ["typ": "dc+sd-jwt", "kid": "did:web:issuer.example#1"],
            signer: scene.issuer
        )
        let isDID = issuer.hasPrefix("did:")
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: isDID ? DIDIssuerKeys(resolver) { _ in true } : KnownIssuerKeys(scene.issuer.publicKey),
            statusChecker: .lists(from: client(token), signedBy: signer),
            clock: { [now = scene.now] in now + seconds }
        )
        return await verifier.verify(try SDJWT(compact: text), expecting: .noKeyBinding)
    }

    /// A list under a key that the kept document lacks causes another request for the document, at a limited rate.
    @Test(arguments: [nil, "did:web:issuer.example"])
    func aNewKeyOfADIDSignsLists(signer: String?) async throws {
        let did = try DID("did:web:issuer.example")
        func document(_ keys: [String: SoftwareSigner]) throws -> JSONObject {
            let methods = try keys.map { name, signer in
                try VerificationMethod(id: DIDURL(did.text + name), key: signer.publicKey)
            }
            return DIDDocument(
                id: did,
                verificationMethods: methods,
                relationships: [.assertionMethod: methods.map(\.id)]
            ).members
        }
        let answer = Mutex(try document(["#1": scene.issuer]))
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            .ok(answer.withLock { JSONValue.object($0).encoded() }, type: .json)
        }
        let resolver = DIDWebMethod(transport: transport)
        let rule: StatusListSigner = signer == nil ? .issuerDID(from: resolver) : .did(did, from: resolver)
        let content = try StatusListContent(uri: Self.uri, list: list, issuedAt: scene.now.addingTimeInterval(-7200))
        func refusal(of keyID: String, by signer: SoftwareSigner, after seconds: TimeInterval) async throws -> Refusal?
        {
            let token = try await content.signedJWT(header: ["kid": .string(keyID)], with: signer)
            return try await verification(issuer: did.text, token, rule, resolver, after: seconds).refusal
        }
        #expect(try await refusal(of: "#1", by: scene.issuer, after: 0) == nil)
        let renewed = try document(["#1": scene.issuer, "#2": scene.stranger])
        answer.withLock { $0 = renewed }
        #expect(try await refusal(of: "#2", by: scene.stranger, after: 29)?.reason == .statusUnknown)
        #expect(transport.requests.count == 1)
        #expect(try await refusal(of: "#2", by: scene.stranger, after: 30) == nil)
        #expect(transport.requests.count == 2)
        #expect(try await refusal(of: "#3", by: scene.stranger, after: 31)?.reason == .statusUnknown)
        #expect(transport.requests.count == 2)
    }

    /// Only keys for making claims sign lists, and only an issuer with a DID has them.
    @Test func keysOfADIDForAnotherPurposeSignNoLists() async throws {
        let keys = ["did:web:issuer.example#1": scene.issuer.publicKey]
        let claims = FixedKeys(keys: keys)
        let other = FixedKeys(keys: keys, relationship: .authentication)
        let token = try await token()
        let taken = try await verification(issuer: "did:web:issuer.example", token, .issuerDID(from: claims), claims)
        #expect(taken.verified?.status == valid, "\(taken.checks)")
        try await verification(issuer: "did:web:issuer.example", token, .issuerDID(from: other), claims)
            .expectRefusal(.status, .statusUnknown)
        let noDID = try await verification(issuer: "https://issuer.example", token, .issuerDID(from: claims), claims)
        noDID.expectRefusal(.status, .statusUnknown)
        #expect(noDID.refusal?.message.hasPrefix("issuerNotTrusted: ") == true)
        let unknown = try await verification(
            issuer: "did:web:issuer.example",
            token,
            .issuerDID(from: DIDMethods([:])),
            claims
        )
        unknown.expectRefusal(.status, .statusUnknown)
        #expect(unknown.refusal?.message.hasPrefix("notAvailable: ") == true)
    }

    /// The list of a credential of SD-JWT VC is in JWT form, also with a client that takes CWTs for other credentials.
    @Test func listsOfCredentialsAreJWTs() async throws {
        let content = try StatusListContent(
            uri: Self.uri,
            list: list,
            issuedAt: scene.now - 7200,
            expirationTime: scene.now + 3600
        )
        let token = try await content.signedCWT(with: scene.issuer)
        let transport = InMemoryHTTPTransport([Self.uri: .ok(token.encodedBytes, type: .statusListCWT)])
        let client = StatusListClient(transport: transport, policy: .mdoc)
        try await verification(index: 0, .lists(from: client, signedBy: .issuerKey))
            .expectRefusal(.status, .statusUnknown)
        #expect(transport.requests.map(\.accepted) == [[.statusListJWT]])
        // For others the client takes it.
        let key = StatusListKey.publicKey(scene.issuer.publicKey)
        #expect(try await client.list(at: Self.uri, signedBy: key, at: scene.now).token.form == .cwt)
        try await verification(index: 0, .lists(from: client, signedBy: .known(key)))
            .expectRefusal(.status, .statusUnknown)
    }

    /// An issuer that has a new key signs with it the lists of credentials that it signed with the one before.
    @Test func listsUnderTheIssuersNewKey() async throws {
        let new = try SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256)
        let keys = JWKSet([try JWK(scene.issuer.publicKey, keyID: "old"), try JWK(new.publicKey, keyID: "new")])
        let payload: JSONValue = [
            "vct": "t", "iss": "https://issuer.example",
            "status": ["status_list": ["idx": 0, "uri": .string(Self.uri)]],
        ]
        let header: JOSEHeader = ["typ": "dc+sd-jwt", "kid": "old"]
        let text = try await assemble(payload, header: header, signer: scene.issuer)
        func verification(
            _ token: StatusListToken,
            _ signer: StatusListSigner
        ) async throws -> Verification<VerifiedSDJWT> {
            let verifier = SDJWTVerifier(
                policy: .credential(algorithms: [.es256]),
                issuerKeys: KnownIssuerKeys(["https://issuer.example": keys]),
                statusChecker: .lists(from: client(token), signedBy: signer),
                clock: { [now = scene.now] in now }
            )
            return await verifier.verify(try SDJWT(compact: text), expecting: .noKeyBinding)
        }
        let renewed = try await token(signer: new)
        #expect(try await verification(renewed, .issuerKeys).verified?.status == valid)
        #expect(try await verification(token(), .issuerKeys).verified?.status == valid)
        try await verification(renewed, .issuerKey).expectRefusal(.status, .statusUnknown)
        try await verification(token(signer: scene.stranger), .issuerKeys).expectRefusal(.status, .statusUnknown)
    }

    /// A new key that signs lists before any credential names it is asked for, at a limited rate.
    @Test func aNewKeyOfTheIssuerSignsLists() async throws {
        func metadata(_ keys: [String: SoftwareSigner]) throws -> JSONValue {
            let keys = try keys.map { name, signer in
                JSONValue.object(try JWK(signer.publicKey, keyID: name).members)
            }
            return ["issuer": "https://issuer.example", "jwks": ["keys": .array(keys)]]
        }
        let answer = Mutex(try metadata(["old": scene.issuer]))
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            .ok(answer.withLock { $0.encoded() }, type: .json)
        }
        let keys = IssuerMetadataKeys(transport: transport, issuers: ["https://issuer.example"])
        let payload: JSONValue = [
            "vct": "t", "iss": "https://issuer.example",
            "status": ["status_list": ["idx": 0, "uri": .string(Self.uri)]],
        ]
        let header: JOSEHeader = ["typ": "dc+sd-jwt", "kid": "old"]
        let sdJWT = try SDJWT(compact: try await assemble(payload, header: header, signer: scene.issuer))
        let content = try StatusListContent(uri: Self.uri, list: list, issuedAt: scene.now.addingTimeInterval(-7200))
        func refusal(
            _ keyID: String,
            _ signer: SoftwareSigner,
            after seconds: TimeInterval,
            _ rule: StatusListSigner? = nil
        ) async throws -> Refusal? {
            let token = try await content.signedJWT(header: ["kid": .string(keyID)], with: signer)
            let verifier = SDJWTVerifier(
                policy: .credential(algorithms: [.es256]),
                issuerKeys: keys,
                statusChecker: .lists(from: client(token), signedBy: rule ?? .issuerKeys(from: keys)),
                clock: { [now = scene.now] in now + seconds }
            )
            return await verifier.verify(sdJWT, expecting: .noKeyBinding).refusal
        }
        #expect(try await refusal("old", scene.issuer, after: 0) == nil)
        let renewed = try metadata(["old": scene.issuer, "new": scene.stranger])
        answer.withLock { $0 = renewed }
        #expect(try await refusal("new", scene.stranger, after: 29)?.reason == .statusUnknown)
        #expect(try await refusal("new", scene.stranger, after: 30, .issuerKeys)?.reason == .statusUnknown)
        #expect(transport.requests.count == 1)
        #expect(try await refusal("new", scene.stranger, after: 30) == nil)
        #expect(transport.requests.count == 2)
        #expect(try await refusal("other", scene.stranger, after: 31)?.reason == .statusUnknown)
        #expect(try await refusal("new", scene.stranger, after: 31, .issuerKeys) == nil)
        #expect(transport.requests.count == 2)
        // Keys that are configured are not published.
        let known = StatusListSigner.issuerKeys(from: KnownIssuerKeys(scene.issuer.publicKey))
        #expect(try await refusal("other", scene.holder, after: 31, known)?.reason == .statusUnknown)
    }

    /// A list by the issuer's key counts within the key's own restrictions.
    @Test(arguments: [("alg", "ES256"), ("use", "sig"), ("key_ops", ["verify"])] as [(String, JSONValue)])
    func theIssuersKeyKeepsWhatRestrictsIt(name: String, value: JSONValue) async throws {
        var members = try JWK(scene.issuer.publicKey).members
        members[name] = value
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: KnownIssuerKeys(["https://issuer.example": JWKSet([try JWK(json: .object(members))])]),
            statusChecker: .lists(from: client(try await token()), signedBy: .issuerKey),
            clock: { [now = scene.now] in now }
        )
        let payload: JSONValue = [
            "vct": "t", "iss": "https://issuer.example",
            "status": ["status_list": ["idx": 0, "uri": .string(Self.uri)]],
        ]
        let text = try await assemble(payload, signer: scene.issuer)
        let verified = await verifier.verify(try SDJWT(compact: text), expecting: .noKeyBinding).verified
        #expect(verified?.status == valid)
        #expect(verified?.issuerJWK?.members[name] == value)
    }
}

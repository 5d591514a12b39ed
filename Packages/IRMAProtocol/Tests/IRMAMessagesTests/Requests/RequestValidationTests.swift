import IRMAMessages
import Testing

/// The rules that a session request must keep.
@Suite struct RequestValidationTests {
    private let scene: Scene

    init() throws {
        scene = try Scene.shared.get()
    }

    private let name = AttributeRequest("demo.bank.card.name")
    private let number = AttributeRequest("demo.bank.card.number")
    private let address = AttributeRequest("demo.bank.mail.address")
    private let pass = AttributeRequest("demo.bank.pass.id")

    private func refuse(
        _ code: IRMAError.Code,
        _ request: SessionRequest,
        at component: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expectRefusal(code, at: component, sourceLocation: sourceLocation) { try request.validate(with: scene.schemes) }
    }

    @Test func acceptsWhatTheProtocolAllows() throws {
        try scene.request([[[], [name, number, address]], [[AttributeRequest("demo.bank.card")]]])
            .validate(with: scene.schemes)
        try SessionRequest(.signing(message: "text"), disclose: [[[name]]]).validate(with: scene.schemes)
        let credential = CredentialRequest(Scene.pass, attributes: ["id": "1"], revocationKey: "key")
        try SessionRequest(.issuing([credential])).validate(with: scene.schemes)
    }

    @Test func attributesOfACredentialAreCounted() throws {
        func request(_ count: Int) -> [UInt8] {
            let attributes = (0..<count).map { "\"a\($0)\":\"x\"" }.joined(separator: ",")
            return Array("{\"credential\":\"demo.bank.card\",\"attributes\":{\(attributes)}}".utf8)
        }
        #expect(try CredentialRequest(decoding: request(1024)).attributes.count == 1024)
        expectRefusal(.limitExceeded, at: "attributes") { try CredentialRequest(decoding: request(1025)) }
    }

    @Test func emptyRequestsAreRefused() {
        refuse(.invalidRequest, scene.request([]), at: "disclose")
        refuse(.invalidRequest, scene.request([[[]]]), at: "disclose")
        refuse(.invalidRequest, SessionRequest(.signing(message: "text")), at: "disclose")
        refuse(.invalidRequest, SessionRequest(.signing(message: ""), disclose: [[[name]]]), at: "message")
        refuse(.invalidRequest, SessionRequest(.issuing([])), at: "credentials")
    }

    @Test func disjunctionWithoutAChoiceIsRefused() {
        refuse(.invalidRequest, scene.request([[[name]], []]), at: "disclose[1]")
    }

    @Test(arguments: ["demo.bank", "demo.bank.card.name.x", "demo..card.name", "demo.bank.card.na/me", ""])
    func malformedNamesAreRefused(text: String) {
        refuse(.invalidRequest, scene.request([[[AttributeRequest(AttributeIdentifier(text))]]]), at: "disclose[0]")
    }

    @Test func attributesOfATypeStandTogether() {
        refuse(.invalidRequest, scene.request([[[name, address, number]]]), at: "disclose[0]")
    }

    @Test func atMostOneTypeIsNoSingleton() {
        refuse(.invalidRequest, scene.request([[[address, pass]]]), at: "disclose[0][0]")
    }

    @Test func unknownNamesAreRefused() {
        refuse(.unknownIdentifier, scene.request([[[AttributeRequest("demo.bank.card.nothing")]]]))
        refuse(.unknownIdentifier, scene.request([[[AttributeRequest("demo.bank.nothing")]]]))
        var request = scene.request([[[name]]])
        request.parameters.revocation = ["demo.bank.nothing": NonRevocationDemand()]
        refuse(.unknownIdentifier, request, at: "revocation")
    }

    /// As by the reference: a backend may have one list for all its servers.
    @Test func anUnknownTypeMayHaveExpired() throws {
        var request = scene.request([[[name]]])
        request.skipExpiryCheck = ["demo.bank.nothing", "other.bank.card"]
        try request.validate(with: scene.schemes)
    }

    @Test func typesWithoutRevocationCannotBeProvedNotRevoked() {
        var request = scene.request([[[name]]])
        request.parameters.revocation = [Scene.card: NonRevocationDemand()]
        refuse(.invalidRequest, request, at: "revocation")
    }

    @Test func valueOfACredentialAsAWholeIsRefused() {
        refuse(.invalidRequest, scene.request([[[AttributeRequest("demo.bank.card", value: "x")]]]))
    }

    @Test func credentialsNeedTheirAttributes() {
        func issuing(_ credential: CredentialRequest) -> SessionRequest { SessionRequest(.issuing([credential])) }
        refuse(.invalidRequest, issuing(CredentialRequest("demo.bank", attributes: [:])), at: "credentials[0]")
        refuse(.unknownIdentifier, issuing(CredentialRequest("demo.bank.nothing", attributes: [:])))
        refuse(.invalidRequest, issuing(CredentialRequest(Scene.card, attributes: ["name": "Alice"])))
        refuse(
            .unknownIdentifier,
            issuing(CredentialRequest(Scene.card, attributes: ["name": "A", "number": "1", "x": "y"]))
        )
        refuse(
            .invalidRequest,
            issuing(CredentialRequest(Scene.card, attributes: ["name": "A", "number": "1"], revocationKey: "k")),
            at: "revocationKey"
        )
        var batch = CredentialRequest(Scene.card, attributes: ["name": "A", "number": "1"])
        batch.sdJWTBatchSize = 200
        #expect(throws: Never.self) { try issuing(batch).validate(with: scene.schemes) }
        batch.sdJWTBatchSize = 201
        refuse(.limitExceeded, issuing(batch), at: "sdJwtBatchSize")
    }

    @Test func sizeIsLimited() throws {
        func request(_ count: Int) -> SessionRequest {
            scene.request(Condiscon(Array(repeating: AttributeDisjunction([[name]]), count: count)))
        }
        // A disjunction, its choice and its attribute.
        try request(SessionRequest.maximumAttributes / 3).validateStructure()
        refuse(.limitExceeded, request(SessionRequest.maximumAttributes / 3 + 1))
    }

    @Test func credentialsAreCountedBeforeTheyAreRead() throws {
        for text in [
            "{\"@context\":\"\(MessageContext.issuanceRequest.text)\",\"credentials\":[", "{\"credentials\":[",
        ] {
            func message(_ count: Int) throws -> SessionRequest {
                let credential = "{\"credential\":\"demo.bank.card\",\"attributes\":{}}"
                let list = Array(repeating: credential, count: count).joined(separator: ",")
                return try RequestorMessage(decoding: Array((text + list + "]}").utf8)).request()
            }
            #expect(try message(SessionRequest.maximumCredentials).credentials.count == 100)
            expectRefusal(.limitExceeded, at: "credentials") { try message(SessionRequest.maximumCredentials + 1) }
        }
    }

    @Test func blindAttributesAreNotGiven() throws {
        let type = CredentialTypeDescription(
            id: "demo.bank.vote",
            attributes: [
                AttributeDescription("election"), AttributeDescription("number", isRandomBlind: true),
                AttributeDescription("place"),
            ]
        )
        #expect(type.announcedRandomBlindNames == ["place"])
        #expect(type.blindIndices == [3])
        let scheme = try IRMAScheme(
            SchemeDescription(id: "demo"),
            issuers: [IssuerDescription(id: "demo.bank")],
            credentialTypes: [type],
            publicKeys: [:]
        )
        let schemes = try SchemeSnapshot([scheme])
        let given = CredentialRequest(type.id, attributes: ["election": "e", "number": "1", "place": "p"])
        expectRefusal(.invalidRequest) { try given.validate(with: schemes) }
        try CredentialRequest(type.id, attributes: ["election": "e", "place": "p"]).validate(with: schemes)
    }

    /// Requestors that write every member of their own types: empty texts and zeros stand for the defaults.
    @Test func emptyMembersAreAbsent() throws {
        let text = """
            {"validity":0,"timeout":0,"callbackUrl":"","nextSession":{"url":""},"request":{
            "@context":"https://irma.app/ld/request/issuance/v2","host":"","credentials":[
            {"credential":"demo.bank.card","attributes":{},"revocationKey":""}]}}
            """
        let message = try RequestorMessage(decoding: Array(text.utf8))
        #expect(message.options == RequestorOptions())
        let request = try message.request()
        #expect(request.parameters.host == nil && request.credentials.map(\.revocationKey) == [nil])
    }
}

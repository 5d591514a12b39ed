import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import JSONKit
import Testing

/// The form of messages: null, absence, letter case, unknown members, and what is refused.
@Suite struct MessageFormTests {
    private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

    private let context = "https://irma.app/ld/request/disclosure/v2"

    @Test func unknownMembersAndLetterCaseDoNotMatter() throws {
        let text = """
            {"@Context": "\(context)", "DISCLOSE": [[["a.b.c.d"]]], "CredentialInfoList": [], "nonce": null, "x": {"y": 1}}
            """
        let request = try SessionRequest(decoding: Array(text.utf8))
        #expect(request == SessionRequest(.disclosing, disclose: [[["a.b.c.d"]]]))
        #expect(request.parameters.nonce == nil)
    }

    @Test func memberInTwoLetterCasesIsRefused() throws {
        expectRefusal(.malformed, at: "disclose") {
            try SessionRequest(json: ["@context": .string(context), "disclose": [], "Disclose": []])
        }
    }

    @Test func textThatIsNoMessageIsRefused() throws {
        expectRefusal(.malformed) { try SessionRequest(decoding: Array("{".utf8)) }
        expectRefusal(.malformed) { try SessionRequest(decoding: Array("[]".utf8)) }
        expectRefusal(.malformed, at: "@context") { try SessionRequest(json: ["@context": "https://example.com"]) }
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        expectRefusal(.malformed) { try Condiscon(decoding: Array(deep.utf8)) }
        expectRefusal(.malformed) {
            try Condiscon(decoding: Array("[]".utf8), limits: JSONLimits(size: 1))
        }
    }

    @Test func pathNamesThePlace() throws {
        let error = #expect(throws: IRMAError.self) {
            try SessionRequest(json: json(#"{"@context": "\#(context)", "disclose": [[["a"], [3]]]}"#))
        }
        #expect(error?.path == ["disclose", "[0]", "[1]", "[0]"])
    }

    @Test func attributeRequestsAreBareWhereTheyCanBe() throws {
        for text in [#""a.b.c.d""#, #"{"type":"a.b.c.d","value":"x"}"#, #"{"type":"a.b.c.d","notNull":true}"#] {
            #expect(try AttributeRequest(json: json(text)).json() == json(text))
        }
        #expect(try AttributeRequest(json: json(#"{"type":"a.b.c.d","value":null}"#)).json() == "a.b.c.d")
    }

    @Test func attributeRequestsSatisfiedByValues() {
        let any = AttributeRequest("a.b.c.d")
        #expect(any.isSatisfied(by: "x") && any.isSatisfied(by: nil))
        let present = AttributeRequest("a.b.c.d", isPresenceRequired: true)
        #expect(present.isSatisfied(by: "") && !present.isSatisfied(by: nil))
        let value = AttributeRequest("a.b.c.d", value: "x")
        #expect(value.isSatisfied(by: "x") && !value.isSatisfied(by: "y") && !value.isSatisfied(by: nil))
    }

    @Test func nullIsWrittenWhereTheReferenceDoes() throws {
        let request = SessionRequest(.disclosing, disclose: [[["a.b.c.d"]]], labels: [0: nil])
        #expect(try request.json()["labels"] == ["0": nil])
        #expect(try SessionRequest(json: request.json()) == request)
        let message = SignedMessage(
            signature: IdemixProofList([]),
            indices: [[]],
            nonce: 1,
            context: 1,
            message: "m",
            timestamp: nil
        )
        #expect(try message.json()["timestamp"]?.isNull == true)
        let absent = DisclosedAttribute("a.b.c.d", rawValue: nil, status: .null, issuanceTime: 0)
        #expect(try absent.json()["rawvalue"]?.isNull == true)
        #expect(try absent.json()["value"]?.isNull == true)
        #expect(try DisclosedAttribute(json: absent.json()) == absent)
    }

    @Test func indicesAreNotNegative() throws {
        for text in [#"{"cred":-1,"attr":1}"#, #"{"cred":0,"attr":-1}"#, #"{"cred":0.5,"attr":1}"#, #"{"cred":0}"#] {
            expectRefusal(.malformed) { try AttributePosition(json: json(text)) }
        }
        #expect(try AttributePosition(json: json(#"{"cred":1e0,"attr":2}"#)).credential == 1)
    }

    @Test func integersAreReadAsTheReferenceReadsThem() throws {
        var request = try SessionRequest(json: json(#"{"@context":"\#(context)","nonce":42,"context":"AAE="}"#))
        #expect(request.parameters.nonce == 42 && request.parameters.context == 1)
        #expect(try request.json()["nonce"] == "Kg==")
        expectRefusal(.malformed, at: "nonce") {
            try SessionRequest(json: json(#"{"@context":"\#(context)","nonce":-1}"#))
        }
        request.parameters.nonce = -1
        expectRefusal(.malformed, at: "nonce") { try request.json() }
    }

    @Test func revocationDemandsAreAListOrAMap() throws {
        for text in [#"["a.b.c"]"#, #"{"a.b.c":{}}"#, #"{"a.b.c":{"tolerance":5}}"#] {
            #expect(try NonRevocationDemands(json: json(text)).json() == json(text))
        }
        #expect(try NonRevocationDemands(json: json(#"{"a.b.c":null}"#))["a.b.c"] == NonRevocationDemand())
        expectRefusal(.malformed, at: "01") {
            try NonRevocationDemand(json: json(#"{"updates":{"01":{"sacc":{"data":"","pk":1}}}}"#))
        }
    }

    @Test func identifiersHaveTheirParts() {
        let attribute: AttributeIdentifier = "s.i.c.a"
        #expect(attribute.credentialType == "s.i.c" && attribute.attribute == "a")
        #expect(attribute.credentialType.issuer == "s.i" && attribute.credentialType.scheme == "s")
        #expect(AttributeIdentifier("s.i.c").attribute == nil)
        #expect(CredentialTypeIdentifier("s.i.c").isWellFormed && !CredentialTypeIdentifier("s.i").isWellFormed)
        #expect(!SchemeIdentifier("a/b").isWellFormed && !SchemeIdentifier("").isWellFormed)
        #expect(IssuerIdentifier("s.\u{e9}") != IssuerIdentifier("s.e\u{301}"))
        // A period keeps its place before a combining character.
        #expect(AttributeIdentifier("s.\u{301}i.c.a").parts.map(String.init) == ["s", "\u{301}i", "c", "a"])
    }

    @Test func identifiersOfManyPartsAreNotTakenApart() {
        let long = AttributeIdentifier(String(repeating: "a.", count: 100))
        #expect(!long.isWellFormed && long.credentialType == "a.a.a")
        #expect(long.parts.count == 5 && long.parts[4].utf8.count == 192)
        #expect(AttributeIdentifier("s.i.c.a." + String(repeating: "b", count: 100)).isWellFormed == false)
        #expect(AttributeIdentifier("s.i.c.a.b.c").attribute == "a")
    }

    @Test func namesOfAnAttributeTellItsType() {
        let attribute: AttributeIdentifier = "s.i.c.a"
        #expect(attribute.belongs(to: "s.i.c") && AttributeIdentifier("s.i.c").belongs(to: "s.i.c"))
        for other: CredentialTypeIdentifier in ["s.i", "s.i.cc", "s.i.d", "s.i.c.a", "", "s.i.c."] {
            #expect(!attribute.belongs(to: other), "\(other)")
        }
        for text in ["", ".", "s", "s.", "s.i", "s..c", "s.i.c", ".i.c.a", "s.i.c.", "s.i.c.a", "s.i.c.a.b"] {
            let name = AttributeIdentifier(text)
            #expect(name.belongs(to: name.credentialType), "\(text)")
            #expect(name.credentialType.text == name.parts.prefix(3).joined(separator: "."), "\(text)")
            #expect(name.attribute == (name.parts.count > 3 ? String(name.parts[3]) : nil), "\(text)")
        }
        for text in ["s.i.c.", ".i.c", "s..c", "s.i.c.a.b", "s.i"] { #expect(!AttributeIdentifier(text).isWellFormed) }
    }

    @Test func longNamesAndManyMembersAreRefused() throws {
        let longest = String(repeating: "a", count: AttributeIdentifier.maximumSize)
        #expect(try AttributeIdentifier(json: .string(longest)).text == longest)
        expectRefusal(.limitExceeded) { try AttributeIdentifier(json: .string(longest + "a")) }
        func message(_ members: Int) -> JSONValue {
            var object: JSONObject = ["cred": 1, "attr": 2]
            for number in 0..<members { object["m\(number)"] = 1 }
            return .object(object)
        }
        #expect(try AttributePosition(json: message(1022)) == AttributePosition(credential: 1, attribute: 2))
        expectRefusal(.limitExceeded) { try AttributePosition(json: message(1023)) }
    }

    @Test func base64IsBounded() throws {
        func signature(_ size: Int) -> JSONValue {
            ["Alg": "ed25519", "Data": .string(String(repeating: "A", count: size)), "PublicKey": ""]
        }
        #expect(try SignatureTimestamp.Signature(json: signature(8192)).data.count == 6144)
        expectRefusal(.limitExceeded, at: "Data") { try SignatureTimestamp.Signature(json: signature(8196)) }
    }

    @Test func versionsAreTwoNumbers() throws {
        #expect(try ProtocolVersion("2.8") == .v2_8)
        #expect(try ProtocolVersion("\"2.8\"") == .v2_8)
        #expect(ProtocolVersion(2, 10) > .v2_9)
        for text in ["2", "2.", "2.8.1", "+2.8", "2.-8", "a.b", "\"\"", "\"2.8", "2.70000"] {
            expectRefusal(.malformed) { try ProtocolVersion(text) }
        }
    }

    @Test func walletsAreNotToldRevocationKeys() throws {
        let credential = CredentialRequest("a.b.c", attributes: [:], revocationKey: "key")
        let request = SessionRequest(.issuing([credential])).forWallet()
        #expect(request.credentials.first?.revocationKey == nil)
        #expect(request.credentials.first?.isRevocationSupported == true)
        #expect(try !request.json().text().contains("revocationKey"))
    }

    @Test func keyCounterZeroIsLeftOut() throws {
        let credential = CredentialRequest("a.b.c", attributes: [:], keyCounter: 0)
        #expect(try credential.json()["keyCounter"] == nil)
    }

    @Test func resultsOfOlderRequestsAreFlat() throws {
        var result = SessionResult(token: "t", status: .done, kind: .disclosing)
        let attribute = DisclosedAttribute("a.b.c.d", rawValue: "x", status: .present, issuanceTime: 1)
        result.disclosed = [[attribute, attribute], [attribute]]
        result.nextSession = "n"
        result.isFlat = true
        let json = try result.json()
        #expect(json["disclosed"]?.arrayValue?.count == 2)
        #expect(json["disclosed"]?[0]?.objectValue != nil)
        #expect(json["nextSession"] == nil)
        let again = try SessionResult(json: json)
        #expect(again.isFlat && again.disclosed.count == 2)
        #expect(try again.json() == json)
    }

    @Test(arguments: [SessionStatus.done, .cancelled], [ProofStatus.valid, .expired, .unmatchedRequest, nil])
    func attributesAreVerifiedOnlyByValidProofs(_ status: SessionStatus, _ proofStatus: ProofStatus?) {
        var result = SessionResult(token: "t", status: status, kind: .disclosing)
        result.disclosed = [[DisclosedAttribute("a.b.c.d", rawValue: "x", status: .present, issuanceTime: 1)], nil]
        result.proofStatus = proofStatus
        let isVerified = status == .done && proofStatus == .valid
        #expect(result.verifiedAttributes == (isVerified ? result.disclosed : nil))
    }

    @Test func answersBelowVersionTwoSevenAreBare() throws {
        let status = ServerSessionResponse(proofStatus: .valid)
        #expect(try status.json(for: .v2_6) == "VALID")
        #expect(try status.json(for: .v2_7) == ["proofStatus": "VALID"])
        let issued = ServerSessionResponse(proofStatus: .valid, signatures: [])
        #expect(try issued.json(for: .v2_5) == [])
        #expect(try ServerSessionResponse(json: "INVALID").proofStatus == .invalid)
    }

    @Test func firstMessageNamesItsVersion() throws {
        let text = #"{"@context":"\#(context)","disclose":[[["a.b.c.d"]]]}"#
        expectRefusal(.malformed, at: "protocolVersion") {
            try SessionRequest.firstMessage(decoding: Array(text.utf8))
        }
        let legacy =
            #"{"type":"disclosing","protocolVersion":"2.4","content":[{"label":"L","attributes":["a.b.c.d"]}]}"#
        let message = try SessionRequest.firstMessage(decoding: Array(legacy.utf8))
        #expect(message.protocolVersion == .v2_4)
        #expect(message.request?.disclose == [[["a.b.c.d"]]])
        #expect(message.request?.isFromLegacyRequest == true)
    }

    @Test func valuesToIssueMayBeNull() throws {
        let json = #"{"credential":"a.b.c","attributes":{"x":null,"y":"z"}}"#
        let request = try CredentialRequest(decoding: Array(json.utf8))
        #expect(request.attributes == ["x": "", "y": "z"])
        expectRefusal(.malformed, at: "x") {
            try CredentialRequest(json: ["credential": "a.b.c", "attributes": ["x": 5]])
        }
    }

    @Test func messagesAreOfTheirContext() {
        expectRefusal(.malformed, at: "@context") {
            try SessionOptions(json: ["@context": "x", "pairingMethod": "pin"])
        }
        expectRefusal(.malformed, at: "@context") {
            try FrontendOptionsRequest(json: ["@context": "x", "pairingMethod": "pin"])
        }
        expectRefusal(.malformed, at: "@context") {
            try ClientSessionRequest(json: ["@context": "x", "protocolVersion": "2.8"])
        }
        expectRefusal(.malformed, at: "@context") { try RevocationRequest(json: ["@context": "x"]) }
        expectRefusal(.malformed, at: "@context") { try SignedMessage(json: ["@context": "x", "message": "m"]) }
    }

    @Test func errorsHaveTheirStatusAndText() throws {
        #expect(RemoteError.Name.all.count == 34)
        let error = RemoteError(.sessionUnknown, message: "detail")
        #expect(error.status == 400 && error.summary == "Unknown or expired session")
        #expect(try RemoteError(json: error.json()) == error)
        #expect(RemoteError.Name("NEW").status == 500)
        #expect(RemoteError(.pairingRequired).status == 403 && RemoteError(.missingChallenge).status == 409)
        #expect(error.description == "SESSION_UNKNOWN (400): Unknown or expired session: detail")
    }
}

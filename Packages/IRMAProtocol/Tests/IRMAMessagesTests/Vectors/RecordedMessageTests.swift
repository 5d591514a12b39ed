import Foundation
import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit
import TestSupport
import Testing

/// Every body of the recorded sessions, read and written again.
@Suite(.enabled(if: VectorSet("irma").isAvailable, VectorSet.absence))
struct RecordedMessageTests {
    @Test(arguments: Recorded.files)
    func writesWhatItRead(file: VectorFile) throws {
        let json = try JSONValue(parsing: file.bytes())
        var bodies = RecordedBodies()
        if json["exchanges"] != nil {
            for exchange in json.member("exchanges").list { try bodies.check(RecordedExchange(exchange)) }
        } else {
            try bodies.checkPrinted(json)
        }
        file.report(ran: bodies.count, passedOver: bodies.passedOver)
        let figures = bodies.kinds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print("vectors:   \(figures)")
        #expect(bodies.count > 0)
    }
}

/// The bodies of a file, counted by their types.
struct RecordedBodies {
    private(set) var kinds: [String: Int] = [:]
    private(set) var passedOver: [(name: String, reason: String)] = []

    var count: Int { kinds.values.reduce(0, +) }

    /// Reads and writes the bodies of an exchange.
    mutating func check(_ exchange: RecordedExchange) throws {
        try checkRequest(exchange)
        guard exchange.status < 400 else { return try check(RemoteError.self, exchange.responseBody) }
        try checkResponse(exchange)
        for token in exchange.tokens { try check(token: token) }
    }

    private mutating func checkRequest(_ exchange: RecordedExchange) throws {
        let body = exchange.requestBody
        guard !body.isNull else {
            if let text = exchange.requestText, !text.hasPrefix("ey") {
                // The only body that was recorded as text and is no token is one that no server reads.
                #expect(throws: IRMAError.self) { try DisclosureResponse(decoding: Array(text.utf8)) }
                passedOver.append((exchange.path, "is malformed on purpose"))
            }
            return
        }
        switch (exchange.role, exchange.lastPart) {
        case (_, "proofs") where body["message"] != nil: try check(SignedMessage.self, body)
        case (_, "proofs"): try check(DisclosureResponse.self, body)
        case (_, "commitments"): try check(IssuanceCommitments.self, body)
        case ("requestor", "session"): try check(RequestorMessage.self, body)
        case ("frontend", "options"): try check(FrontendOptionsRequest.self, body)
        case ("wallet-timestamp", _): try check(TimestampRequest.self, body)
        case (_, "getCommitments"), (_, "getPs"): try check(KeyshareKeyList.self, body)
        case (_, "getResponse"): try check(BigInteger.self, body)
        case (_, "register"), (_, "verify_start"): try check(KeyshareTokenMessage.self, body)
        case (_, "pin_challengeresponse"): try check(KeyshareLoginResponse.self, body)
        default: passedOver.append(("request of \(exchange.role) \(exchange.path)", "is of no known kind"))
        }
    }

    private mutating func checkResponse(_ exchange: RecordedExchange) throws {
        let body = exchange.responseBody
        guard !body.isNull else { return }
        switch (exchange.role, exchange.lastPart) {
        case (_, "proofs"), (_, "commitments"): try checkSessionResponse(body)
        case ("requestor", "session"): try check(SessionPackage.self, body)
        case ("frontend", "status"): try check(FrontendSessionStatus.self, body)
        case (_, "status"): try check(SessionStatus.self, body)
        case (_, "result"): try check(SessionResult.self, body)
        case ("frontend", "options"): try check(SessionOptions.self, body)
        case (_, "request"): try check(SessionRequest.self, body)
        case ("callback", _): try check(RequestorMessage.self, body)
        case ("wallet-timestamp", _): try check(TimestampResponse.self, body)
        case (_, "getCommitments"): try check(KeyshareCommitments.self, body)
        case (_, "getPs"): try check(KeyshareShares.self, body)
        case (_, "register"): try check(SessionPointer.self, body)
        case (_, "verify_start"): try check(KeyshareChallenge.self, body)
        case (_, "pin_challengeresponse"): try check(KeysharePINStatus.self, body)
        case ("wallet", _), ("wallet-keyshare", _):
            let message = try SessionRequest.firstMessage(decoding: body.encoded())
            #expect(message.request != nil || message.options.pairingMethod == .pin)
            if body["@context"]?.stringValue == MessageContext.clientRequest.text {
                try check(ClientSessionRequest.self, body)
            } else {
                try check(SessionRequest.self, body)
            }
        default: passedOver.append(("answer to \(exchange.role) \(exchange.path)", "is of no known kind"))
        }
    }

    private mutating func checkSessionResponse(_ body: JSONValue) throws {
        guard body.objectValue == nil else { return try check(ServerSessionResponse.self, body) }
        let response = try ServerSessionResponse(json: body)
        #expect(try response.json(for: .v2_6) == body)
        kinds["ServerSessionResponse", default: 0] += 1
    }

    private mutating func check(token: String) throws {
        let payload = try JWT(compact: token).jws.unverifiedPayload
        let claims = try JSONValue(parsing: try #require(payload))
        switch claims.member("sub").stringValue {
        case "ProofP": try check(KeyshareProofClaims.self, claims)
        case "auth_tok": try check(KeyshareAccountClaims.self, claims)
        case let subject? where subject.hasSuffix("_request"): try check(RequestorTokenClaims.self, claims)
        case let subject? where subject.hasSuffix("_result"): try check(SessionResultClaims.self, claims)
        case nil where claims["publickey"] != nil: try check(KeyshareEnrollmentClaims.self, claims)
        case nil where claims["challenge"] != nil: try check(KeyshareChallengeClaims.self, claims)
        case nil where claims["exp"] != nil: try check(KeyshareLoginClaims.self, claims)
        default: passedOver.append(("token", "is of no known kind"))
        }
    }

    /// Reads and writes the messages that the protocol's page prints.
    mutating func checkPrinted(_ json: JSONValue) throws {
        for (name, value) in json.objectValue ?? JSONObject() {
            switch name {
            case "description": continue
            case "sessionPackage": try check(SessionPackage.self, value)
            case "clientSessionRequest": try check(ClientSessionRequest.self, value)
            case "disclosureRequest": try check(SessionRequest.self, value)
            case "disclosure": try check(DisclosureResponse.self, value)
            case "signedMessage": try check(SignedMessage.self, value)
            case "issueCommitments": try check(IssuanceCommitments.self, value)
            case "serverSessionResponse": try check(ServerSessionResponse.self, value)
            case "remoteError": try check(RemoteError.self, value)
            default: passedOver.append((name, "is of no known kind"))
            }
        }
    }

    private mutating func check<Message: IRMAMessage>(_ type: Message.Type, _ json: JSONValue) throws {
        #expect(try Message(json: json).json() == json)
        #expect(try Message(decoding: json.encoded()).encoded() == Message(json: json).encoded())
        kinds["\(type)", default: 0] += 1
    }

    private mutating func check<Value: IdemixJSON>(_ type: Value.Type, _ json: JSONValue) throws {
        #expect(try Value(json: json).json() == json)
        kinds["\(type)", default: 0] += 1
    }
}

/// One recorded request with its answer.
struct RecordedExchange {
    let role: String
    let path: String
    let status: Int
    let requestBody: JSONValue
    let responseBody: JSONValue
    let requestText: String?
    /// The tokens anywhere in the bodies.
    let tokens: [String]

    init(_ json: JSONValue) throws {
        role = try #require(json.member("role").stringValue)
        let url = try #require(json.member("url").stringValue)
        path = try #require(URL(string: url)?.path)
        let status: Int? = try json.member("status").numberValue?.integer()
        self.status = try #require(status)
        requestBody = json.member("requestBody")
        responseBody = json.member("responseBody")
        requestText = json.member("requestText").stringValue
        var tokens: [String] = []
        var open = ["requestBody", "responseBody", "requestText", "responseText"].map { json.member($0) }
        while let value = open.popLast() {
            if let text = value.stringValue, text.hasPrefix("ey"), text.split(separator: ".").count == 3 {
                tokens.append(text)
            }
            open += value.list + (value.objectValue?.values ?? [])
        }
        self.tokens = tokens
    }

    var lastPart: String { path.split(separator: "/").last.map(String.init) ?? "" }
}

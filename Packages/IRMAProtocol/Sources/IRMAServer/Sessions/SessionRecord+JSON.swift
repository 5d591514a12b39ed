import CryptoCore
import IRMAMessages
import JSONKit
import VerificationCore

extension SessionRecord {
    /// The form in which stores keep a session, with its token at the beginning; private to this implementation.
    func encoded() throws(IRMAError) -> [UInt8] {
        var text = RecordText(capacity: 4096)
        text.beginObject()
        text.write("token", token)
        text.write("client", clientToken)
        text.write("frontend", frontendToken)
        text.write("material", materialID)
        text.write("active", lastActive)
        text.write("status", status.name)
        text.write("requestor", ifPresent: requestor)
        text.write("wallet", ifPresent: walletAuthorization)
        if let version { text.write("version", version.json()) }
        try writeMessage(to: &text)
        text.write("implicit", implicit.disjunctions.isEmpty ? [] : try implicit.json())
        text.write("options", try options.json())
        try writeResult(to: &text)
        // A report that has no JSON is left out: the result stands without it.
        if let verification {
            var report = RecordText(capacity: 2048)
            if verification.write(to: &report) { text.write("verification", text: report.bytes) }
        }
        if let next { text.write("next", try next.json()) }
        if let answer { answer.write(to: &text) }
        if let claim {
            text.write("claimant", claim.owner)
            text.write("claimed", claim.end)
        }
        text.endObject()
        return text.bytes
    }

    /// Writes the requestor's message, whose request mostly has its text already.
    private func writeMessage(to text: inout RecordText) throws(IRMAError) {
        guard wishes == RequestorOptions(), let requestText else {
            return text.write("message", try RequestorMessage(request, options: wishes).json())
        }
        text.name("message")
        text.beginObject()
        text.write("request", text: requestText)
        text.endObject()
    }

    private func writeResult(to text: inout RecordText) throws(IRMAError) {
        guard result == SessionResult(token: token, status: status, kind: request.kind) else {
            return text.write("result", try result.json())
        }
        text.name("result")
        text.beginObject()
        text.write("token", token)
        text.write("status", status.name)
        text.write("type", result.kind.json())
        text.endObject()
    }

    /// The limits of a stored session, within which every message fits that was taken.
    private static let storageLimits = JSONLimits(size: 64 << 20, depth: 64)

    /// Reads what ``encoded()`` wrote.
    ///
    /// - Throws: ``IRMAError/Code/malformed``, or an error of JSONKit.
    init(decoding bytes: [UInt8]) throws {
        let json = try JSONValue(parsing: bytes, limits: Self.storageLimits)
        func text(_ name: String) throws(IRMAError) -> String {
            guard let text = json[name]?.stringValue else { throw .missing(name) }
            return text
        }
        func number<Number: FixedWidthInteger>(_ name: String) throws -> Number {
            guard let number = json[name]?.numberValue else { throw IRMAError.missing(name) }
            return try number.integer(as: Number.self)
        }
        func value(_ name: String) throws(IRMAError) -> JSONValue {
            guard let value = json[name] else { throw .missing(name) }
            return value
        }
        let message = try RequestorMessage(json: value("message"))
        guard case .present(let request) = message.body else { throw IRMAError.missing("message") }
        self.init(
            tokens: (try text("token"), try text("client"), try text("frontend")),
            requestor: json["requestor"]?.stringValue,
            materialID: try number("material"),
            lastActive: try number("active"),
            request: request,
            wishes: message.options ?? RequestorOptions(),
            implicit: try Condiscon(json: value("implicit"))
        )
        options = try SessionOptions(json: value("options"))
        status = try SessionStatus(json: value("status"))
        version = try json["version"].map { try ProtocolVersion(json: $0) }
        walletAuthorization = json["wallet"]?.stringValue
        result = try SessionResult(json: value("result"))
        verification = try json["verification"].map { try StrictJSONDecoder().decode(from: $0) }
        next = try json["next"].map { try SessionPointer(json: $0) }
        answer = try json["answer"].map { try KeptAnswer(json: $0) }
        claim = try json["claimant"]?.stringValue.map { ChainClaim(owner: $0, end: try number("claimed")) }
    }
}

extension KeptAnswer {
    fileprivate func write(to text: inout RecordText) {
        text.name("answer")
        text.beginObject()
        text.write("endpoint", endpoint)
        text.write("authorization", authorization)
        text.write("size", mark.size)
        text.write("digest", JSONBase64.base64.encode(mark.bytes))
        text.write("status", status.name)
        text.write("code", code)
        text.write("body", body)
        text.endObject()
    }

    init(json: JSONValue) throws {
        func text(_ name: String) throws(IRMAError) -> String {
            guard let text = json[name]?.stringValue else { throw .missing(name) }
            return text
        }
        guard let code = json["code"]?.numberValue else { throw IRMAError.missing("code") }
        guard let size = json["size"]?.numberValue else { throw IRMAError.missing("size") }
        self.init(
            endpoint: try text("endpoint"),
            authorization: try text("authorization"),
            mark: BodyMark(
                size: try size.integer(as: Int.self),
                bytes: try JSONBase64.base64.decode(text("digest"))
            ),
            status: SessionStatus(try text("status")),
            code: try code.integer(as: Int.self),
            body: try text("body")
        )
    }
}

extension IRMAError {
    fileprivate static func missing(_ name: String) -> IRMAError {
        IRMAError(.malformed, "the member is missing", path: [name])
    }
}

import CryptoCore
import IRMAMessages
import JSONKit
import VerificationCore

extension SessionRecord {
    /// The form in which stores keep a session; private to this implementation.
    func encoded() throws(IRMAError) -> [UInt8] {
        var object: JSONObject = [
            "token": .string(token), "client": .string(clientToken), "frontend": .string(frontendToken),
            "material": .integer(materialID), "started": .integer(startedAt), "active": .integer(lastActive),
            "message": try RequestorMessage(request, options: wishes).json(),
            "implicit": try implicit.json(), "options": try options.json(), "status": status.json(),
            "result": try result.json(),
        ]
        // A report that has no JSON is left out: the result stands without it.
        if let verification { object["verification"] = verification.json }
        if let requestor { object["requestor"] = .string(requestor) }
        if let version { object["version"] = version.json() }
        if let walletAuthorization { object["wallet"] = .string(walletAuthorization) }
        if let next { object["next"] = try next.json() }
        if let answer { object["answer"] = answer.json() }
        return JSONValue.object(object).encoded()
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
            startedAt: try number("started"),
            request: request,
            wishes: message.options ?? RequestorOptions(),
            implicit: try Condiscon(json: value("implicit"))
        )
        options = try SessionOptions(json: value("options"))
        status = try SessionStatus(json: value("status"))
        version = try json["version"].map { try ProtocolVersion(json: $0) }
        walletAuthorization = json["wallet"]?.stringValue
        lastActive = try number("active")
        result = try SessionResult(json: value("result"))
        verification = try json["verification"].map { try StrictJSONDecoder().decode(from: $0) }
        next = try json["next"].map { try SessionPointer(json: $0) }
        answer = try json["answer"].map { try KeptAnswer(json: $0) }
    }
}

extension KeptAnswer {
    func json() -> JSONValue {
        [
            "endpoint": .string(endpoint), "authorization": .string(authorization),
            "size": .integer(bodySize), "digest": .string(JSONBase64.base64.encode(bodyDigest)),
            "status": status.json(), "code": .integer(code), "body": .string(body),
        ]
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
            bodySize: try size.integer(as: Int.self),
            bodyDigest: try JSONBase64.base64.decode(text("digest")),
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

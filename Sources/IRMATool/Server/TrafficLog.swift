#if Server
import HTTPTypes
import CredentialServing
import CredentialServingOperations
import JSONKit
import Logging
import Synchronization

/// An engine whose messages are logged at trace level.
///
/// A message is shown as JSON whose values are struck out but for those that the protocol itself defines. The bare text is
/// logged as a sensitive value, which only a log that reveals secrets shows.
struct TrafficLog<Engine: HTTPEngine>: HTTPEngine {
    let engine: Engine
    let logger: Logger

    /// The keys of metadata that a log without secrets shows, beside those of every server.
    static var keptKeys: Set<String> { [TrafficOutline.metadataKey, "fields", "scheme"] }

    /// The largest part of a body that is logged, in bytes.
    static var maximumSize: Int { 64 << 10 }

    func response(to request: ServerRequest) async -> ServerResponse {
        guard logger.logLevel <= .trace else { return await engine.response(to: request) }
        let recorder = BodyRecorder(maximumSize: Self.maximumSize)
        var recorded = ServerRequest(
            head: request.head,
            body: ServerRequestBody(pieces: RecordedPieces(pieces: request.body, recorder: recorder)),
            peer: request.peer,
            shutdown: request.shutdown
        )
        recorded.remoteAddress = request.remoteAddress
        let response = await engine.response(to: recorded)
        log(
            "request",
            recorder.bytes,
            [
                "method": "\(request.method.rawValue)", "fields": .headerFields(request.headerFields),
            ]
        )
        log(
            "response",
            response.body.bytesIfReady,
            [
                "status": "\(response.status.code)", "fields": .headerFields(response.headerFields),
            ]
        )
        return response
    }

    private func log(_ kind: Logger.Message, _ bytes: [UInt8]?, _ metadata: Logger.Metadata) {
        var metadata = metadata
        if let bytes, !bytes.isEmpty {
            metadata[TrafficOutline.metadataKey] = "\(TrafficOutline(bytes))"
            metadata["body"] = .sensitive(String(decoding: bytes.prefix(Self.maximumSize), as: UTF8.self))
        }
        logger.trace(kind, metadata: metadata)
    }
}

/// The outline of a message: its JSON with values struck out, or its size for any other body.
struct TrafficOutline: CustomStringConvertible {
    /// The key of the outline in the metadata of a log.
    static let metadataKey = "message"

    /// The members whose values the protocol defines, and which say nothing about a user or a session.
    private static let shown: Set<String> = [
        "@context", "attr", "context", "cred", "credential", "devMode", "disclose", "error", "id", "irmaqr",
        "keyCounter", "maxProtocolVersion", "minProtocolVersion", "notNull", "pairingHint", "pairingMethod",
        "proofStatus", "protocolVersion", "status", "type", "validity",
    ]
    /// The members that hold objects of the protocol; in any other object the names may be a client's own choice.
    private static let containers: Set<String> = [
        "", "credentials", "disclose", "disclosed", "error", "frontendRequest", "indices", "nextSession", "options",
        "request", "sessionPtr", "signature",
    ]

    let description: String

    /// Outlines the bytes of a message.
    init(_ bytes: [UInt8]) {
        if bytes.count <= 64 << 10, let json = try? JSONValue(parsing: bytes) {
            description = (Self.isStatus(json) ? json : Self.outlined(json, in: "")).text(.compact)
        } else {
            description = "\(bytes.count) bytes"
        }
    }

    /// A bare text of capital letters is a status of the protocol, or of proofs.
    private static func isStatus(_ json: JSONValue) -> Bool {
        json.stringValue?.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
    }

    /// A value of the member with a name.
    private static func outlined(_ json: JSONValue, in name: String) -> JSONValue {
        switch json {
        case .object(let object):
            guard containers.contains(name) else { return "…" }
            return .object(JSONObject(object.map { ($0.name, outlined($0.value, in: $0.name)) }))
        case .array(let elements): return .array(elements.map { outlined($0, in: name) })
        case .null, .bool: return json
        case .string, .number: return shown.contains(name) ? json : "…"
        }
    }
}

/// The beginning of a body, as it passed.
private final class BodyRecorder: Sendable {
    private let maximumSize: Int
    private let recorded = Mutex<[UInt8]>([])

    init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    var bytes: [UInt8] { recorded.withLock { $0 } }

    func take(_ piece: [UInt8]) {
        recorded.withLock { $0 += piece.prefix(max(0, maximumSize + 1 - $0.count)) }
    }
}

/// The pieces of a body, of which a recorder takes a copy.
private struct RecordedPieces: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    let pieces: ServerRequestBody
    let recorder: BodyRecorder

    struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: ServerRequestBody.AsyncIterator
        let recorder: BodyRecorder

        mutating func next() async throws -> [UInt8]? {
            let piece = try await iterator.next()
            if let piece { recorder.take(piece) }
            return piece
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: pieces.makeAsyncIterator(), recorder: recorder)
    }
}
#endif

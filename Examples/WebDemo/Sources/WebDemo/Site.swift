import Credentials
import Foundation
import HTTPTypes
import QRCodes

/// The page, and the calls of its script.
struct Site {
    private let questions: [String: any Question]

    /// The page for some ways to ask, by the names in its script.
    init(_ questions: [String: any Question]) {
        self.questions = questions
    }

    /// The files of the page, and of each way to ask: to begin, to let the demo's wallet answer, to see the outcome, to cancel.
    func engine() throws -> RoutedEngine {
        let files: [ServerRoute] = try [
            Self.file("/", "index", "html", type: "text/html; charset=utf-8"),
            Self.file("/demo.css", "demo", "css", type: "text/css; charset=utf-8"),
            Self.file("/demo.js", "demo", "js", type: "text/javascript; charset=utf-8"),
            Self.file("/status.js", "status", "js", type: "text/javascript; charset=utf-8"),
        ]
        return try RoutedEngine(
            files + questions.flatMap(Self.routes),
            // The wallet and the verifier both work within one call.
            options: RoutedEngineOptions(deadline: .seconds(30), maximumBodySize: 16 << 10)
        ) { error, _ in
            error is ServingError ? nil : Self.uncached(["error": .string("\(error)")], status: .badRequest)
        }
    }

    private static func routes(_ name: String, _ question: any Question) -> [ServerRoute] {
        [
            .post("/ask/\(name)") { _ in
                let asked = try await question.ask()
                guard let code = QRCode(asked.text, border: 4) else {
                    throw ServingError(.internalError, "the text is too long for a QR code")
                }
                return uncached(asked.json(qrCode: code.svg), status: .created)
            },
            .post("/ask/\(name)/wallet") { request in
                let scanned = String(decoding: try await request.body.collect(upTo: 16 << 10), as: UTF8.self)
                let code = try await question.answer(scanned)
                return uncached(["pairing_code": code.map { .string($0) } ?? .null])
            },
            .get("/ask/\(name)/{token}") { request in
                guard let outcome = try await question.outcome(of: request.parameters.text("token")) else {
                    return uncached(["error": "it has not ended"], status: .conflict)
                }
                return uncached(outcome.json)
            },
            .delete("/ask/\(name)/{token}") { request in
                try await question.cancel(request.parameters.text("token"))
                return ServerResponse(.noContent)
            },
        ]
    }

    private static func uncached(_ json: JSONValue, status: HTTPResponse.Status = .ok) -> ServerResponse {
        var response = ServerResponse.json(json.encoded(), status: status)
        response.headerFields[.cacheControl] = "no-store"
        return response
    }

    /// A file of the page, which runs its own scripts and no others.
    private static func file(_ path: String, _ name: String, _ suffix: String, type: String) throws -> ServerRoute {
        guard let url = Bundle.module.url(forResource: name, withExtension: suffix) else {
            throw Settings.Fault(description: "the resource \(name).\(suffix) is missing")
        }
        let bytes = [UInt8](try Data(contentsOf: url))
        let fields: HTTPFields = [
            .contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: """
            default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
            base-uri 'none'; form-action 'none'; frame-ancestors 'none'
            """,
        ]
        return .get(path) { _ in ServerResponse(.ok, headerFields: fields, body: .bytes(bytes)) }
    }
}

public import CredentialServing
import HTTPTypes
import IRMAMessages
import JSONKit
import KeyshareServer

extension MyIRMAService {
    /// The largest body of a request in bytes.
    private static let bodySize = 64 << 10

    /// The server as an engine, for the root of a server; mount the IRMA server at `/irma` beside it.
    ///
    /// Give strangers a rate limit: `engine.limited(by:)`.
    ///
    /// - Parameters:
    ///   - cors: The policy for pages of other origins; their scripts need credentials.
    ///   - clock: The clock for deadlines.
    ///   - deadline: The time for a request.
    public func engine(
        cors: CORSPolicy? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        deadline: Duration = .seconds(10)
    ) throws(ServingError) -> RoutedEngine {
        try RoutedEngine(
            [ServerRoute.get("/health") { _ in .keyshareText("OK") }] + loginRoutes + accountRoutes,
            options: RoutedEngineOptions(
                deadline: deadline,
                maximumBodySize: Self.bodySize,
                ignoresTrailingSlash: true,
                cors: cors
            ),
            clock: clock,
            errorResponse: { error, _ in .refusal(of: error) }
        )
    }

    private var loginRoutes: [ServerRoute] {
        [
            .post("/login/irma") { _ in
                let (package, cookie) = try await beginLogin()
                return try .keyshareJSON(package.frontendJSON().encoded()).setting(cookie)
            },
            .post("/login/email") { request in
                try await mailLogin(try EmailLoginRequest(json: try await request.json()))
                return .done()
            },
            .post("/login/token/candidates") { request in
                let candidates = try await candidates(try await request.text())
                return .keyshareJSON(JSONValue.array(candidates.map(\.json)).encoded())
            },
            .post("/login/token") { request in
                let login = try TokenLoginRequest(json: try await request.json())
                return .done(setting: try await logIn(login))
            },
            .post("/logout") { request in .done(setting: try await logOut(request)) },
            .post("/verify") { request in .done(setting: try await verifyEmail(try await request.text())) },
            .post("/checksession") { request in
                .keyshareText(try await isLoggedIn(request) ? "ok" : "expired")
            },
        ]
    }

    private var accountRoutes: [ServerRoute] {
        [
            .get("/user") { request in
                let account = try await account(of: request)
                return .keyshareJSON(account.json.encoded()).setting(try await renewal(request))
            },
            .get("/user/logs/{offset}") { request in
                let events = try await events(of: request)
                let response = ServerResponse.keyshareJSON(JSONValue.array(events.map(\.json)).encoded())
                return response.setting(try await renewal(request))
            },
            .post("/user/delete") { request in .done(setting: try await deleteAccount(of: request)) },
            .post("/email/add") { request in
                let package = try await beginAddingEmail(request)
                return try .keyshareJSON(package.frontendJSON().encoded()).setting(try await renewal(request))
            },
            .post("/email/remove") { request in
                try await removeEmail(try await request.text(), request)
                return .done(setting: try await renewal(request))
            },
        ]
    }

    /// Lets a session live on.
    private func renewal(_ request: ServerRequest) async throws -> HTTPField {
        guard let cookie = try await pages.change(request) else { throw Self.notLoggedIn }
        return cookie
    }
}

extension ServerRequest {
    /// The limits of a body's JSON; the size is the route's.
    private static let limits = JSONLimits(size: 64 << 10, depth: 8, values: 64)

    /// The body as text, as the reference takes tokens and addresses.
    fileprivate func text() async throws -> String {
        let bytes = try await body.collect(upTo: Self.limits.size)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw RemoteError(.invalidRequest, message: "the body is not UTF-8")
        }
        return text
    }

    fileprivate func json() async throws -> JSONValue {
        let bytes = try await body.collect(upTo: Self.limits.size)
        guard let json = try? JSONValue(parsing: bytes, limits: Self.limits) else {
            throw RemoteError(.invalidRequest, message: "the body is not JSON")
        }
        return json
    }
}

extension ServerResponse {
    /// An answer without content.
    fileprivate static func done(setting cookie: HTTPField? = nil) -> ServerResponse {
        let response = ServerResponse(.noContent, headerFields: [.cacheControl: "no-store"])
        return cookie.map { response.setting($0) } ?? response
    }

    /// The answer with a cookie.
    fileprivate func setting(_ cookie: HTTPField) -> ServerResponse {
        var response = self
        response.headerFields.append(cookie)
        return response
    }
}

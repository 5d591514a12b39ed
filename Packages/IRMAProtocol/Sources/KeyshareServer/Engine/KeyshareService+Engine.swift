public import CredentialServing
import HTTPTypes
import IRMAMessages
import IdemixCore
import JSONKit

extension KeyshareService {
    /// The largest body of a request about an account, and of a list of keys, in bytes.
    private static let accountBodySize = 64 << 10
    /// The largest body of a request for a response, in bytes.
    private static let responseBodySize = 1 << 20

    /// The server as an engine.
    ///
    /// Accounts and the older protocol are at the root and below `/api/v1`, the newer protocol is below `/api/v2`, as wallets
    /// expect them. Give strangers a rate limit: `engine.limited(by:)`.
    ///
    /// - Parameters:
    ///   - clock: The clock for deadlines.
    ///   - deadline: The time for a request.
    public func engine(
        clock: any Clock<Duration> = ContinuousClock(),
        deadline: Duration = .seconds(10)
    ) throws(ServingError) -> RoutedEngine {
        var routes = [ServerRoute.get("/health") { _ in .keyshareText("OK") }]
        for prefix in ["", "/api/v1"] { routes += accountRoutes(prefix) + olderProofRoutes(prefix) }
        routes += newerProofRoutes("/api/v2")
        return try RoutedEngine(
            routes,
            options: RoutedEngineOptions(
                deadline: deadline,
                maximumBodySize: Self.accountBodySize,
                ignoresTrailingSlash: true
            ),
            clock: clock,
            errorResponse: { error, _ in .refusal(of: error) }
        )
    }

    private func accountRoutes(_ prefix: String) -> [ServerRoute] {
        [
            .post(prefix + "/client/register") { request in
                switch try await body(of: request, .enrollment) {
                case .token(let token): try .keyshareJSON(try await register(token))
                case .unsigned(let json): try .keyshareJSON(try await register(UnsignedEnrollment(json: json)))
                }
            },
            .post(prefix + "/users/verify_start") { request in
                try .keyshareJSON(try await beginLogin(try await request.token(.login)))
            },
            .post(prefix + "/users/verify/pin_challengeresponse") { request in
                let message = try await request.message(KeyshareLoginResponse.self)
                guard let token = message.token else { throw RemoteError.invalid("wrong endpoint") }
                return try .keyshareJSON(try await login(token))
            },
            .post(prefix + "/users/verify/pin") { request in
                let message = try await request.message(KeyshareLoginResponse.self)
                guard message.token == nil else { throw RemoteError.invalid("wrong endpoint") }
                return try .keyshareJSON(try await loginWithoutKey(message.id, pin: message.pin))
            },
            .post(prefix + "/users/change/pin") { request in
                switch try await body(of: request, .pinChange) {
                case .token(let token): try .keyshareJSON(try await changePIN(token))
                case .unsigned(let json):
                    try .keyshareJSON(
                        try await changePIN(try ServerRequest.message(KeysharePINChangeClaims.self, json))
                    )
                }
            },
            .post(prefix + "/users/register_publickey") { request in
                try .keyshareJSON(try await registerKey(try await request.token(.keyRegistration)))
            },
            .get(prefix + "/users/renewKeyshareAttribute") { request in
                try .keyshareJSON(try await renewLoginAttribute(of: try await authorize(request)))
            },
        ]
    }

    private func olderProofRoutes(_ prefix: String) -> [ServerRoute] {
        [
            .post(prefix + "/prove/getCommitments") { request in
                let account = try await authorize(request)
                let keys = try await request.message(KeyshareKeyList.self).keys
                return try .keyshareJSON(try await commit(to: keys, of: account))
            },
            .post(prefix + "/prove/getResponse") { request in
                let account = try await authorize(request)
                let challenge = try await request.number()
                return .keyshareText(try await answer(challenge: challenge, of: account))
            },
        ]
    }

    private func newerProofRoutes(_ prefix: String) -> [ServerRoute] {
        let options = ServerRouteOptions(maximumBodySize: Self.responseBodySize)
        var routes: [ServerRoute] = [
            .post(prefix + "/prove/getPs") { request in
                let account = try await authorize(request)
                let keys = try await request.message(KeyshareKeyList.self).keys
                return try .keyshareJSON(try await shares(for: keys, of: account))
            },
            .post(prefix + "/prove/getCommitments") { request in
                let account = try await authorize(request)
                let message = try await request.message(KeyshareCommitmentRequest.self)
                return try .keyshareJSON(try await commit(to: message, of: account))
            },
        ]
        for (name, linkable) in [("getResponse", false), ("getResponseLinkable", true)] {
            routes.append(
                .post(prefix + "/prove/" + name, options: options) { request in
                    let account = try await authorize(request)
                    let challenge = try await request.challengeRequest()
                    return .keyshareText(try await answer(challenge, linkable: linkable, of: account))
                }
            )
        }
        return routes
    }

    /// The body of a request that comes signed, or as older wallets send it.
    private enum Body {
        case token(String)
        case unsigned(JSONValue)
    }

    private func body(of request: ServerRequest, _ purpose: KeyshareTokenMessage.Purpose) async throws -> Body {
        let json = try await request.json()
        let isUnsigned = json[purpose.rawValue].map { $0.isNull || $0 == "" } ?? true
        guard isUnsigned, parts.options.acceptsUnsignedMessages else {
            return .token(try ServerRequest.token(purpose, json))
        }
        return .unsigned(json)
    }

    private func authorize(_ request: ServerRequest) async throws -> Parts.OpenAccount {
        try await authorize(
            username: request.headerFields[.keyshareUsername],
            authorization: request.headerFields[.authorization]
        )
    }
}

extension HTTPField.Name {
    /// The account that a request is about; the name is a token, so that the other one is never used.
    static let keyshareUsername = HTTPField.Name("X-IRMA-Keyshare-Username") ?? .via
}

extension ServerRequest {
    /// The limits of a body's JSON; the size is the route's.
    private static let limits = JSONLimits(size: 1 << 20, depth: 16, values: 65_536)

    fileprivate func json() async throws -> JSONValue {
        let bytes = try await body.collect(upTo: Self.limits.size)
        do {
            return try JSONValue(parsing: bytes, limits: Self.limits)
        } catch {
            throw RemoteError.invalid("the body is not JSON")
        }
    }

    fileprivate func message<Message: IRMAMessage>(_ type: Message.Type) async throws -> Message {
        try Self.message(type, try await json())
    }

    fileprivate static func message<Message: IRMAMessage>(
        _ type: Message.Type,
        _ json: JSONValue
    ) throws(RemoteError) -> Message {
        do throws(IRMAError) {
            return try Message(json: json)
        } catch {
            throw RemoteError.invalid((error.path + [error.message]).joined(separator: ": "))
        }
    }

    /// The token of a body, under the name that goes with the endpoint.
    fileprivate func token(_ purpose: KeyshareTokenMessage.Purpose) async throws -> String {
        try Self.token(purpose, try await json())
    }

    fileprivate static func token(
        _ purpose: KeyshareTokenMessage.Purpose,
        _ json: JSONValue
    ) throws(RemoteError) -> String {
        let message = try message(KeyshareTokenMessage.self, json)
        guard message.purpose == purpose else { throw RemoteError.invalid("a signed \(purpose.rawValue) is needed") }
        return message.token
    }

    fileprivate func number() async throws -> BigInteger {
        let json = try await json()
        // A challenge has 256 bits, 78 digits or 44 characters.
        let length = json.stringValue?.utf8.count ?? json.numberValue?.text.utf8.count ?? 0
        guard length <= 128, let number = try? BigInteger(json: json) else {
            throw RemoteError.invalid("the body is no challenge")
        }
        return number
    }

    fileprivate func challengeRequest() async throws -> KeyshareCommitment.ChallengeRequest {
        let json = try await json()
        do throws(IdemixError) {
            return try KeyshareCommitment.ChallengeRequest(json: json)
        } catch {
            throw RemoteError.invalid((error.path + [error.message]).joined(separator: ": "))
        }
    }
}

import CredentialServing
import CryptoCore
import HTTPTypes
import IRMAMessages
import KeyshareServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The sessions of browsers, which a cookie names.
///
/// The store has the digest of a cookie and not the cookie itself: nobody who reads the store can use a session, and the time of
/// a look-up tells nothing about a cookie.
struct PageSessions: Sendable {
    private let sessions: TypedSessions<PageSession>
    private let lifetime: Int64
    private let isSecure: Bool
    private let random: any RandomSource
    private let now: @Sendable () -> Date

    /// The name of the cookie, as in the reference.
    private static let cookieName = "session"
    /// The number of characters of a cookie, each one of 62.
    private static let cookieLength = 20

    init(
        in store: any SessionStore,
        _ options: MyIRMAServiceOptions,
        now: @escaping @Sendable () -> Date,
        random: any RandomSource
    ) {
        sessions = TypedSessions(
            in: store,
            encode: { $0.encoded() },
            decode: { try PageSession(decoding: $0) }
        )
        lifetime = options.sessionLifetime
        isSecure = options.usesSecureCookies
        self.now = now
        self.random = random
    }

    private var expiry: Date { now() + TimeInterval(lifetime) }

    /// Begins a session.
    ///
    /// - Returns: The field that sets its cookie.
    func begin(_ session: PageSession) async throws(SessionStoreError) -> HTTPField {
        let cookie = RandomText.lettersAndDigits(Self.cookieLength, using: random)
        try await sessions.insert(session, key: Self.key(cookie), expiry: expiry)
        return field(cookie, maximumAge: lifetime)
    }

    /// The session of a request, or nil.
    func session(of request: ServerRequest) async throws(SessionStoreError) -> PageSession? {
        guard let cookie = Self.cookie(of: request) else { return nil }
        return try await sessions.session(for: Self.key(cookie))?.value
    }

    /// Changes the session of a request, and lets it live on.
    ///
    /// - Returns: The field that lets its cookie live on, or `nil` for a request without a session.
    func change(
        _ request: ServerRequest,
        _ body: @Sendable (inout PageSession) -> Void = { _ in }
    ) async throws -> HTTPField? {
        guard let cookie = Self.cookie(of: request) else { return nil }
        do {
            try await sessions.update(Self.key(cookie)) { [expiry] session in
                body(&session.value)
                session.expiry = expiry
            }
        } catch let error as SessionStoreError where error.code == .notFound {
            return nil
        }
        return field(cookie, maximumAge: lifetime)
    }

    /// The field that makes a browser forget its cookie.
    var forgetting: HTTPField { field("", maximumAge: 0) }

    private func field(_ cookie: String, maximumAge: Int64) -> HTTPField {
        let parts = ["\(Self.cookieName)=\(cookie)", "Path=/", "Max-Age=\(maximumAge)", "HttpOnly"]
        let value = (parts + (isSecure ? ["Secure"] : []) + ["SameSite=Strict"]).joined(separator: "; ")
        return HTTPField(name: .setCookie, value: value)
    }

    private static func key(_ cookie: String) -> SessionKey {
        SessionKey(bytes: Array("myirma.".utf8) + HashAlgorithm.sha256.digest(of: Array(cookie.utf8)))
    }

    /// The cookie of a request (RFC 6265, section 5.4), or nil.
    private static func cookie(of request: ServerRequest) -> String? {
        for field in request.headerFields[values: .cookie] {
            for pair in field.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                guard pair.hasPrefix(cookieName + "=") else { continue }
                let cookie = pair.dropFirst(cookieName.count + 1)
                return cookie.utf8.count == cookieLength ? String(cookie) : nil
            }
        }
        return nil
    }
}

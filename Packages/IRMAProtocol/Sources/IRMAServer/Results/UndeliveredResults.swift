import CredentialServing
import CryptoCore
import JOSEKit

/// The results that no callback has taken yet, kept in the store: the process that sends one may be gone before it arrives.
///
/// Every process over the store looks after the sessions with a callback URL: it ends those whose time is up, and sends results
/// again that were not taken.
final class UndeliveredResults: Sendable {
    private let store: any SessionStore
    private let deadlines: SharedDeadlines

    /// The time in milliseconds after which a result that was not taken is looked at again.
    private static let interval: Int64 = 30_000

    /// Results in a store.
    ///
    /// - Parameters:
    ///   - store: The store of the sessions.
    ///   - url: The URL of the server, which stands for the processes that share the sessions.
    ///   - lifetime: The time for which a result is kept.
    ///   - randomness: The source of this process's delay.
    init(in store: any SessionStore, of url: String, keeping lifetime: Duration, using randomness: any RandomSource) {
        self.store = store
        deadlines = SharedDeadlines(
            in: store,
            named: "irma " + Base64URL.encode(HashAlgorithm.sha256.digest(of: Array(url.utf8))),
            keepingResultsFor: lifetime,
            spreadBy: randomness.bytes(1)[0]
        )
    }

    private func key(_ token: String) -> SessionKey { SessionKey("irma result " + token) }

    /// Notes the time at which a session ends, unless somebody ends it before.
    ///
    /// A store that cannot take the note leaves the session to its own process.
    func noteDeadline(of token: String, at deadline: Int64) async {
        try? await deadlines.add(token, until: deadline)
    }

    /// Notes a result that is about to be sent.
    ///
    /// A store that cannot take the note leaves the result to this process.
    ///
    /// - Parameters:
    ///   - token: The requestor's token.
    ///   - now: The time in milliseconds since 1970.
    ///   - expiry: The time until which the result is kept.
    func add(_ token: String, at now: Int64, until expiry: Int64) async {
        let time = now + Self.interval
        guard time < expiry else { return }
        let entry = SessionEntry(
            key: key(token),
            secondaryKeys: [],
            value: Self.encoded(time),
            expiryMilliseconds: expiry,
            version: .first()
        )
        do {
            try await store.insert(entry)
            try await deadlines.add(token, until: time)
        } catch {}
    }

    /// Removes a result that its callback has taken, or cannot get.
    ///
    /// One that cannot be removed may be sent again.
    func remove(_ token: String) async { _ = try? await store.delete(key(token), version: nil) }

    /// Looks after the sessions whose time has come.
    ///
    /// - Parameters:
    ///   - now: The time in milliseconds since 1970.
    ///   - body: Ends a session whose time is up; called with a token, and with `true` for a result that is to be sent again.
    func lookAfter(at now: Int64, _ body: (_ token: String, _ isDue: Bool) async throws -> Void) async {
        await deadlines.endExpired(at: now) { token in try await body(token, try await takeTurn(at: token, now)) }
    }

    /// Puts the next look at a result off; `false` for one that was taken, or that is not due, or that another process looks at.
    private func takeTurn(at token: String, _ now: Int64) async throws(SessionStoreError) -> Bool {
        guard var entry = try await store.entry(for: key(token)), Self.time(entry.value) <= now else { return false }
        let time = now + Self.interval
        entry.value = Self.encoded(time)
        // The next look is noted first: a process that is gone between the two would leave a result that nobody looks at.
        if time < entry.expiryMilliseconds { try await deadlines.add(token, until: time) }
        do {
            try await store.swap(entry)
            return true
        } catch {
            guard [.conflict, .notFound].contains(error.code) else { throw error }
            return false
        }
    }

    private static func encoded(_ time: Int64) -> [UInt8] { Array(String(time).utf8) }

    /// The time of the next look; that of a damaged note has come.
    private static func time(_ value: [UInt8]) -> Int64 { Int64(String(decoding: value, as: UTF8.self)) ?? .min }
}

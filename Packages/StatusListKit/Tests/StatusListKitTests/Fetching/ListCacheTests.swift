import CredentialTransport
import Foundation
import Synchronization
import Testing
import VerificationCore

@testable import StatusListKit

/// The cache under calls that come in between.
@Suite struct ListCacheTests {
    /// A list that calls back while a kept one is judged.
    private struct WatchedList: KeptList {
        let list: VerifiedStatusList
        let judged: @Sendable () -> Void

        var uri: String { list.uri }
        var token: StatusListToken { list.token }
        var issuedAt: Date { list.issuedAt }
        var timeToLive: TimeInterval? { list.timeToLive }
        var expirationTime: Date? { list.expirationTime }
        var size: Int { list.size }

        func verify(policy: StatusListPolicy, at time: Date) -> Verification<WatchedList> {
            judged()
            return list.verify(policy: policy, at: time).map { WatchedList(list: $0, judged: judged) }
        }
    }

    @Test func tokensThatAreLoadedWhileAListIsSoughtAreNotMissed() async throws {
        let maker = try TokenMaker(.jwt)
        @Sendable func token(_ issuedAt: TimeInterval, isRevoked: Bool) async throws -> StatusListToken {
            var maker = maker
            maker.issuedAt = issuedAt
            maker.list = StatusList(bytes: [isRevoked ? 1 : 0], bits: .one)
            return try await maker.token()
        }
        let old = try await token(-500, isRevoked: false)
        let new = try await token(-50, isRevoked: true)
        let cache = ListCache<StatusListKey, WatchedList>(
            policy: TokenMaker.policy,
            options: .default,
            snapshot: [(TokenMaker.uri, old)]
        )
        let isLoading = Mutex(false)
        let judged = { @Sendable in
            guard isLoading.withLock({ exchange(&$0, with: false) }) else { return }
            cache.load([(TokenMaker.uri, new)])
        }
        @Sendable func isRevoked() async throws -> Bool {
            try await cache.list(
                at: TokenMaker.uri,
                signedBy: maker.key,
                refreshingAfter: nil,
                at: TokenMaker.now,
                fetch: nil
            ) { (token) throws(StatusListError) in
                let list = try token.verify(
                    for: TokenMaker.uri,
                    with: maker.key,
                    policy: TokenMaker.policy,
                    at: TokenMaker.now
                ).list()
                return WatchedList(list: list, judged: judged)
            }.list.status(at: 0) == .revoked
        }
        #expect(try await !isRevoked())
        isLoading.withLock { $0 = true }
        for _ in 0..<2 { #expect(try await isRevoked()) }
    }

    private func exchange(_ value: inout Bool, with other: Bool) -> Bool {
        defer { value = other }
        return value
    }
}

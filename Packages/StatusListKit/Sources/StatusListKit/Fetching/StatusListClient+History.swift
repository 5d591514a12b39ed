import CredentialTransport
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension StatusListClient {
    /// The status that a credential had at a time in the past (Token Status List, section 8.4).
    ///
    /// The list is asked for with `time`, never kept, and taken only if that time lies between its `iat` and its `exp`: a provider
    /// that knows nothing of history answers with today's list.
    ///
    /// - Parameters:
    ///   - reference: The reference to the credential's status.
    ///   - key: The signer that the list must have.
    ///   - time: The time; its fraction of a second does not count.
    public func historicalStatus(
        for reference: StatusReference,
        signedBy key: StatusListKey,
        at time: Date
    ) async -> StatusFinding {
        do throws(StatusListError) {
            let second = try Self.second(of: time)
            let token = try await fetcher.token(at: reference.uri, time: second, in: policy.forms).value
            let list = try historical(token, reference, key, at: Date(timeIntervalSince1970: TimeInterval(second)))
            return list.finding(at: reference.index)
        } catch {
            return StatusFinding(.unknown(error))
        }
    }

    private static func second(of time: Date) throws(StatusListError) -> Int64 {
        guard let second = Int64(exactly: time.timeIntervalSince1970.rounded(.down)) else {
            throw StatusListError(.timeNotCovered, "the time cannot be written")
        }
        return second
    }

    private func historical(
        _ token: StatusListToken,
        _ reference: StatusReference,
        _ key: StatusListKey,
        at time: Date
    ) throws(StatusListError) -> VerifiedStatusList {
        var policy = policy
        policy.clockSkew = 0
        policy.maximumAge = nil
        policy.requiresExpirationTime = true
        let verification = token.verify(for: reference.uri, with: key, policy: policy, at: time)
        do throws(Refusal) {
            return try verification.get()
        } catch {
            let outside: Set<Reason> = [.issuedInFuture, .notYetValid, .expired]
            let hasNoEnd = error.reason == .missingClaim && error.check == .validity
            guard outside.contains(error.reason) || hasNoEnd else { throw StatusListError(error) }
            throw StatusListError(.timeNotCovered, error.message, path: ["token"] + error.path, cause: error)
        }
    }
}

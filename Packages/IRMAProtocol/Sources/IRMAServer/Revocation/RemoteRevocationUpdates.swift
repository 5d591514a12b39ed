public import CredentialServing
public import CredentialTransport
public import IRMAMessages
public import IdemixCore
import Synchronization

/// Asks revocation servers for accumulators and events, for the requests of verifiers.
///
/// An answer is kept for a minute, the time after which servers sign an accumulator anew. Its signature is verified before a
/// wallet gets it; an accumulator of a key that the schemes lack is left out.
public final class RemoteRevocationUpdates: RevocationUpdateSource {
    private let transport: any HTTPTransport
    private let servers: [CredentialTypeIdentifier: String]
    private let local: RevocationAuthorityService?
    private let clock: SessionClock
    private let kept = Mutex<[Question: Answer]>([:])

    private struct Question: Hashable {
        let type: CredentialTypeIdentifier
        let count: Int
    }

    private struct Answer {
        /// The time of the answer in milliseconds since 1970.
        let time: Int64
        let updates: RevocationUpdates
    }

    /// The largest number of answers that are kept.
    private static let maximumAnswers = 1000
    /// The largest size of an answer in bytes.
    private static let maximumSize = 4 << 20

    /// A source.
    ///
    /// - Parameters:
    ///   - transport: Asks the servers.
    ///   - servers: The URLs of servers in the place of those that schemes name, by credential type.
    ///   - local: Answers for the types that it has a role for, without a request.
    ///   - clock: The current time.
    public init(
        transport: any HTTPTransport,
        servers: [CredentialTypeIdentifier: String] = [:],
        local: RevocationAuthorityService? = nil,
        clock: SessionClock = .system
    ) {
        self.transport = transport
        self.servers = servers
        self.local = local
        self.clock = clock
    }

    /// The newest accumulators of a type with their last events, by the counter of the key.
    ///
    /// - Throws: ``IRMAServerError/Code/revocationFailed`` where no server of the type gives a verified one.
    public func updates(
        of type: CredentialTypeIdentifier,
        lastEvents count: Int,
        schemes: SchemeSnapshot
    ) async throws(IRMAServerError) -> [UInt: RevocationUpdate] {
        if let local, local.roles[type] != nil {
            return try await local.updates(of: type, lastEvents: count, schemes: schemes)
        }
        let question = Question(type: type, count: max(0, count))
        let now = clock.milliseconds
        let lifetime = RevocationAuthorityService.refreshInterval * 1000
        let known = kept.withLock { $0[question] }
        if let known, now >= known.time, now - known.time < lifetime {
            return known.updates.updates
        }
        let updates = try await fetch(question, schemes)
        kept.withLock { kept in
            if kept.count >= Self.maximumAnswers { kept = kept.filter { now - $0.value.time < lifetime } }
            if kept.count < Self.maximumAnswers { kept[question] = Answer(time: now, updates: updates) }
        }
        return updates.updates
    }

    /// The verified answer of the first server that gives one.
    private func fetch(
        _ question: Question,
        _ schemes: SchemeSnapshot
    ) async throws(IRMAServerError) -> RevocationUpdates {
        let type = question.type
        let urls = servers[type].map { [$0] } ?? schemes.credentialType(type)?.revocationServers ?? []
        var last = RevocationAuthorityService.failure(type, "the type has no revocation server")
        for url in urls {
            do {
                var request = HTTPTransportRequest.get(
                    try HTTPURL(
                        (url.hasSuffix("/") ? url : url + "/") + "revocation/\(type.text)/update/\(question.count)"
                    ),
                    accepting: .any
                )
                request.limits.maximumBodySize = Self.maximumSize
                let response = try await transport.response(to: request)
                let updates = try RevocationUpdates(decodingCBOR: response.body).updates.filter { counter, update in
                    guard let key = schemes.publicKey(of: type.issuer, counter: counter) else { return false }
                    return (try? update.verified(by: key)) != nil
                }
                guard !updates.isEmpty else {
                    last = RevocationAuthorityService.failure(type, "the server's answer has no verified accumulator")
                    continue
                }
                return RevocationUpdates(updates)
            } catch {
                last = IRMAServerError(.revocationFailed, "the server gave no update", path: [type.text], cause: error)
            }
        }
        throw last
    }
}

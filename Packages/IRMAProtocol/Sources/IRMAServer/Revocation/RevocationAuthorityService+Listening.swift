import CredentialServing
import CredentialTransport
import IRMAMessages
import IdemixCore

extension RevocationAuthorityService {
    /// The time in seconds before a server that offers no events, or cannot be reached, is listened to again.
    public static let listeningPause: Int64 = 60

    /// Keeps the accumulators that the server of a type's authority tells about, until the task is cancelled.
    ///
    /// Events are a shortcut: what one of them lacks is fetched, and ``synchronize(_:tolerance:schemes:)`` goes on beside them.
    /// Each connection begins with a visit, since there are no events of the time before it.
    ///
    /// - Parameters:
    ///   - type: The credential type.
    ///   - schemes: Returns the current schemes.
    ///   - onFailure: Takes the error of an event, after which the others still count, and that of a stream.
    func listen(
        to type: CredentialTypeIdentifier,
        schemes: @escaping @Sendable () -> SchemeSnapshot,
        onFailure: @escaping @Sendable (CredentialTypeIdentifier, IRMAServerError) -> Void
    ) async {
        while !Task.isCancelled {
            do throws(IRMAServerError) {
                try await receiveEvents(of: type, schemes: schemes, onFailure: onFailure)
            } catch {
                if Task.isCancelled { return }
                onFailure(type, error)
            }
            do { try await clock.timer.sleep(for: .seconds(Self.listeningPause)) } catch { return }
        }
    }

    /// Keeps the updates of one stream, to its end.
    private func receiveEvents(
        of type: CredentialTypeIdentifier,
        schemes: @escaping @Sendable () -> SchemeSnapshot,
        onFailure: @escaping @Sendable (CredentialTypeIdentifier, IRMAServerError) -> Void
    ) async throws(IRMAServerError) {
        let servers = schemes().credentialType(type).map(servers) ?? []
        guard let remote, let server = servers.first else {
            throw Self.failure(type, "there is no server to listen to")
        }
        let stream = try remote.updateEvents(of: type, from: server, clock: clock.timer) {
            // If the visit fails now, the next round or session makes it.
            remote.outdateVisits(of: type)
            do throws(IRMAServerError) {
                try await self.synchronize(type, schemes: schemes())
            } catch {
                onFailure(type, error)
            }
        }
        var events = stream.makeAsyncIterator()
        while true {
            let event: ServerSentEvent?
            do throws(TransportError) {
                event = try await events.next()
            } catch {
                throw RevocationRemote.failure(error, type)
            }
            guard let event else { throw Self.failure(type, "the server has ended its events") }
            guard event.type == "message" else { continue }
            do throws(IRMAServerError) {
                let update = try Self.converting(type) { () throws(IdemixError) in
                    try RevocationUpdate(decoding: event.data.utf8)
                }
                try await keep(pushed: update, of: type, schemes(), servers)
            } catch {
                onFailure(type, error)
            }
        }
    }

    /// Keeps the update of an event.
    ///
    /// The existing server sends accumulators without the events that led to them, and gives no events by intervals that are not
    /// full yet: what it gives to visitors has them.
    private func keep(
        pushed update: RevocationUpdate,
        of type: CredentialTypeIdentifier,
        _ schemes: SchemeSnapshot,
        _ servers: [String]
    ) async throws(IRMAServerError) {
        do throws(IRMAServerError) {
            try await keep(update, of: type, keyCounter: update.signedAccumulator.keyCounter, schemes, servers)
        } catch {
            guard update.events?.count ?? 0 == 0 else { throw error }
            remote?.outdateVisits(of: type)
            try await synchronize(type, schemes: schemes)
        }
    }
}

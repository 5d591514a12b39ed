import CBORKit
import CredentialServing
import CredentialTransport
import HTTPTypes
import IRMAMessages
import IdemixCore
import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ServerResponse {
    /// An answer of CBOR.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - age: The time in seconds for which caches may keep the answer.
    static func cbor(_ bytes: [UInt8], maximumAge age: Int64?, status: Int = 200) -> ServerResponse {
        ServerResponse(
            HTTPResponse.Status(code: status),
            headerFields: [
                .contentType: "application/octet-stream", .cacheControl: age.map { "max-age=\($0)" } ?? "no-store",
            ],
            body: .bytes(bytes)
        )
    }

    /// An error of a revocation endpoint.
    static func cbor(_ error: RemoteError) -> ServerResponse {
        .cbor(error.bounded.cborEncoded(), maximumAge: nil, status: error.status ?? 500)
    }
}

extension SessionServer {
    /// The time in seconds for which caches may keep a complete list of events, which never changes.
    static let eventsAge: Int64 = 3600
    /// The indices of events that can be asked for are multiples of it.
    static let eventsAlignment: UInt64 = 16
    /// The largest number of events in one answer.
    static let maximumEvents = RevocationEventList.maximumCount
    /// The time before a stream of accumulators tells those of now.
    ///
    /// The existing server listens before it is ready itself, and crashes on an event of its first moments.
    static let firstUpdatePause: Duration = .seconds(5)
    private static let maximumRecordSize = 64 << 10
    /// `null` of CBOR.
    private static let null: [UInt8] = [0xf6]

    /// The endpoints of revocation, whose bodies are CBOR.
    var revocationRoutes: [ServerRoute] {
        [
            .get("/revocation/{type}/events/{key}/{min}/{max}") { request in try await self.events(request) },
            .get("/revocation/{type}/updateevents") { request in try self.updateEvents(request) },
            .get("/revocation/{type}/update/{count}") { request in try await self.update(request, key: nil) },
            .get("/revocation/{type}/update/{count}/{key}") { request in
                try await self.update(request, key: try Self.number("key", request))
            },
            .post("/revocation/{type}/issuancerecord/{key}") { request in try await self.addRecord(request) },
        ]
    }

    private static func number<Number: FixedWidthInteger>(
        _ name: String,
        _ request: ServerRequest
    ) throws(RemoteError) -> Number {
        guard let text = try? request.parameters.text(name), text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            let number = Number(text)
        else { throw .invalidRequest("not a number") }
        return number
    }

    /// The service with a role for the type in the path.
    private func service(
        _ role: RevocationRole,
        _ request: ServerRequest
    ) throws(RemoteError) -> (RevocationAuthorityService, CredentialTypeIdentifier) {
        let type = CredentialTypeIdentifier((try? request.parameters.text("type")) ?? "")
        guard let service = services.revocationAuthority, service.has(role, for: type) else {
            throw .invalidRequest("not supported by this server")
        }
        return (service, type)
    }

    private func events(_ request: ServerRequest) async throws(RemoteError) -> ServerResponse {
        let (service, type) = try service(.server, request)
        let key: UInt = try Self.number("key", request)
        let (first, end): (UInt64, UInt64) = (try Self.number("min", request), try Self.number("max", request))
        guard first < end, first % Self.eventsAlignment == 0, end % Self.eventsAlignment == 0,
            end - first <= UInt64(Self.maximumEvents)
        else { throw RemoteError(.revocation, message: "illegal update interval") }
        do throws(IRMAServerError) {
            let list = try await service.events(of: type, keyCounter: key, in: first..<end)
            let isComplete = UInt64(list.count) == end - first
            return .cbor(list.cborEncoded(), maximumAge: isComplete ? Self.eventsAge : 0)
        } catch {
            throw RemoteError(.revocation, message: error.message)
        }
    }

    private func update(_ request: ServerRequest, key: UInt?) async throws(RemoteError) -> ServerResponse {
        let (service, type) = try service(.server, request)
        let count: Int = try Self.number("count", request)
        // As the reference, which has all events for the number 0.
        let events = count == 0 ? Self.maximumEvents : count
        do throws(IRMAServerError) {
            guard let key else {
                let updates = try await service.updates(of: type, lastEvents: events, schemes: material.schemes)
                return .cbor(RevocationUpdates(updates).cborEncoded(), maximumAge: age(of: Array(updates.values)))
            }
            let update = try await service.update(
                of: type,
                keyCounter: key,
                lastEvents: events,
                schemes: material.schemes
            )
            // As the reference, which has an empty answer for a key without an accumulator.
            guard let update else { return .cbor(Self.null, maximumAge: 0) }
            return .cbor(update.cborEncoded(), maximumAge: age(of: [update]))
        } catch {
            throw RemoteError(.revocation, message: error.message)
        }
    }

    /// The stream of the accumulators of a type, each with its last events: after a pause those of now, then each new one.
    ///
    /// A subscriber that connects again finds up to 16 events that it missed in the first update; earlier ones it fetches.
    private func updateEvents(_ request: ServerRequest) throws(RemoteError) -> ServerResponse {
        guard options.offersEventStreams else { throw .invalidRequest("not supported by this server") }
        let (service, type) = try service(.server, request)
        let timer = services.clock.timer
        return .events(for: request, clock: timer) { stream in
            try await timer.sleep(for: Self.firstUpdatePause)
            let updates = service.feed.updates(of: type)
            let (newest, failure) = try await service.told(of: type)
            if let failure, newest.isEmpty { throw failure }
            for update in newest {
                try await stream.send(OutgoingEvent(data: try update.json().text(.compact)))
            }
            for await update in updates {
                try await stream.send(OutgoingEvent(data: try update.json().text(.compact)))
            }
        }
    }

    /// The time until the oldest of the accumulators is signed anew.
    private func age(of updates: [RevocationUpdate]) -> Int64 {
        let times = updates.compactMap { try? $0.signedAccumulator.unverifiedAccumulator().time }
        guard let oldest = times.min() else { return 0 }
        return max(
            0,
            min(
                RevocationAuthorityService.refreshInterval,
                oldest - now / 1000
                    + RevocationAuthorityService.refreshInterval
            )
        )
    }

    private func addRecord(_ request: ServerRequest) async throws(RemoteError) -> ServerResponse {
        let (service, type) = try service(.authority, request)
        let counter: UInt = try Self.number("key", request)
        guard let key = material.schemes.publicKey(of: type.issuer, counter: counter)?.revocationKey else {
            throw RemoteError(.revocation, message: "there is no key \(counter) for revocation")
        }
        let body = try await request.bytes(upTo: Self.maximumRecordSize, malformed: .invalidRequest)
        let record: IssuanceRecord
        do throws(IRMAError) {
            record = try IssuanceRecord(verifying: body, with: key)
        } catch {
            throw RemoteError(.unauthorized, message: error.displayText)
        }
        guard record.credentialType == type, record.keyCounter == counter else {
            throw .invalidRequest("issuance record of wrong credential type")
        }
        do throws(IRMAServerError) {
            try await service.records.add(record)
        } catch {
            throw RemoteError(.revocation, message: error.message)
        }
        return .irmaEmpty()
    }
}

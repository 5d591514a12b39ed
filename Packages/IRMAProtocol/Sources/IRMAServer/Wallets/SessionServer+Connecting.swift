import CredentialServing
import IRMAMessages
import JSONKit

extension SessionServer {
    /// The answer to a wallet's first request, which connects it to the session.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - oldest: The header with the oldest version that the wallet speaks.
    ///   - newest: The header with the newest version that the wallet speaks.
    func connect(_ call: WalletCall, from oldest: String?, to newest: String?) async throws(RemoteError) -> WalletAnswer
    {
        for _ in 0..<Self.attempts {
            let session = try await loaded(.wallet(call.token))
            let record = session.value
            try record.requireHost(call.host)
            if let answer = record.repeatedAnswer(.first, call.authorization, body: [], at: now) { return answer }
            let versions = try Self.versions(oldest, newest)
            guard record.status == .initialized else {
                throw RemoteError(.unexpectedRequest, message: "Session already started")
            }
            let answer = try await work.outcome(for: call.token) { () async throws(RemoteError) in
                try await self.connect(session, call.authorization, versions)
            }
            if let answer = answer ?? nil { return answer }
        }
        throw RemoteError(.internalError)
    }

    /// Connects a wallet, and keeps the answer with the session's next state; nil if another writer was first.
    private func connect(
        _ session: TypedSession<SessionRecord>,
        _ authorization: String?,
        _ versions: (ProtocolVersion, ProtocolVersion)
    ) async throws(RemoteError) -> WalletAnswer? {
        var session = session
        let before = session.value
        let answer = await connect(&session.value, authorization, versions)
        let mark = BodyMark(of: [], isRefused: false, using: services.randomness)
        session.value.keep(answer, .first, authorization, mark: mark)
        return try await commit(session, from: before) == nil ? nil : answer
    }

    private static func versions(
        _ oldest: String?,
        _ newest: String?
    ) throws(RemoteError) -> (ProtocolVersion, ProtocolVersion) {
        do throws(IRMAError) {
            return (try ProtocolVersion(oldest ?? ""), try ProtocolVersion(newest ?? ""))
        } catch {
            throw .malformed(error)
        }
    }

    private func connect(
        _ record: inout SessionRecord,
        _ authorization: String?,
        _ versions: (ProtocolVersion, ProtocolVersion)
    ) async -> WalletAnswer {
        func failure(_ error: RemoteError) -> WalletAnswer {
            record.fail(error, at: now)
            return WalletAnswer(.failure(error))
        }
        let negotiation = VersionNegotiation(record, minimum: options.minimumVersion)
        guard let version = negotiation.version(from: versions.0, to: versions.1) else {
            return failure(RemoteError(.protocolVersion))
        }
        guard version < .v2_8 || authorization?.isEmpty == false else {
            return failure(.notOfSession("No authorization header provided"))
        }
        do {
            try await attachUpdates(to: &record)
        } catch {
            return failure(error)
        }
        record.version = version
        record.walletAuthorization = authorization
        record.request.parameters.protocolVersion = version
        record.lastActive = now
        let isPaired = record.options.pairingMethod != .none && version >= .v2_8
        record.setStatus(isPaired ? .pairing : .connected)
        do throws(IRMAError) {
            return WalletAnswer(try Self.firstMessage(of: &record, version))
        } catch {
            return failure(RemoteError(.exception, message: error.displayText))
        }
    }

    private static func firstMessage(
        of record: inout SessionRecord,
        _ version: ProtocolVersion
    ) throws(IRMAError) -> [UInt8] {
        let request = record.request.forWallet()
        guard version >= .v2_5 else { return try LegacyRequestConverter.legacy(from: request).json().encoded() }
        guard version >= .v2_8 else { return try request.encoded() }
        let isWhole = record.status != .pairing
        guard isWhole, record.request.kind != .issuing else {
            return try ClientSessionRequest(
                protocolVersion: version,
                options: record.options,
                request: isWhole ? request : nil
            ).encoded()
        }
        // The wallet's request is the session's, whose text the store needs, too.
        var text = RecordText(capacity: 1024)
        text.beginObject()
        text.write("@context", MessageContext.clientRequest.text)
        text.write("protocolVersion", version.json())
        text.write("options", try record.options.json())
        text.write("request", text: try record.makeRequestText())
        text.endObject()
        return text.bytes
    }

    /// Puts the newest events of accumulators into the request, as late as possible.
    private func attachUpdates(to record: inout SessionRecord) async throws(RemoteError) {
        guard let demands = record.request.parameters.revocation, !demands.demands.isEmpty else { return }
        let schemes = history.material(record.materialID).schemes
        var completed = NonRevocationDemands([:])
        for (type, demand) in demands.demands {
            guard let source = services.revocation, let description = schemes.credentialType(type) else {
                throw RemoteError(.revocation, message: "no revocation updates for \(type)")
            }
            let count = Int(max(0, min(description.revocationUpdateCount, 1000)))
            do {
                let updates = try await source.updates(
                    of: type,
                    lastEvents: count,
                    tolerance: demand.tolerance,
                    schemes: schemes
                )
                completed.demands[type] = NonRevocationDemand(tolerance: demand.tolerance, updates: updates)
            } catch {
                throw RemoteError(.revocation, message: "no revocation updates for \(type): \(error.message)")
            }
        }
        record.request.parameters.revocation = completed
    }

    /// The request for a wallet that was paired.
    func request(_ call: WalletCall) async throws(RemoteError) -> WalletAnswer {
        let record = try await record(.wallet(call.token))
        try record.requireHost(call.host)
        if let refusal = record.refusal(of: call.authorization) { throw refusal }
        guard let version = record.version, version >= .v2_8 else {
            throw RemoteError(.unexpectedRequest, message: "the version of the protocol has no such endpoint")
        }
        do throws(IRMAError) {
            return WalletAnswer(.success(try record.request.forWallet().json()))
        } catch {
            throw RemoteError(.exception, message: error.displayText)
        }
    }
}

import CredentialTransport
import CryptoCore
import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WalletSession {
    /// The request, once the wallet is paired where the server wants it.
    ///
    /// - Parameter showPairingCode: Shows the code that the user has to type in the browser.
    /// - Throws: As ``start()`` and ``waitForPairing()``.
    public func request(
        showingPairingCode showPairingCode: @Sendable (String) async -> Void = { _ in }
    ) async throws(WalletError) -> WalletRequest {
        switch try await start() {
        case .request(let request): return request
        case .pairing(let code):
            await showPairingCode(code)
            return try await waitForPairing()
        }
    }

    /// Connects to the server.
    ///
    /// - Returns: The request, or the code for pairing, after which ``waitForPairing()`` follows.
    /// - Throws: ``WalletError`` with every code that is not about an answer.
    public func start() async throws(WalletError) -> SessionStart {
        guard case .created = state else {
            throw WalletError(.invalidState, "the session was started before")
        }
        state = .starting
        return try await ending { () async throws(WalletError) in try await self.connect() }
    }

    /// Waits until the user has typed the code in the browser.
    ///
    /// - Throws: ``WalletError/Code/pairingRejected`` if the session ends before, ``WalletError/Code/invalidState`` for a
    ///   second call, and as ``start()``.
    public func waitForPairing() async throws(WalletError) -> WalletRequest {
        try requireRunning()
        guard case .pairing = state, let channel else {
            throw WalletError(.invalidState, "the session does not wait for pairing")
        }
        // Another call does not wait beside this one, and prepare an answered request anew.
        state = .starting
        return try await ending { () async throws(WalletError) in
            try await self.waitUntilConnected(channel)
            let body = try await channel.get("request")
            let request = try Self.reading { () throws(IRMAError) in try SessionRequest(decoding: body) }
            return try await self.prepare(request)
        }
    }

    private func connect() async throws(WalletError) -> SessionStart {
        let pointer = try await followedPointer()
        kind = pointer.kind
        guard [.disclosing, .signing, .issuing].contains(kind) else {
            throw WalletError(.unknownAction, "\(kind) is no kind of session", path: ["irmaqr"])
        }
        let least = kind == .signing ? max(core.options.versions.lowerBound, .v2_5) : core.options.versions.lowerBound
        guard least <= core.options.versions.upperBound else {
            throw WalletError(.protocolVersionNotSupported, "the wallet's versions have no signatures")
        }
        let versions = least...core.options.versions.upperBound
        let url = try Self.url(pointer.url)
        let http = HTTPSession(with: url, over: core.transport, now: core.clock.now)
        authorization = RandomText.lettersAndDigits(20, using: core.randomness)
        let channel = try core.channel(to: pointer.url, over: http)
            .setting("X-IRMA-MinProtocolVersion", versions.lowerBound.description)
            .setting("X-IRMA-MaxProtocolVersion", versions.upperBound.description)
            .setting("Authorization", authorization)
        self.url = url
        address = pointer.url
        self.http = http
        self.channel = channel
        let body = try await channel.get("")
        let first = try Self.reading { () throws(IRMAError) in try SessionRequest.firstMessage(decoding: body) }
        guard versions.contains(first.protocolVersion) else {
            throw WalletError(
                .protocolVersionNotSupported,
                "the server chose \(first.protocolVersion), the wallet has \(versions.lowerBound) to \(versions.upperBound)"
            )
        }
        version = first.protocolVersion
        if let request = first.request { return .request(try await prepare(request)) }
        guard first.options.pairingMethod == .pin, let code = first.options.pairingCode else {
            throw WalletError(.serverResponse, "neither a request nor a code for pairing", path: ["options"])
        }
        try requireRunning()
        state = .pairing
        return .pairing(code: code)
    }

    /// The pointer of the session itself: a static one is followed once.
    private func followedPointer() async throws(WalletError) -> SessionPointer {
        guard pointer.isRedirect else { return pointer }
        let channel = try core.channel(to: pointer.url)
        let body = try await channel.postToURL(Array("{}".utf8))
        return try Self.reading { () throws(IRMAError) in try SessionPointer(redirectTarget: body) }
    }

    /// Waits for the state that follows pairing: by the server's events, and by asking.
    private func waitUntilConnected(_ channel: ServerChannel) async throws(WalletError) {
        let status = await withTaskGroup(of: Result<SessionStatus?, WalletError>.self) { group in
            group.addTask { .success(await self.statusByEvents(channel)) }
            group.addTask {
                do throws(WalletError) {
                    return .success(try await self.statusByAsking(channel))
                } catch {
                    return .failure(error)
                }
            }
            // Events that end without a state say nothing: the other one goes on asking.
            while let next = await group.next() {
                if case .success(nil) = next { continue }
                group.cancelAll()
                return next
            }
            return .success(nil)
        }
        hasEvents = false
        try requireRunning()
        guard try status.get() == .connected else {
            throw WalletError(.pairingRejected, "the session ended before the wallet was paired")
        }
    }

    private func statusByEvents(_ channel: ServerChannel) async -> SessionStatus? {
        guard let http, let url = try? channel.url("statusevents"),
            let events = try? EventStream(
                at: url,
                fields: channel.headerFields,
                over: http,
                options: EventStreamOptions(maximumFailures: 1),
                clock: core.clock.timer
            )
        else { return nil }
        do {
            for try await event in events {
                hasEvents = true
                guard let status = try? SessionStatus(decoding: Array(event.data.utf8)) else { continue }
                if status == .connected || status.isFinal { return status }
            }
        } catch {
            // A server without events; asking goes on.
        }
        hasEvents = false
        return nil
    }

    private func statusByAsking(_ channel: ServerChannel) async throws(WalletError) -> SessionStatus? {
        while true {
            try requireRunning()
            do {
                // With events, asking only covers the time before they began.
                try await core.clock.timer.sleep(for: core.options.pairingInterval * (hasEvents ? 10 : 1))
            } catch {
                throw WalletError(.cancelled, "the task was cancelled", cause: error)
            }
            let body = try await channel.get("status")
            let status = try Self.reading { () throws(IRMAError) in try SessionStatus(decoding: body) }
            if status == .connected || status.isFinal { return status }
        }
    }
}

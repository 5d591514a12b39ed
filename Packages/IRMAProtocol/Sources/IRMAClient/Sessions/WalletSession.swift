import CredentialTransport
import CryptoCore
public import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A session with a server, from the pointer that the user scanned to the outcome.
///
/// ```swift
/// let session = try wallet.session(scanned: text)
/// let request = try await session.request { code in await show(pairingCode: code) }
/// guard let choice = await ask(request) else { return await session.cancel() }
/// let outcome = try await session.answer(choice) { prompt in await askPIN(prompt) }
/// ```
///
/// The app draws what it likes between the calls; nothing waits for it. A call that fails ends the session and tells the
/// server, with two exceptions: after ``WalletError/Code/invalidChoice`` another choice can be made, and after the loss of the
/// answer to proofs ``resend()`` asks for it again.
public actor WalletSession {
    /// The state of a session.
    enum State {
        case created
        case starting
        case pairing
        case ready(SessionPreparation)
        case answering
        case sent(SentAnswer)
        case sending
        case finished
        case failed
        case cancelled
    }

    /// An answer that was sent, until the server's own answer is there.
    struct SentAnswer {
        let answer: SessionAnswer
        let preparation: SessionPreparation
        let prover: SessionProver
        let entry: SessionLogEntry
    }

    /// The pointer that the session was opened with; a static one leads to another.
    public nonisolated let pointer: SessionPointer
    let core: WalletCore
    /// What an earlier session of the chain has shown.
    let shown: [ShownDisjunction]
    /// The account whose enrolment the session ends, or `nil`.
    private var enrollment: KeyshareEnrollment?
    private var state = State.created
    private var kind: SessionKind
    private var channel: ServerChannel?
    private var http: HTTPSession?
    private var host = ""
    private var version = ProtocolVersion.v2_8
    /// Indicates that events of the server come, so that it need not be asked so often.
    private var hasEvents = false

    init(
        _ pointer: SessionPointer,
        core: WalletCore,
        shown: [ShownDisjunction] = [],
        enrollment: KeyshareEnrollment? = nil
    ) {
        self.pointer = pointer
        self.core = core
        self.shown = shown
        self.enrollment = enrollment
        kind = pointer.kind
    }

    // MARK: The request

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
    /// - Throws: ``WalletError/Code/pairingRejected`` where the session ends before, and as ``start()``.
    public func waitForPairing() async throws(WalletError) -> WalletRequest {
        guard case .pairing = state, let channel else {
            throw WalletError(.invalidState, "the session does not wait for pairing")
        }
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
        let channel = try core.channel(to: pointer.url, over: http)
            .setting("X-IRMA-MinProtocolVersion", versions.lowerBound.description)
            .setting("X-IRMA-MaxProtocolVersion", versions.upperBound.description)
            .setting("Authorization", core.randomness.sessionToken())
        host = url.host.description
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

    // MARK: The checked request

    private func prepare(_ request: SessionRequest) async throws(WalletError) -> WalletRequest {
        let schemes = try await acceptableSchemes(for: request)
        if enrollment != nil { try await noteAccount(in: request, schemes) }
        for scheme in Set(request.credentials.map(\.credential.scheme)).sorted()
        where schemes.schemes[scheme]?.keyshareScheme != nil && enrollment?.account.scheme != scheme {
            _ = try await core.account(of: scheme)
        }
        await WitnessUpdater(core, schemes: schemes).update(for: request)
        let credentials = try await core.vault.credentials(schemes)
        let held = credentials.map(\.held)
        let now = core.clock.now()
        var effective = request
        effective.disclose.disjunctions += shown.map { AttributeDisjunction([$0.attributes]) }
        let candidates = try WalletError.converting { [effective] () throws(IRMAError) in
            try effective.candidates(among: held, schemes: schemes, at: now)
        }
        let own = request.disclose.disjunctions.count
        let preparation = SessionPreparation(
            request: WalletRequest(
                requestor: requestor(schemes),
                request: request,
                protocolVersion: version,
                disjunctions: zip(request.disclose.disjunctions, candidates).enumerated().map { position, pair in
                    let label = request.labels[position] ?? nil
                    return WalletDisjunction(label: label, disjunction: pair.0, candidates: pair.1)
                },
                credentials: try request.offers(schemes, held: held, at: now),
                held: held,
                valueNames: Self.indices(of: request, schemes)
            ),
            effective: effective,
            repeated: try repeated(among: Array(candidates.dropFirst(own))),
            schemes: schemes
        )
        try requireRunning()
        state = .ready(preparation)
        return preparation.request
    }

    /// The schemes that know all that a request names, after an update where the present ones do not.
    private func acceptableSchemes(for request: SessionRequest) async throws(WalletError) -> SchemeSnapshot {
        var schemes = await core.schemes.snapshot
        do throws(WalletError) {
            try request.requireAcceptable(kind: kind, schemes: schemes, options: core.options, at: core.clock.now())
            return schemes
        } catch {
            guard error.code == .unknownIdentifier else { throw error }
            await core.schemes.update(request.schemeIdentifiers)
            schemes = await core.schemes.snapshot
        }
        try request.requireAcceptable(kind: kind, schemes: schemes, options: core.options, at: core.clock.now())
        return schemes
    }

    /// Notes down the name that the keyshare server gave to the account: the value of the login attribute.
    private func noteAccount(in request: SessionRequest, _ schemes: SchemeSnapshot) async throws(WalletError) {
        guard var enrollment else { return }
        let login = schemes.schemes[enrollment.account.scheme]?.description.keyshareAttribute
        let username = request.credentials.lazy.compactMap { credential -> String? in
            guard let login, let name = login.attribute, credential.credential == login.credentialType else {
                return nil
            }
            return credential.attributes[ExactText(name)]
        }.first
        guard let username else {
            throw WalletError(
                .keyshare,
                "the server does not issue the login attribute",
                path: [enrollment.account.scheme.text]
            )
        }
        enrollment.account.username = username
        try await core.vault.put(enrollment.account)
        self.enrollment = enrollment
    }

    private func requestor(_ schemes: SchemeSnapshot) -> WalletRequestor {
        let isSecure = (try? channel?.url(""))?.scheme == .https
        let description = isSecure ? schemes.requestor(host: host, at: core.clock.now()) : nil
        return WalletRequestor(host: host, description: description)
    }

    /// The answers to what the chain has shown before: the same credentials, or others where those are gone.
    private func repeated(among candidates: [[Candidate]]) throws(WalletError) -> [Candidate] {
        var repeated: [Candidate] = []
        for (shown, ways) in zip(shown, candidates) {
            let same = ways.first { way in
                way.isUsable && way.credentials.map(\.hash) == shown.credentials.map(\.hash)
            }
            guard let candidate = same ?? ways.first(where: \.isUsable) else {
                throw WalletError(.credentialNotAvailable, "a credential that the chain has shown is gone")
            }
            repeated.append(candidate)
        }
        return repeated
    }

    private static func indices(of request: SessionRequest, _ schemes: SchemeSnapshot) -> [AttributeIdentifier: Int] {
        var indices: [AttributeIdentifier: Int] = [:]
        for attribute in request.disclose.attributes {
            guard let name = attribute.type.attribute else { continue }
            indices[attribute.type] = schemes.credentialType(attribute.type.credentialType)?.baseIndex(of: name)
        }
        return indices
    }

    // MARK: The answer

    /// Answers the request.
    ///
    /// - Parameters:
    ///   - choice: The user's choice.
    ///   - pin: Asks the user for a PIN, where a keyshare server has a part of the secret key and no token is left.
    /// - Throws: ``WalletError/Code/invalidChoice``, after which the session waits for another choice;
    ///   ``WalletError/Code/transport`` where the answer was lost, after which ``resend()`` can be tried; ``WalletError/Code/rejected``,
    ///   ``WalletError/Code/api`` and others.
    public func answer(
        _ choice: WalletChoice,
        pin: @escaping KeysharePINHandler = { _ in nil }
    ) async throws(WalletError) -> SessionOutcome {
        guard case .ready(let preparation) = state else {
            throw WalletError(.invalidState, "the session has no request that waits for an answer")
        }
        let selection = try selection(for: choice, preparation)
        state = .answering
        let sent = try await ending { () async throws(WalletError) in
            let sent = try await self.makeAnswer(preparation, choice, selection, pin)
            try self.requireRunning()
            self.state = .sent(sent)
            return sent
        }
        return try await send(sent)
    }

    /// Sends the answer once more after it was lost on the way, with the same bytes.
    ///
    /// Servers replay their answer to the same wallet for about ten seconds.
    ///
    /// - Throws: As ``answer(_:pin:)``.
    public func resend() async throws(WalletError) -> SessionOutcome {
        guard case .sent(let sent) = state else {
            throw WalletError(.invalidState, "no answer was lost")
        }
        return try await send(sent)
    }

    private func selection(
        for choice: WalletChoice,
        _ preparation: SessionPreparation
    ) throws(WalletError) -> DisclosureSelection {
        let disjunctions = preparation.request.disjunctions
        guard choice.candidates.count == disjunctions.count else {
            throw WalletError(
                .invalidChoice,
                "\(choice.candidates.count) choices for \(disjunctions.count) disjunctions"
            )
        }
        for (position, (candidate, disjunction)) in zip(choice.candidates, disjunctions).enumerated() {
            guard disjunction.candidates.contains(candidate), candidate.isUsable else {
                throw WalletError(.invalidChoice, "not a candidate that can be shown", path: ["disclose[\(position)]"])
            }
        }
        return try WalletError.converting { () throws(IRMAError) in
            try DisclosureSelection(
                choice.candidates + preparation.repeated,
                answering: preparation.effective,
                schemes: preparation.schemes
            )
        }
    }

    private func makeAnswer(
        _ preparation: SessionPreparation,
        _ choice: WalletChoice,
        _ selection: DisclosureSelection,
        _ pin: @escaping KeysharePINHandler
    ) async throws(WalletError) -> SentAnswer {
        let credentials = try await credentials(for: selection, preparation)
        let prover = SessionProver(
            core: core,
            schemes: preparation.schemes,
            request: preparation.effective,
            version: version,
            selection: selection,
            shown: credentials,
            access: try await access(preparation, selection, pin)
        )
        let answer = try await prover.answer()
        var entry = SessionLogEntry(
            time: core.clock.now(),
            kind: preparation.request.kind,
            host: host,
            requestorName: preparation.request.requestor.description?.name
        )
        for (candidate, disjunction) in zip(choice.candidates, preparation.request.disjunctions) {
            entry.disclosed.append(preparation.request.attributes(of: candidate, in: disjunction))
        }
        if case .signature(let message) = answer.result { entry.signature = message }
        return SentAnswer(answer: answer, preparation: preparation, prover: prover, entry: entry)
    }

    /// The credentials of a selection, with witnesses that the verifier takes.
    private func credentials(
        for selection: DisclosureSelection,
        _ preparation: SessionPreparation
    ) async throws(WalletError) -> [VaultCredential] {
        let all = try await core.vault.credentials(preparation.schemes)
        var credentials: [VaultCredential] = []
        for disclosure in selection.disclosures {
            guard var credential = all.first(where: { $0.hash == disclosure.hash }) else {
                throw WalletError(.credentialNotAvailable, "the credential is gone", path: [disclosure.type.text])
            }
            if disclosure.provesNonRevocation {
                credential = try await reaching(credential, preparation)
            }
            credentials.append(credential)
        }
        return credentials
    }

    /// A credential whose witness is as new as the events that the verifier sent along.
    private func reaching(
        _ credential: VaultCredential,
        _ preparation: SessionPreparation
    ) async throws(WalletError) -> VaultCredential {
        let update = preparation.effective.parameters.revocation?[credential.held.type]?
            .updates[credential.credential.publicKey.counter]
        guard let update, let index = update.events?.lastIndex,
            let witness = credential.credential.witness, witness.accumulator.index < index
        else { return credential }
        return try await WitnessUpdater(core, schemes: preparation.schemes)
            .update(credential, with: update, atLeast: index)
    }

    /// The accounts at the keyshare servers whose schemes are shown or issued.
    private func access(
        _ preparation: SessionPreparation,
        _ selection: DisclosureSelection,
        _ pin: @escaping KeysharePINHandler
    ) async throws(WalletError) -> [SchemeIdentifier: KeyshareAccess] {
        let schemes =
            selection.disclosures.map(\.type.scheme) + preparation.effective.credentials.map(\.credential.scheme)
        var access: [SchemeIdentifier: KeyshareAccess] = [:]
        for scheme in Set(schemes).sorted() where preparation.schemes.schemes[scheme]?.keyshareScheme != nil {
            if let enrollment, enrollment.account.scheme == scheme {
                access[scheme] = KeyshareAccess(account: enrollment.account, pin: enrollment.pin(orAsking: pin))
            } else {
                access[scheme] = KeyshareAccess(account: try await core.account(of: scheme), pin: pin)
            }
        }
        return access
    }

    // MARK: The server's answer

    private func send(_ sent: SentAnswer) async throws(WalletError) -> SessionOutcome {
        guard case .sent = state, let channel else {
            throw WalletError(.cancelled, "the session was cancelled")
        }
        state = .sending
        return try await ending { () async throws(WalletError) in
            let body: [UInt8]
            do throws(WalletError) {
                body = try await channel.post(sent.answer.path, sent.answer.body)
            } catch {
                // The server may have taken the answer: only its own can tell.
                if error.code == .transport || error.code == .cancelled { self.state = .sent(sent) }
                throw error
            }
            return try await self.finish(sent, body)
        }
    }

    private func finish(_ sent: SentAnswer, _ body: [UInt8]) async throws(WalletError) -> SessionOutcome {
        let response = try Self.reading { () throws(IRMAError) in try ServerSessionResponse(decoding: body) }
        guard response.proofStatus == .valid else {
            throw WalletError(
                .rejected,
                "the server does not accept the proofs: \(response.proofStatus)",
                cause: RefusedProofs(status: response.proofStatus)
            )
        }
        let entry: SessionLogEntry
        if case .issuance(let pending) = sent.answer.result {
            entry = try await takeIn(response.signatures ?? [], pending, sent)
        } else {
            entry = try await core.vault.append(sent.entry)
        }
        if var enrollment {
            enrollment.account.isComplete = true
            try await core.vault.put(enrollment.account)
        }
        let next = response.nextSession.map { pointer in
            WalletSession(pointer, core: core, shown: showing(sent))
        }
        state = .finished
        let (http, prover) = (http, sent.prover)
        Task(priority: .background) {
            await http?.close()
            await prover.prepareAgain()
        }
        return SessionOutcome(entry: entry, nextSession: next, returnURL: sent.preparation.request.returnURL)
    }

    /// Checks the issuers' signatures, and keeps the credentials.
    private func takeIn(
        _ signatures: [IssuedSignature],
        _ pending: PendingIssuance,
        _ sent: SentAnswer
    ) async throws(WalletError) -> SessionLogEntry {
        let randomness = core.randomness
        let credentials = try WalletError.converting { () throws(IdemixError) in
            try pending.finish(with: signatures, usingAny: randomness)
        }
        return try await core.vault.add(
            credentials,
            schemes: sent.preparation.schemes,
            at: core.clock.now(),
            entry: sent.entry
        )
    }

    /// What the chain has shown so far: the answers of this session and those that it repeated.
    private func showing(_ sent: SentAnswer) -> [ShownDisjunction] {
        let preparation = sent.preparation
        var shown: [ShownDisjunction] = []
        for places in sent.prover.selection.indices {
            var attributes: [AttributeRequest] = []
            var credentials: [CandidateCredential] = []
            for place in places {
                guard sent.prover.shown.indices.contains(place.credential) else { continue }
                let credential = sent.prover.shown[place.credential]
                let name = preparation.schemes.credentialType(credential.held.type)?.attribute(at: place.attribute)?
                    .name
                let id = name.map { AttributeIdentifier(credential.held.type, attribute: $0) }
                attributes.append(
                    AttributeRequest(
                        id ?? AttributeIdentifier(credential.held.type.text),
                        value: credential.held.values[place.attribute] ?? nil
                    )
                )
                if !credentials.contains(where: { $0.hash == credential.hash }) {
                    credentials.append(CandidateCredential(type: credential.held.type, hash: credential.hash))
                }
            }
            shown.append(ShownDisjunction(attributes: AttributeConjunction(attributes), credentials: credentials))
        }
        return shown
    }

    // MARK: The end

    /// Ends the session on the user's behalf, and tells the server.
    ///
    /// - Returns: `false` where it is too late: the answer was sent, or the session has ended.
    @discardableResult
    public func cancel() async -> Bool {
        switch state {
        case .created, .starting, .pairing, .ready, .answering, .sent: break
        case .sending, .finished, .failed, .cancelled: return false
        }
        state = .cancelled
        await channel?.delete()
        await http?.close()
        return true
    }

    /// Runs a part of the session whose failure ends it.
    private func ending<Value: Sendable>(
        _ body: () async throws(WalletError) -> Value
    ) async throws(WalletError) -> Value {
        do throws(WalletError) {
            return try await body()
        } catch {
            if case .cancelled = state { throw WalletError(.cancelled, "the session was cancelled", cause: error) }
            // An answer that was lost can be asked for again.
            if case .sent = state { throw error }
            state = .failed
            let (channel, http) = (channel, http)
            // The task may be cancelled; the server is told all the same.
            await Task {
                await channel?.delete()
                await http?.close()
            }.value
            throw error
        }
    }

    private func requireRunning() throws(WalletError) {
        if case .cancelled = state { throw WalletError(.cancelled, "the session was cancelled") }
    }

    private static func url(_ text: String) throws(WalletError) -> HTTPURL {
        try WalletError.converting { () throws(TransportError) in try HTTPURL(text) }
    }

    /// Reads a message of the server.
    private static func reading<Message>(_ read: () throws(IRMAError) -> Message) throws(WalletError) -> Message {
        do throws(IRMAError) {
            return try read()
        } catch {
            throw WalletError(.serialization, error.message, path: error.path, cause: error)
        }
    }
}

extension PendingIssuance {
    /// Makes the credentials, with a source of randomness whose type is not known.
    fileprivate func finish(
        with signatures: [IssuedSignature],
        usingAny randomness: any RandomSource
    ) throws(IdemixError) -> [Credential] {
        func finish(_ randomness: some RandomSource) throws(IdemixError) -> [Credential] {
            try self.finish(with: signatures, using: randomness)
        }
        return try finish(randomness)
    }
}

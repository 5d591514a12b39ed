import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JSONKit
import Synchronization
import Testing

@testable import IRMAClient

/// An IRMA server in memory, as far as tests of a wallet need one: it verifies and issues, and does what a test says besides.
final class PlayServer: Sendable {
    /// A session of the server.
    struct Session: Sendable {
        var request: SessionRequest
        /// The request with what a chain has shown before.
        var effective: SessionRequest
        var version = ProtocolVersion.v2_8
        var pairingCode: String?
        var status = SessionStatus.initialized
        var authorization: String?
        var next: SessionPointer?
        var proofStatus: ProofStatus?
        var disclosed: [[DisclosedAttribute]?] = []
        /// The last answer, which is replayed to the same client.
        var replay: (path: String, body: [UInt8], answer: InMemoryHTTPAnswer)?
        var deletions = 0
        var posts = 0
    }

    /// The faults that a test asks for.
    struct Faults: Sendable {
        /// The number of answers to proofs and commitments that are lost on the way.
        var lostAnswers = 0
        /// The status of a proxy's answers in the place of lost ones, or nil for none.
        var lostStatus: Int?
        /// The answer to proofs and commitments that the server does not look at, or nil.
        var overload: InMemoryHTTPAnswer?
        /// The number of requests that do not arrive.
        var lostRequests = 0
        /// Changes the signatures before they are sent.
        var signatures: (@Sendable ([IssuedCLSignature]) -> [IssuedCLSignature])?
        /// Makes the SD-JWT copies for keys.
        var copies: (@Sendable ([JSONValue]) -> [String])?
        /// Changes the first message before it is sent.
        var firstMessage: (@Sendable (JSONValue) -> JSONValue)?
        /// The status that proofs are answered with, whatever they are.
        var proofStatus: ProofStatus?
        /// The statuses that `status` gives, before the true one.
        var statuses: [SessionStatus] = []
        /// Indicates a server with events.
        var hasEvents = false
        /// The time by which the server signs, relative to the wallet's.
        var clockOffset = 0.0
    }

    let stage: Stage
    private let sessions = Mutex<[String: Session]>([:])
    private let faultState = Mutex(Faults())
    private let time = Mutex(Stage.now)
    private let authority: Mutex<RevocationAuthority>
    let extra: @Sendable (HTTPTransportRequest) async throws(TransportError) -> InMemoryHTTPAnswer?
    let transport: InMemoryHTTPTransport

    init(
        _ stage: Stage,
        extra: @escaping @Sendable (HTTPTransportRequest) async throws(TransportError) -> InMemoryHTTPAnswer? = { _ in
            nil
        }
    ) throws {
        self.stage = stage
        self.extra = extra
        let unsigned = try RevocationAuthority.prepare(keys: stage.keys, at: Stage.now)
        let signature = try stage.keys.privateKey.revocationSigner().signature(for: unsigned.bytesToSign)
        authority = Mutex(try unsigned.completed(with: signature))
        let handler = Handler()
        let open = AddressGuard(allowing: [.loopback], literalAddresses: true, plainHTTP: true, ports: .any)
        transport = InMemoryHTTPTransport(addressGuard: open) { request throws(TransportError) in
            guard let server = handler.server else { return InMemoryHTTPAnswer(status: 503) }
            return try await server.answer(request)
        }
        handler.set(self)
    }

    private final class Handler: Sendable {
        private let state = Mutex<PlayServer?>(nil)
        var server: PlayServer? { state.withLock { $0 } }
        func set(_ server: PlayServer) { state.withLock { $0 = server } }
    }

    // MARK: What tests set and see

    var now: Date {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    func fault(_ change: @Sendable (inout Faults) -> Void) { faultState.withLock { change(&$0) } }

    /// Starts a session.
    func start(
        _ request: SessionRequest,
        version: ProtocolVersion = .v2_8,
        pairingCode: String? = nil,
        following shown: Condiscon = [],
        next: SessionPointer? = nil
    ) -> SessionPointer {
        var request = request
        request.parameters.context = 1
        request.parameters.nonce = BigInteger.random(bits: 128)
        request.parameters.protocolVersion = version
        var effective = request
        effective.disclose.disjunctions += shown.disjunctions
        let token = RandomText.lettersAndDigits(20, using: SystemRandomSource())
        var session = Session(request: request, effective: effective)
        session.version = version
        session.pairingCode = pairingCode
        session.next = next
        sessions.withLock { $0[token] = session }
        return SessionPointer(url: "https://irma.example/irma/session/\(token)", kind: request.kind)
    }

    func session(_ pointer: SessionPointer) -> Session? {
        let token = pointer.url.split(separator: "/").last.map(String.init) ?? ""
        return sessions.withLock { $0[token] }
    }

    func change(_ pointer: SessionPointer, _ body: @Sendable (inout Session) -> Void) {
        let token = pointer.url.split(separator: "/").last.map(String.init) ?? ""
        sessions.withLock { sessions in
            guard var session = sessions[token] else { return }
            body(&session)
            sessions[token] = session
        }
    }

    /// The revocation authority's newest publication, with so many events.
    func update(events count: Int? = nil) throws -> RevocationUpdate {
        let current = authority.withLock { $0 }
        let events = count.map { current.events.suffix($0) } ?? current.events[...]
        return RevocationUpdate(
            signedAccumulator: current.signedAccumulator,
            events: events.isEmpty ? nil : try RevocationEventList(events)
        )
    }

    func makeWitness() throws -> RevocationWitness { try authority.withLock { $0 }.makeWitness() }

    /// Signs the accumulator anew.
    func refresh() async throws {
        let current = authority.withLock { $0 }
        let next = try await current.refreshed(at: now, signer: stage.keys.privateKey.revocationSigner())
        authority.withLock { $0 = next }
    }

    /// Revokes a prime.
    func revoke(_ prime: BigInteger) async throws {
        let current = authority.withLock { $0 }
        let next = try await current.revoking(prime, at: now, signer: stage.keys.privateKey.revocationSigner())
        authority.withLock { $0 = next }
    }

    // MARK: HTTP

    private func answer(_ request: HTTPTransportRequest) async throws(TransportError) -> InMemoryHTTPAnswer {
        if let answer = try await extra(request) { return answer }
        guard request.url.host.description == "irma.example" || request.url.host.description == "localhost" else {
            return InMemoryHTTPAnswer(status: 404)
        }
        let isLost = faultState.withLock { faults in
            guard faults.lostRequests > 0 else { return false }
            faults.lostRequests -= 1
            return true
        }
        if isLost { throw TransportError(.connectionFailed, "the request does not arrive") }
        let parts = request.url.path.split(separator: "/").map(String.init)
        guard let position = parts.firstIndex(of: "session"), parts.count > position + 1 else {
            return InMemoryHTTPAnswer(status: 404)
        }
        let path = parts.dropFirst(position + 2).joined(separator: "/")
        let token = parts[position + 1]
        guard let session = sessions.withLock({ $0[token] }) else { return Self.error(.sessionUnknown) }
        do {
            return try await answer(request, path, token, session)
        } catch let error as RemoteError {
            sessions.withLock { $0[token]?.status = .cancelled }
            return Self.error(error)
        } catch let error as TransportError {
            throw error
        } catch {
            return Self.error(RemoteError(.exception, message: "\(error)"))
        }
    }

    private func answer(
        _ request: HTTPTransportRequest,
        _ path: String,
        _ token: String,
        _ session: Session
    ) async throws -> InMemoryHTTPAnswer {
        let authorization = request.headerFields[.authorization]
        switch (request.method, path) {
        case (.delete, ""):
            sessions.withLock {
                $0[token]?.deletions += 1
                if $0[token]?.status.isFinal == false { $0[token]?.status = .cancelled }
            }
            return InMemoryHTTPAnswer(status: 200)
        case (.get, ""):
            guard session.status == .initialized else { return Self.error(.unexpectedRequest) }
            sessions.withLock {
                $0[token]?.authorization = authorization
                $0[token]?.status = session.pairingCode == nil ? .connected : .pairing
            }
            var json = try firstMessage(session)
            if let change = faultState.withLock({ $0.firstMessage }) { json = change(json) }
            return Self.json(json)
        case (.get, "status"):
            let scripted = faultState.withLock { $0.statuses.isEmpty ? nil : $0.statuses.removeFirst() }
            if let scripted, scripted == .connected { sessions.withLock { $0[token]?.status = .connected } }
            return Self.json((scripted ?? session.status).json())
        case (.get, "statusevents"):
            guard faultState.withLock({ $0.hasEvents }) else { return Self.error(.eventsDisabled) }
            sessions.withLock { $0[token]?.status = .connected }
            return .streaming(type: .eventStream) { write throws(TransportError) in
                try await write(Array("event: open\ndata: \n\ndata: \"PAIRING\"\n\ndata: \"CONNECTED\"\n\n".utf8))
            }
        case (.get, "request"):
            guard session.status == .connected else { return Self.error(.pairingRequired) }
            return Self.json(try session.request.json())
        case (.post, "proofs"), (.post, "commitments"):
            guard session.version < .v2_8 || authorization == session.authorization else {
                return Self.error(RemoteError(.unauthorized))
            }
            if let overload = faultState.withLock({ $0.overload }) { return overload }
            sessions.withLock { $0[token]?.posts += 1 }
            let answer: InMemoryHTTPAnswer
            if let replay = session.replay, replay.path == path, replay.body == request.body {
                answer = replay.answer
            } else {
                guard session.status == .connected else { return Self.error(.unexpectedRequest) }
                answer = try handle(request.body, path, token, session)
                sessions.withLock { $0[token]?.replay = (path, request.body, answer) }
            }
            let isLost = faultState.withLock { faults in
                guard faults.lostAnswers > 0 else { return false }
                faults.lostAnswers -= 1
                return true
            }
            if isLost {
                guard let status = faultState.withLock({ $0.lostStatus }) else {
                    throw TransportError(.exchangeFailed, "the answer is lost")
                }
                return InMemoryHTTPAnswer(status: status, body: Array("<html>".utf8))
            }
            return answer
        default: return Self.error(.invalidRequest)
        }
    }

    private func firstMessage(_ session: Session) throws -> JSONValue {
        guard session.version < .v2_8 else {
            let method: PairingMethod = session.pairingCode == nil ? .none : .pin
            return try ClientSessionRequest(
                protocolVersion: session.version,
                options: SessionOptions(pairingMethod: method, pairingCode: session.pairingCode),
                request: session.pairingCode == nil ? session.request : nil
            ).json()
        }
        guard session.version < .v2_5 else { return try session.request.json() }
        return try LegacyRequestConverter.legacy(from: session.request).json()
    }

    private func handle(
        _ body: [UInt8],
        _ path: String,
        _ token: String,
        _ session: Session
    ) throws -> InMemoryHTTPAnswer {
        var response = ServerSessionResponse(proofStatus: .valid, nextSession: session.next)
        if path == "commitments" {
            let commitments = try IssuanceCommitments(decoding: body)
            response.signatures = try issue(commitments, session)
            response.sdJWTs = faultState.withLock { $0.copies }?(commitments.keyBindingKeys ?? [])
        } else {
            let outcome = try verify(body, session)
            response.proofStatus = outcome.proofStatus
            sessions.withLock { $0[token]?.disclosed = outcome.disclosed }
        }
        if let status = faultState.withLock({ $0.proofStatus }) { response.proofStatus = status }
        let (status, change) = (response.proofStatus, faultState.withLock { $0.signatures })
        if let signatures = response.signatures, let change { response.signatures = change(signatures) }
        sessions.withLock {
            $0[token]?.status = .done
            $0[token]?.proofStatus = status
        }
        return Self.json(try response.json(for: session.version))
    }

    private func verify(_ body: [UInt8], _ session: Session) throws -> DisclosureOutcome {
        guard session.request.kind == .signing else {
            return DisclosureVerifier(schemes: stage.schemes)
                .verify(try DisclosureResponse(decoding: body), answering: session.effective, at: now)
        }
        var keys = TimestampKeys()
        keys.add(
            try TimestampKey(rawRepresentation: try #require(stage.timestampKey.publicKey.rawRepresentation)),
            of: Stage.timestampServer
        )
        return SignatureVerifier(schemes: stage.schemes, timestampKeys: keys)
            .verify(try SignedMessage(decoding: body), answering: session.effective, at: now)
    }

    /// Verifies commitments and signs credentials.
    private func issue(_ message: IssuanceCommitments, _ session: Session) throws -> [IssuedCLSignature] {
        let signingTime = now + faultState.withLock { $0.clockOffset }
        var proofs = message.combinedProofs
        let count = session.request.credentials.count
        let first = proofs.proofs.count - count
        for (scheme, token) in message.keyshareTokens {
            let answer = try PlayKeyshareServer.response(in: token, key: stage.keyshareKey.publicKey)
            var positions: [Int: IdemixIssuerPublicKey] = [:]
            for (position, proof) in proofs.proofs.enumerated() {
                let type: CredentialTypeIdentifier
                switch proof {
                case .disclosure(let disclosure):
                    let hash = try disclosure.metadata().credentialTypeHash
                    type = CredentialTypeIdentifier(stage.schemes.credentialType(hash: hash)?.identifier ?? "")
                case .issuance: type = session.request.credentials[position - first].credential
                }
                if type.scheme == scheme { positions[position] = stage.keys.publicKey }
            }
            proofs = try proofs.merging(answer, at: positions, multiplyingShare: session.version < .v2_9)
        }
        let acceptsExpired = !session.request.skipExpiryCheck.isEmpty
        var expectations = try proofs.disclosureExpectations(from: stage.schemes).map { expectation in
            var expectation = expectation
            expectation.acceptsExpired = acceptsExpired
            return IdemixProofExpectation.disclosure(expectation)
        }
        var orders: [IdemixIssuanceOrder] = []
        for credential in session.request.credentials {
            let type = try #require(stage.schemes.credentialType(credential.credential))
            let metadata = try MetadataAttribute(
                credentialType: type.id.text,
                keyCounter: credential.keyCounter ?? 0,
                signedAt: signingTime,
                expiresAt: Date(timeIntervalSince1970: Double(credential.validity ?? 0))
            )
            var witness: RevocationWitness?
            var integers = [metadata.integer]
            for attribute in type.attributes {
                if attribute.isRevocation {
                    witness = credential.isRevocationSupported ? try makeWitness() : nil
                    integers.append(witness?.e ?? .zero)
                } else if attribute.isRandomBlind {
                    integers.append(.zero)
                } else {
                    let value = credential.attributes[ExactText(attribute.name)]
                    integers.append(AttributeEncoding.version3.integer(for: value))
                }
            }
            let order = IdemixIssuanceOrder(
                issuer: IdemixIssuer(keys: stage.keys),
                attributes: integers,
                blindIndices: type.blindIndices,
                keyshareServer: stage.schemes.schemes[type.id.scheme]?.keyshareScheme?.text,
                witness: witness?.message
            )
            orders.append(order)
            expectations.append(order.expectation)
        }
        let verification = proofs.verify(
            expecting: expectations,
            challenge: session.request.parameters.challenge(),
            at: now
        )
        guard case .verified(let list) = verification.verdict else {
            throw RemoteError(.invalidProofs, message: "\(verification.checks)")
        }
        return try list.sign(orders, nonce: message.nonce)
    }

    // MARK: Answers

    static func json(_ value: JSONValue) -> InMemoryHTTPAnswer { .ok(value.encoded(), type: .json) }

    static func error(_ name: RemoteError.Name) -> InMemoryHTTPAnswer { error(RemoteError(name)) }

    static func error(_ error: RemoteError) -> InMemoryHTTPAnswer {
        InMemoryHTTPAnswer(
            status: error.status ?? 500,
            headerFields: [.contentType: "application/json"],
            body: error.json().encoded()
        )
    }
}

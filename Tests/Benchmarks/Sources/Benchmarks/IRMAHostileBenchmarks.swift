import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import Harness
import IRMAMessages
import IRMAServer
import IdemixCore
import JSONKit

/// Calls to every endpoint of an IRMA server that cost a stranger little, beside JSONKit reading their bytes.
///
/// Proofs that only their computation can refuse are not among them: it is measured as bare proof verification. With the variable
/// `IRMA_ATTACKS` only those whose names contain its value are measured, and each is printed.
enum IRMAHostileBenchmarks {
    /// An answer that refuses nothing.
    private struct NotRefused: Error {
        let name: String
        let status: Int
    }

    static func run(_ keys: IdemixIssuerKeyPair, report: (Figure) -> Void) async throws {
        let requestors = [
            Requestor("token", authentication: .token(SecretBytes(Array("correct horse battery staple".utf8)))),
            Requestor("hmac", authentication: .hmac(.random(count: 32))),
            Requestor("curve", authentication: .publicKey(try PrivateKey.generate(.p256).publicKey)),
        ]
        let open = try IRMAScene(keys: keys)
        let guarded = try IRMAScene(keys: keys, requestors: RequestorRegistry(requestors, permissions: .all))
        let wanted = ProcessInfo.processInfo.environment["IRMA_ATTACKS"]
        let attacks = try await IRMAAttack.all().filter { wanted == nil || $0.name.contains(wanted ?? "") }
        var worst = (name: "", ratio: 0.0)
        for attack in attacks {
            let ratio = try await measure(attack, attack.meetsKnownRequestors ? guarded : open)
            if wanted != nil { print("    \(attack.name): \(ratio)") }
            if ratio > worst.ratio { worst = (attack.name, ratio) }
        }
        let calls = "\(attacks.count) hostile calls (\(worst.name)), small ones less the call without a body"
        report(
            Figure(
                layer: IRMABenchmarks.layer,
                name: "the dearest of \(calls), / JSONKit on its bytes",
                value: worst.ratio,
                bar: .atMost(3)
            )
        )
    }

    /// The largest body whose call is measured less the same call without a body.
    ///
    /// Every call costs the search for its session and the making of an answer, which would outweigh a small body.
    private static let smallBody = 256 << 10

    /// The CPU time of a call as a multiple of that of JSONKit: the median of calls in turn.
    private static func measure(_ attack: IRMAAttack, _ scene: IRMAScene) async throws -> Double {
        var ratios: [Double] = []
        var json: [UInt8] = []
        for round in 0..<IRMABenchmarks.rounds(8) {
            let session = try await IRMAHostileSession(attack.state, scene)
            let body = attack.body(session)
            if round == 0 { json = HostileText.reference(for: body, count: body.count) }
            let path = attack.path.replacing("WALLET", with: session.wallet)
                .replacing("REQUESTOR", with: session.requestor)
            var fields: HTTPFields = [.contentType: attack.type]
            fields[.authorization] = attack.authorization == "FRONTEND" ? session.frontend : attack.authorization
            let request = InMemoryRequest(attack.method, path, headerFields: fields, body: body)
            // It leaves the session as it is.
            let empty = InMemoryRequest(
                attack.method,
                path,
                headerFields: fields,
                body: attack.method == .post ? [0] : []
            )
            let before = CPUClock.process.now
            if body.count <= smallBody { _ = try await scene.http.response(to: empty) }
            let start = CPUClock.process.now
            let response = try await scene.http.response(to: request)
            let middle = CPUClock.process.now
            blackHole(try HostileText.read(json))
            let end = CPUClock.process.now
            guard attack.isRepetition || isRefusal(response) else {
                throw NotRefused(name: attack.name, status: response.status.code)
            }
            let others = body.count <= smallBody ? start - before : 0
            if round > 0 { ratios.append((middle - start - others) / (end - middle)) }
        }
        return ratios.sorted()[ratios.count / 2]
    }

    private static func isRefusal(_ response: InMemoryResponse) -> Bool {
        guard response.status.code < 400 else { return true }
        let answer = try? ServerSessionResponse(decoding: response.body)
        return answer.map { $0.proofStatus != .valid } ?? false
    }
}

/// A session as an attack finds it.
struct IRMAHostileSession: Sendable {
    /// The state that the session is in.
    enum State: Sendable {
        /// Tokens that belong to no session.
        case unknown
        case waiting
        case pairing
        case connected(SessionRequest)
        case done
        case cancelled
    }

    /// The wallet's token.
    let wallet: String
    /// The requestor's token.
    let requestor: String
    /// The frontend's authorization.
    let frontend: String
    /// The proofs of a session that is done, with as much beside them as is taken.
    private(set) var proofs: [UInt8] = []

    init(_ state: State, _ scene: IRMAScene) async throws {
        if case .unknown = state {
            let token = String(repeating: "a", count: 20)
            (wallet, requestor, frontend) = (token, token, token)
            return
        }
        var request = IRMAScene.disclosure
        if case .connected(let other) = state { request = other }
        let package = try await scene.server.start(request)
        wallet = package.pointer.url.split(separator: "/").last.map(String.init) ?? ""
        requestor = package.token
        frontend = package.frontend?.authorization ?? ""
        if case .waiting = state { return }
        if case .pairing = state { try await scene.server.setPairing(.pin, of: requestor) }
        let first = try await IRMAScene.connect("/irma/session/\(wallet)", of: scene.http)
        if case .cancelled = state { try await scene.server.cancel(requestor) }
        guard case .done = state, let sent = try SessionRequest.firstMessage(decoding: first).request else { return }
        let filler = "{\"filler\":\"" + HostileText.repeated("x", upTo: 32_000) + "\","
        proofs = try Array(filler.utf8) + scene.proofs(for: sent).body.dropFirst()
        _ = try await IRMAScene.post(proofs, to: "/irma/session/\(wallet)/proofs", of: scene.http)
    }
}

import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IRMAServer
import IdemixCore
import JSONKit
import TestSupport

extension FuzzTarget {
    /// The engines of the IRMA protocol, driven by scripts.
    package static let irmaEngines = [irmaServer, irmaClient, keyshareServer]

    /// An IRMA server: requests with changed heads and bodies to a session in every state.
    private static let irmaServer = FuzzTarget(name: "irma-server-engine") { input in
        try InlineTask.run {
            var run = try IRMAServerRun(input)
            while run.hasNext { try await run.next() }
        }
    }
}

/// A session that a script drives, and what must hold for it.
private struct IRMAServerRun: Sendable {
    private var script: FuzzScript
    private var steps = 0
    private let scene = IRMAFuzzScene.shared
    private let time: FuzzTime
    private let server: SessionServer
    private let engine: FuzzedEngine
    private var package: SessionPackage?
    /// The path of the session's wallet; that of an unknown session before there is one.
    private var path = "/irma/session/aaaaaaaaaaaaaaaaaaaa"
    /// The request as the wallet got it.
    private var request: SessionRequest?
    private var status: SessionStatus?

    init(_ input: [UInt8]) throws {
        let time = FuzzTime()
        script = FuzzScript(input)
        self.time = time
        server = try scene.server { time.now }
        engine = FuzzedEngine(engine: try server.engine()) { path, status, body in
            guard path.contains("/revocation/") else { return (try? RemoteError(decoding: body))?.name }
            let name = RemoteError(revocationBody: body, status: status).name
            return name?.text.isEmpty == false ? name : nil
        }
    }

    var hasNext: Bool { !script.isAtEnd && steps < 12 }

    mutating func next() async throws {
        steps += 1
        switch script.byte() % 12 {
        case 0, 1: try await start()
        case 2: try await connect()
        case 3: try await sendProofs()
        case 4: try await sendCommitments()
        case 5: try await setOptions()
        case 6: _ = await engine.response(.post, path + "/frontend/pairingcompleted", frontendFields())
        case 7: await end()
        case 8: await ask()
        case 9: time.advance(by: script.choice(of: [1, 11, 301, 901]))
        case 10: try await callAuthority()
        default: await sendAnything()
        }
        try await checkStatus()
    }

    // MARK: Requestor and frontend

    private mutating func start() async throws {
        let genuine = try script.choice(of: IRMAFuzzScene.requests).json().perhapsEdited(by: &script)
        let body = script.byte() == 255 ? JSONValue.object(["request": genuine, "timeout": 5]) : genuine
        let answer = await engine.response(.post, "/session", [.contentType: "application/json"], body.encoded())
        guard answer.status == 200 else { return }
        let package = try SessionPackage(decoding: answer.body)
        self.package = package
        path = "/irma/session/" + (package.pointer.url.split(separator: "/").last.map(String.init) ?? "")
        (request, status) = (nil, nil)
    }

    private mutating func frontendFields() -> HTTPFields {
        var fields: HTTPFields = [:]
        fields.set("Authorization", authorization(package?.frontend?.authorization ?? ""))
        return fields
    }

    private mutating func setOptions() async throws {
        let body = try FrontendOptionsRequest(pairingMethod: .pin).json().perhapsEdited(by: &script)
        _ = await engine.response(.post, path + "/frontend/options", frontendFields(), body.encoded())
    }

    private mutating func end() async {
        let isRequestor = script.byte() % 2 == 0
        _ = await engine.response(.delete, isRequestor ? "/session/" + (package?.token ?? "a") : path)
    }

    private mutating func ask() async {
        let token = "/session/" + (package?.token ?? "a")
        let paths = [
            path + "/status", path + "/request", path + "/frontend/status", path + "/statusevents", token + "/status",
            token + "/result", token + "/result-jwt", token + "/getproof", "/publickey", "/health",
        ]
        let target = script.choice(of: paths)
        _ = await engine.response(.get, target, target.contains("frontend") ? frontendFields() : walletFields())
    }

    // MARK: Wallet

    /// A secret as it is, or changed.
    private mutating func authorization(_ secret: String) -> String {
        script.byte() == 255 ? secret.changed(by: &script) : secret
    }

    private mutating func walletFields() -> HTTPFields {
        var fields: HTTPFields = [:]
        fields.set("Authorization", authorization("wallet"))
        return fields
    }

    private mutating func connect() async throws {
        var fields = walletFields()
        fields.set("X-IRMA-MinProtocolVersion", authorization(script.choice(of: ["2.4", "2.8", "2.9"])))
        fields.set("X-IRMA-MaxProtocolVersion", authorization(script.choice(of: ["2.9", "2.8", "2.4", "2.6"])))
        let answer = await engine.response(.get, path, fields)
        guard answer.status == 200, let message = try? SessionRequest.firstMessage(decoding: answer.body) else {
            return
        }
        request = message.request
    }

    private mutating func sendProofs() async throws {
        let sent = request ?? IRMAFuzzScene.disclosure
        let genuine = try scene.proofs(for: sent)
        let indices = [[AttributePosition(credential: 0, attribute: 2)]]
        let message: JSONValue
        if let text = sent.message {
            message = try SignedMessage(
                signature: genuine,
                indices: indices,
                nonce: sent.parameters.nonce,
                context: sent.parameters.context,
                message: text,
                timestamp: nil
            ).json()
        } else {
            message = try DisclosureResponse(proofs: genuine, indices: indices).json()
        }
        let body = message.perhapsEdited(by: &script).encoded()
        let answer = await engine.response(.post, path + "/proofs", walletFields(), body)
        guard answer.status == 200, Self.isValid(answer.body) else { return }
        let list = (try? DisclosureResponse(decoding: body))?.proofs
        let signature = (try? SignedMessage(decoding: body))?.signature
        let read = sent.message == nil ? list : signature
        FuzzTarget.require(read == genuine || read?.proofs.isEmpty == true, "changed proofs are valid")
    }

    private static func isValid(_ body: [UInt8]) -> Bool {
        guard let json = try? JSONValue(parsing: body) else { return false }
        return json == "VALID" || json["proofStatus"] == "VALID"
    }

    private mutating func sendCommitments() async throws {
        let genuine = try scene.commitments(for: request ?? IRMAFuzzScene.issuance)
        let message = try IssuanceCommitments(combinedProofs: genuine, nonce: 4711).json()
        let body = message.perhapsEdited(by: &script).encoded()
        let answer = await engine.response(.post, path + "/commitments", walletFields(), body)
        guard answer.status == 200 else { return }
        let list = (try? IssuanceCommitments(decoding: body))?.combinedProofs
        FuzzTarget.require(list == genuine, "a credential is issued for changed commitments")
    }

    // MARK: Others

    private mutating func callAuthority() async throws {
        let base = "/irma/revocation/demo.bank.pass/"
        switch script.byte() % 4 {
        case 0:
            let suffix = authorization(script.choice(of: ["update/16", "update/16/1", "events/1/0/16"]))
            _ = await engine.response(.get, base + suffix)
        case 1:
            let message = try RevocationRequest(IRMAFuzzScene.pass, revocationKey: "a").json().perhapsEdited(
                by: &script
            )
            let fields: HTTPFields = [.contentType: "application/json"]
            _ = await engine.response(.post, "/revocation", fields, message.encoded())
        default:
            let genuine = try Self.record.get()
            let record = script.byte() < 160 ? genuine : genuine.changed(by: &script)
            _ = await engine.response(.post, base + "issuancerecord/1", [:], record)
        }
    }

    /// The record of a pass, signed by its issuer.
    private static let record = Result {
        try InlineTask.run {
            let record = IssuanceRecord(
                revocationKey: "a",
                credentialType: IRMAFuzzScene.pass,
                issued: 1_800_000_000_000_000_000,
                keyCounter: 1,
                attribute: IdemixListFuzzScene.shared.witness.e,
                validUntil: 1_900_000_000_000_000_000
            )
            return try await record.signed(with: IRMAFuzzScene.shared.keys.privateKey.revocationSigner())
        }
    }

    private mutating func sendAnything() async {
        let method: HTTPRequest.Method = script.choice(of: [.get, .post, .delete, .put, .options, .head])
        let paths = [path, path + "/proofs", path + "/commitments", "/session", "/revocation", "/"]
        let target = authorization(script.choice(of: paths))
        var fields: HTTPFields = [:]
        fields.set("Content-Type", script.choice(of: ["application/json", "text/plain", "a"]))
        fields.set("Authorization", String(decoding: script.bytes(), as: UTF8.self))
        _ = await engine.response(method, target, fields, script.bytes())
    }

    /// The state of a session goes forwards, and not on after its end.
    private mutating func checkStatus() async throws {
        guard let package, let now = try? await server.status(of: package.token) else { return }
        if let status {
            FuzzTarget.require(!status.isFinal || now == status, "a session goes on after its end")
            FuzzTarget.require(Self.rank(now) >= Self.rank(status), "a session goes back from \(status) to \(now)")
        }
        status = now
    }

    private static func rank(_ status: SessionStatus) -> Int {
        switch status {
        case .initialized: 0
        case .pairing: 1
        case .connected: 2
        default: 3
        }
    }
}

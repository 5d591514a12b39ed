import CredentialServing
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import IRMAClient
import IRMAMessages
import IRMAServer
import IdemixCore
import JSONKit
import Synchronization
import TestSupport

extension FuzzTarget {
    /// A wallet that holds a card: changed answers of a server to each of its requests.
    static let irmaClient = FuzzTarget(name: "irma-client-engine") { input in
        try InlineTask.run {
            var script = FuzzScript(input)
            let kind = script.choice(of: IRMAFuzzScene.requests)
            let isPaired = script.byte() % 4 == 0
            let play = try FuzzedAnswers(script)
            defer { play.end() }
            let package = try await play.start(kind, isPaired: isPaired)
            let wallet = try await FuzzedWallet.open(over: play.transport)
            let before = await wallet.credentials()
            do throws(WalletError) {
                try await run(try wallet.session(with: package.pointer), play)
            } catch {
                require(!error.description.isEmpty, "an error says nothing")
            }
            try await checkCredentials(wallet, before)
        }
    }

    /// Answers a session with its first choice.
    private static func run(_ session: WalletSession, _ play: FuzzedAnswers) async throws(WalletError) {
        let request: WalletRequest
        switch try await session.start() {
        case .request(let shown): request = shown
        case .pairing:
            await play.completePairing()
            request = try await session.waitForPairing()
        }
        guard let choice = request.firstChoice else {
            await session.cancel()
            return
        }
        play.expect(request.request)
        do throws(WalletError) {
            _ = try await session.answer(choice) { _ in nil }
        } catch {
            // An answer that was lost can be asked for once more.
            _ = try? await session.resend()
            throw error
        }
    }

    /// A wallet has the credentials that it had, and what the server signed besides.
    private static func checkCredentials(_ wallet: IRMAWallet, _ before: [HeldCredential]) async throws {
        for held in await wallet.credentials() where !before.contains(held) {
            require(held.type == IRMAFuzzScene.card, "a credential of another type")
            let values = held.values.values.compactMap(\.self)
            require(values.allSatisfy(["Bob", "1"].contains), "a credential with a value that was not signed")
        }
    }
}

/// A server whose answers a script changes before they reach the wallet.
private final class FuzzedAnswers: Sendable {
    private struct State {
        var script: FuzzScript
        var expected: SessionRequest?
        var token = ""
        var requests = 0
    }

    let server: SessionServer
    private let engine: any HTTPEngine
    private let state: Mutex<State>
    private let handler = Handler()
    let transport: InMemoryHTTPTransport

    private final class Handler: Sendable {
        let answers = Mutex<FuzzedAnswers?>(nil)
    }

    init(_ script: FuzzScript) throws {
        server = try IRMAFuzzScene.shared.server { FuzzKeys.time }
        engine = try server.engine()
        state = Mutex(State(script: script))
        let handler = handler
        transport = InMemoryHTTPTransport { request throws(TransportError) in
            guard let answers = handler.answers.withLock(\.self) else { return InMemoryHTTPAnswer(status: 503) }
            return try await answers.answer(to: request)
        }
        handler.answers.withLock { $0 = self }
    }

    /// Starts a session.
    func start(_ request: SessionRequest, isPaired: Bool) async throws -> SessionPackage {
        let package = try await server.start(request)
        if isPaired { _ = try await server.setPairing(.pin, of: package.token) }
        state.withLock { $0.token = package.token }
        return package
    }

    /// Lets go of the answers, which the transport's function holds.
    func end() {
        handler.answers.withLock { $0 = nil }
    }

    /// The request that the wallet has shown: no other attributes may leave it.
    func expect(_ request: SessionRequest) {
        state.withLock { $0.expected = request }
    }

    func completePairing() async {
        try? await server.completePairing(of: state.withLock { $0.token })
    }

    private func answer(to request: HTTPTransportRequest) async throws(TransportError) -> InMemoryHTTPAnswer {
        FuzzTarget.require(request.url.scheme == .https, "a request goes out unprotected")
        let count = state.withLock { state in
            state.requests += 1
            return state.requests
        }
        // A wallet that waits for a state asks again and again.
        guard count <= 100 else { throw TransportError(.connectionFailed, "the server is gone") }
        if request.method == .post { checkDisclosure(in: request.body) }
        let head = HTTPRequest(
            method: request.method,
            scheme: "https",
            authority: request.url.host.description,
            path: request.url.path,
            headerFields: request.headerFields
        )
        let body = ServerRequestBody(bytes: request.body)
        let response = await engine.response(to: ServerRequest(head: head, body: body))
        return try changed(response)
    }

    /// An answer with another status or body, where the script says so.
    private func changed(_ response: ServerResponse) throws(TransportError) -> InMemoryHTTPAnswer {
        let bytes = response.body.bytesIfReady ?? []
        let answer = state.withLock { state -> InMemoryHTTPAnswer? in
            var answer = InMemoryHTTPAnswer(
                status: response.status.code,
                headerFields: response.headerFields,
                body: bytes
            )
            switch state.script.byte() {
            case 0..<160: break
            case 160..<170: answer.status = state.script.choice(of: [200, 204, 302, 400, 403, 500, 503])
            case 170..<180: answer.body = answer.body.changed(by: &state.script)
            case 180..<185: return nil
            default:
                guard let json = try? JSONValue(parsing: bytes) else { break }
                answer.body = json.edited(by: &state.script).encoded()
            }
            return answer
        }
        guard let answer else { throw TransportError(.exchangeFailed, "the answer is lost") }
        return answer
    }

    /// A wallet shows the attributes that the user was asked for, and metadata.
    private func checkDisclosure(in body: [UInt8]) {
        let list =
            (try? DisclosureResponse(decoding: body))?.proofs.proofs ?? []
            + ((try? IssuanceCommitments(decoding: body))?.combinedProofs.proofs ?? [])
            + ((try? SignedMessage(decoding: body))?.signature.proofs ?? [])
        let names = state.withLock { $0.expected }?.disclose.attributes.map(\.type.text) ?? []
        for case .disclosure(let proof) in list {
            for index in proof.disclosedAttributes.keys where index != 1 {
                let name = [2: "demo.bank.card.name", 3: "demo.bank.card.level"][index]
                FuzzTarget.require(name.map(names.contains) == true, "an attribute is shown that nobody asked for")
            }
        }
    }
}

/// The state of a wallet that was issued a card.
private enum FuzzedWallet {
    /// The values of the wallet's storage.
    private static let values: [StorageEntry] = {
        do {
            return try InlineTask.run {
                let storage = InMemoryCredentialStorage()
                let play = try FuzzedAnswers(FuzzScript([]))
                let wallet = try await open(storage, over: play.transport)
                let card = CredentialRequest(IRMAFuzzScene.card, attributes: ["name": "Alice", "level": "7"])
                let package = try await play.server.start(SessionRequest(.issuing([card])))
                let session = try wallet.session(with: package.pointer)
                let request = try await session.request()
                guard let choice = request.firstChoice else { throw CocoaError(.coderInvalidValue) }
                _ = try await session.answer(choice)
                play.end()
                var values: [StorageEntry] = []
                for collection in StorageCollection.irma { values += await storage.entries(in: collection) }
                return values
            }
        } catch { fatalError("\(error)") }
    }()

    /// A wallet with the card.
    static func open(over transport: InMemoryHTTPTransport) async throws -> IRMAWallet {
        let storage = InMemoryCredentialStorage()
        try await storage.write(values.map { .insert($0.place, $0.value) })
        return try await open(storage, over: transport)
    }

    private static func open(
        _ storage: InMemoryCredentialStorage,
        over transport: InMemoryHTTPTransport
    ) async throws -> IRMAWallet {
        try await IRMAWallet(
            storage: storage,
            schemes: WalletSchemes(IRMAFuzzScene.shared.schemes),
            transport: transport,
            options: WalletOptions(
                isDeveloperMode: true,
                retries: 0,
                pairingInterval: .zero,
                preparedDisclosures: 0
            ),
            clock: WalletClock(now: { FuzzKeys.time }, timer: ManualClock()),
            using: FuzzKeys.randomness(84)
        )
    }
}

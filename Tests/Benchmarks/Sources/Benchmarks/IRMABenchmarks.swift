import CredentialServing
import Foundation
import HTTPTypes
import Harness
import IRMAMessages
import IRMAServer
import IdemixCore

/// An IRMA server beside the proofs that no server can do without, driven in memory.
///
/// For profiles, the variable `IRMA_PART` picks one part (`sessions` or `attacks`), and `IRMA_ROUNDS` sets the number of its rounds.
enum IRMABenchmarks: LayerBenchmarks {
    static let layer = "IRMAProtocol"

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        let keys = try IdemixScene.keys()
        switch ProcessInfo.processInfo.environment["IRMA_PART"] {
        case "sessions": try await measureSessions(IRMAScene(keys: keys), report)
        case "attacks": try await IRMAHostileBenchmarks.run(keys, report: report)
        default:
            let scene = try IRMAScene(keys: keys)
            try await measureSessions(scene, report)
            try await measureMemory(scene, report)
            try await IRMALoadBenchmarks.run(keys, report: report)
            try await IRMAHostileBenchmarks.run(keys, report: report)
        }
    }

    /// The number of rounds that the environment sets, or else a default.
    static func rounds(_ count: Int) -> Int {
        ProcessInfo.processInfo.environment["IRMA_ROUNDS"].flatMap { Int($0) } ?? count
    }

    private static func measureSessions(_ scene: IRMAScene, _ report: (Figure) -> Void) async throws {
        let disclosure = try await compare(
            scene,
            IRMAScene.disclosure,
            "proofs",
            answer: scene.proofs,
            bare: scene.verify
        )
        report(
            Figure(
                layer: layer,
                name: "disclosure session, 2048 bits, less an empty engine / its bare proof verification",
                value: disclosure.ratio,
                bar: .atMost(1.5)
            )
        )
        report(Figure(layer: layer, name: "disclosure session", value: disclosure.time / 1e6, unit: "ms"))
        let issuance = try await compare(
            scene,
            IRMAScene.issuance,
            "commitments",
            answer: scene.commitments,
            bare: scene.issue
        )
        report(
            Figure(
                layer: layer,
                name: "issuance session, 2048 bits, less an empty engine / the bare issuer's work",
                value: issuance.ratio,
                bar: .atMost(1.3)
            )
        )
        report(Figure(layer: layer, name: "issuance session", value: issuance.time / 1e6, unit: "ms"))
    }

    /// CPU time of a session's requests, less that of the same requests to an engine that does nothing, as a multiple of that of
    /// the bare work: medians of sessions in turn.
    private static func compare(
        _ scene: IRMAScene,
        _ request: SessionRequest,
        _ endpoint: String,
        answer: (SessionRequest) throws -> (body: [UInt8], list: IdemixProofList),
        bare: (IdemixProofList, SessionRequest) throws -> Void
    ) async throws -> (ratio: Double, time: Double) {
        let empty = InMemoryServer(try emptyEngine())
        var (ratios, times): ([Double], [Double]) = ([], [])
        for round in 0..<rounds(41) {
            let start = try await timed {
                try await IRMAScene.post(request.encoded(), to: "/session", of: scene.http)
            }
            let package = try SessionPackage(decoding: start.answer)
            let token = package.pointer.url.split(separator: "/").last.map(String.init) ?? ""
            let path = "/irma/session/\(token)"
            let connection = try await timed { try await IRMAScene.connect(path, of: scene.http) }
            guard let sent = try SessionRequest.firstMessage(decoding: connection.answer).request else { continue }
            let message = try answer(sent)
            let end = try await timed {
                try await IRMAScene.post(message.body, to: "\(path)/\(endpoint)", of: scene.http)
            }
            let bareTime = try timedBare(bare, message.list, sent)
            var emptyTime = try await timed {
                try await IRMAScene.post(request.encoded(), to: "/session", of: empty)
            }.time
            emptyTime += try await timed { try await IRMAScene.connect(path, of: empty) }.time
            emptyTime += try await timed {
                try await IRMAScene.post(message.body, to: "\(path)/\(endpoint)", of: empty)
            }.time
            guard try await scene.server.status(of: package.token) == .done else {
                throw CocoaError(.coderInvalidValue)
            }
            // The first round warms everything up.
            guard round > 0 else { continue }
            let time = start.time + connection.time + end.time
            ratios.append((time - emptyTime) / bareTime)
            times.append(time)
        }
        return (ratios.sorted()[ratios.count / 2], times.sorted()[times.count / 2])
    }

    /// Open sessions, and event streams of wallets that wait.
    private static func measureMemory(_ scene: IRMAScene, _ report: (Figure) -> Void) async throws {
        var before = try residentMemory()
        var last = ""
        for _ in 0..<10_000 {
            last = try await scene.server.start(IRMAScene.disclosure).token
        }
        let sessions = try residentMemory() - before
        report(Figure(layer: layer, name: "10,000 open sessions", value: sessions / 1e6, unit: "MB", bar: .atMost(200)))
        before = try residentMemory()
        var streams: [InMemoryExchange] = []
        for _ in 0..<2000 {
            let stream = scene.http.open(.get("/session/\(last)/statusevents"))
            _ = try await stream.head()
            streams.append(stream)
        }
        let events = try residentMemory() - before
        report(
            Figure(layer: layer, name: "2,000 idle event streams", value: events / 1e6, unit: "MB", bar: .atMost(200))
        )
        for stream in streams { stream.disconnect() }
    }

    // MARK: Requests

    private static func emptyEngine() throws -> MountedEngines {
        let fine: @Sendable (ServerRequest) async throws -> ServerResponse = { request in
            _ = try await request.body.collect(upTo: 1 << 20)
            return .text("fine")
        }
        return try MountedEngines([
            "/irma": try RoutedEngine([
                .get("/session/{token}", handler: fine), .post("/session/{token}/{end}", handler: fine),
            ]),
            "/": try RoutedEngine([.post("/session", handler: fine)]),
        ])
    }

    private static func timed(_ operation: () async throws -> [UInt8]) async rethrows -> (answer: [UInt8], time: Double)
    {
        let start = CPUClock.process.now
        let answer = try await operation()
        return (answer, CPUClock.process.now - start)
    }

    /// The CPU time of the bare work.
    private static func timedBare(
        _ bare: (IdemixProofList, SessionRequest) throws -> Void,
        _ list: IdemixProofList,
        _ request: SessionRequest
    ) rethrows -> Double {
        let start = CPUClock.process.now
        try bare(list, request)
        return CPUClock.process.now - start
    }

    /// The resident memory of this process in bytes.
    private static func residentMemory() throws -> Double {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }
}

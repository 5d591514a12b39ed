import CryptoCore
import Foundation
import HTTPTypes
import Harness
import IRMAMessages
import IdemixCore
import Synchronization
import TestSupport

/// The latency of disclosure sessions at an IRMA server that has 70 % of the work that it can do.
///
/// Sessions arrive at random on a clock of the harness, which each request to the server advances by its CPU time: one core
/// that serves the requests in the order of their arrival. The wallets' work takes no time.
enum IRMALoadBenchmarks {
    private static let load = 0.7
    private static let sessions = 3000

    static func run(_ keys: IdemixIssuerKeyPair, report: (Figure) -> Void) async throws {
        let scene = try IRMAScene(keys: keys, using: KnownNonces())
        var wallets = LoadedWallets(scene)
        // The first sessions warm everything up, and make the proofs that later ones send again.
        for _ in 0..<2 * KnownNonces.count { _ = try await wallets.time(ofSessionAt: 0) }
        var times: [Double] = []
        for _ in 0..<500 { times.append(try await wallets.time(ofSessionAt: 0)) }
        let capacity = Double(times.count) * 1e9 / times.reduce(0, +)
        report(
            Figure(
                layer: IRMABenchmarks.layer,
                name: "disclosure sessions, 2048 bits, on one core",
                value: capacity,
                unit: "/s"
            )
        )
        let latencies = try await wallets.latencies(of: sessions, perSecond: load * capacity).sorted()
        for percentile in [50, 99] {
            report(
                Figure(
                    layer: IRMABenchmarks.layer,
                    name: "p\(percentile) of a disclosure session at 70 % of that load",
                    value: latencies[latencies.count * percentile / 100] / 1e6,
                    unit: "ms"
                )
            )
        }
    }
}

/// Wallets that go through disclosure sessions one request after the other.
private struct LoadedWallets {
    /// A session on its way.
    private struct Session {
        /// The arrival of its first request, in nanoseconds of the harness.
        let arrival: Double
        var step = Step.start
    }

    /// The next request of a session.
    private enum Step {
        case start
        case connect(path: String)
        case answer(path: String, proofs: [UInt8])
    }

    private let scene: IRMAScene
    private let request: [UInt8]
    /// The messages with proofs, by the nonce that they answer.
    private var messages: [BigInteger: [UInt8]] = [:]

    init(_ scene: IRMAScene) {
        self.scene = scene
        request = (try? IRMAScene.disclosure.encoded()) ?? []
    }

    /// The CPU time of a session's requests, in nanoseconds.
    mutating func time(ofSessionAt arrival: Double) async throws -> Double {
        var session: Session? = Session(arrival: arrival)
        var time = 0.0
        while let current = session { time += try await advance(current, &session) }
        return time
    }

    /// The time from the arrival of each session to its last answer, in nanoseconds.
    mutating func latencies(of count: Int, perSecond rate: Double) async throws -> [Double] {
        var random = RepeatableRandomNumberGenerator(seed: 70)
        var arrivals: [Double] = []
        for _ in 0..<count {
            let pause = -log(1 - Double.random(in: 0..<1, using: &random)) * 1e9 / rate
            arrivals.append((arrivals.last ?? 0) + pause)
        }
        var (queue, first, arrived, now) = ([Session](), 0, 0, 0.0)
        var latencies: [Double] = []
        while latencies.count < count {
            if first == queue.count, arrived < count { now = max(now, arrivals[arrived]) }
            while arrived < count, arrivals[arrived] <= now {
                queue.append(Session(arrival: arrivals[arrived]))
                arrived += 1
            }
            let session = queue[first]
            first += 1
            var next: Session?
            now += try await advance(session, &next)
            while arrived < count, arrivals[arrived] <= now {
                queue.append(Session(arrival: arrivals[arrived]))
                arrived += 1
            }
            // The wallet's next request comes after those that have arrived meanwhile.
            if let next { queue.append(next) } else { latencies.append(now - session.arrival) }
        }
        return latencies
    }

    /// Makes a session's next request, and tells its CPU time.
    private mutating func advance(_ session: Session, _ next: inout Session?) async throws -> Double {
        let start = CPUClock.process.now
        switch session.step {
        case .start:
            let answer = try await IRMAScene.post(request, to: "/session", of: scene.http)
            let time = CPUClock.process.now - start
            let package = try SessionPackage(decoding: answer)
            let token = package.pointer.url.split(separator: "/").last.map(String.init) ?? ""
            next = Session(arrival: session.arrival, step: .connect(path: "/irma/session/\(token)"))
            return time
        case .connect(let path):
            let answer = try await IRMAScene.connect(path, of: scene.http)
            let time = CPUClock.process.now - start
            let proofs = try proofs(for: answer)
            next = Session(arrival: session.arrival, step: .answer(path: "\(path)/proofs", proofs: proofs))
            return time
        case .answer(let path, let proofs):
            let answer = try await IRMAScene.post(proofs, to: path, of: scene.http)
            let time = CPUClock.process.now - start
            guard try ServerSessionResponse(decoding: answer).proofStatus == .valid else {
                throw CocoaError(.coderInvalidValue)
            }
            next = nil
            return time
        }
    }

    private mutating func proofs(for answer: [UInt8]) throws -> [UInt8] {
        guard let request = try SessionRequest.firstMessage(decoding: answer).request,
            let nonce = request.parameters.nonce
        else { throw CocoaError(.coderInvalidValue) }
        if let known = messages[nonce] { return known }
        let made = try scene.proofs(for: request).body
        messages[nonce] = made
        return made
    }
}

/// Random bytes, except for the nonces of sessions: a few in turn, so that wallets have their proofs ready.
private final class KnownNonces: RandomSource {
    /// The number of nonces.
    static let count = 64
    private let drawn = Mutex(0)

    func bytes(_ count: Int) -> [UInt8] {
        // A nonce has 128 bits; nothing else that a server draws has as many.
        guard count == 16 else { return SystemRandomSource().bytes(count) }
        let number = drawn.withLock { drawn in
            drawn += 1
            return drawn % Self.count
        }
        return [UInt8](repeating: UInt8(number + 1), count: 16)
    }
}

import Foundation
import Harness
import NIOCore

/// Measures servers in processes of their own, over loopback.
///
/// usage: ServingBenchmarks [--json]
@main
enum ServingBenchmarks {
    private static let layer = "CredentialServing"

    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "serve" where arguments.last == "bare": try await Servers.runBare()
        case "serve": try await Servers.runEngine()
        case "attack": try await Attack.run(port: Int(arguments.last ?? "") ?? 0)
        default:
            let report = Report(asJSON: arguments.contains("--json"))
            try await measureThroughput(report)
            try await measureLatencyUnderAttack(report)
        }
    }

    /// The CPU time of the server's process for a request, in turn: bare, engine, bare, engine.
    private static func measureThroughput(_ report: Report) async throws {
        let bare = try ServerProcess(mode: "bare")
        let engine = try ServerProcess(mode: "engine")
        defer {
            bare.stop()
            engine.stop()
        }
        var (ratios, times) = ([Double](), [Double]())
        for round in 0..<8 {
            let first = try await cost(of: bare)
            let second = try await cost(of: engine)
            // The first round warms both up.
            guard round > 0 else { continue }
            ratios.append(first / second)
            times.append(second)
        }
        let ratio = ratios.sorted()[ratios.count / 2]
        let time = times.sorted()[times.count / 2]
        report.add(
            Figure(layer: layer, name: "empty engine beside a bare Hummingbird route", value: ratio, bar: .atLeast(0.8))
        )
        report.add(Figure(layer: layer, name: "CPU time of an empty request", value: time, unit: "µs"))
    }

    private static func cost(of server: ServerProcess) async throws -> Double {
        let count = 20_000
        let before = try server.cpuTime()
        _ = try await Load.run(port: server.port, connections: 16, requests: count)
        return (try server.cpuTime() - before) * 1e6 / Double(count)
    }

    private static func measureLatencyUnderAttack(_ report: Report) async throws {
        let server = try ServerProcess(mode: "engine")
        defer { server.stop() }
        // Both processors are not busy before the attack, or its clients alone would make the others wait.
        let pause = TimeAmount.milliseconds(2)
        _ = try await Load.run(port: server.port, connections: 4, requests: 5000)
        let calm = try await Load.run(port: server.port, connections: 4, requests: 10_000, pause: pause)
        let attacker = try ChildProcess(["attack", String(server.port)])
        defer { attacker.stop() }
        _ = try attacker.firstLine()
        let attacked = try await Load.run(port: server.port, connections: 4, requests: 10_000, pause: pause)
        report.add(Figure(layer: layer, name: "p99 without attackers", value: p99(calm), unit: "ms"))
        report.add(
            Figure(
                layer: layer,
                name:
                    "p99 under attack beside that without (slow headers and bodies, endless chunks, 10 MB, idle streams, drops)",
                value: p99(attacked) / p99(calm),
                bar: .atMost(5)
            )
        )
        report.add(
            Figure(
                layer: layer,
                name: "server's memory under attack",
                value: try server.memory() / 1e6,
                unit: "MB",
                bar: .atMost(200)
            )
        )
    }

    private static func p99(_ latencies: [Double]) -> Double {
        latencies.sorted()[latencies.count * 99 / 100] * 1000
    }
}

import CredentialServing
import HTTPTypes
import Synchronization

extension HTTPServingLaw {
    static let streams: [HTTPServingLaw] = [
        HTTPServingLaw("a streamed response arrives piece by piece") { world in
            let (first, second) = (ShutdownSignal(), ShutdownSignal())
            let engine = try RoutedEngine([
                .get("/") { _ in
                    ServerResponse(
                        .ok,
                        body: .stream { writer in
                            try await writer.write([1])
                            await first.wait()
                            try await writer.write([2])
                            await second.wait()
                        }
                    )
                }
            ])
            try await world.run(engine) { client in
                let exchange = try await client.open(.get("/"))
                try requireEqual(try await exchange.head().headerFields[.contentLength], nil)
                try requireEqual(try await exchange.next(), [1])
                first.give()
                try requireEqual(try await exchange.next(), [2])
                second.give()
                try requireEqual(try await exchange.next(), nil)
                await exchange.disconnect()
            }
        },
        HTTPServingLaw("a streamed response of a known length has it in its header") { world in
            let engine = try RoutedEngine([
                .get("/") { _ in ServerResponse(.ok, body: .stream(length: 2) { try await $0.write([1, 2]) }) }
            ])
            try await world.run(engine) { client in
                let response = try await client.response(to: .get("/"))
                try requireEqual(response.headerFields[.contentLength], "2")
                try requireEqual(response.body, [1, 2])
            }
        },
        HTTPServingLaw("a response that fails or has another length than announced does not look complete") { world in
            let engine = try RoutedEngine([
                .get("/failing") { _ in
                    ServerResponse(
                        .ok,
                        body: .stream { writer in
                            try await writer.write([1])
                            throw HTTPServingLawViolation(description: "broken")
                        }
                    )
                },
                .get("/short") { _ in ServerResponse(.ok, body: .stream(length: 2) { try await $0.write([1]) }) },
                .get("/long") { _ in ServerResponse(.ok, body: .stream(length: 2) { try await $0.write([1, 2, 3]) }) },
            ])
            try await world.run(engine) { client in
                for path in ["/failing", "/short", "/long"] {
                    try await requireFailure("\(path) looks complete") {
                        _ = try await client.response(to: .get(path))
                    }
                }
            }
        },
        HTTPServingLaw("a producer waits for its client, and ends when the client goes away") { world in
            let outcome = ServingTestOutcome()
            let written = Mutex(0)
            let total = 4096
            let engine = try RoutedEngine([
                .get("/") { _ in
                    ServerResponse(
                        .ok,
                        body: .stream { writer in
                            await outcome.record {
                                for _ in 0..<total {
                                    try await writer.write([UInt8](repeating: 1, count: 64 * 1024))
                                    written.withLock { $0 += 1 }
                                }
                            }
                        }
                    )
                }
            ])
            try await world.run(engine) { client in
                let exchange = try await client.open(.get("/"))
                _ = try await exchange.next()
                await exchange.disconnect()
                try require(await outcome.failure() != nil, "the producer was not stopped")
                try require(written.withLock { $0 } < total, "the producer did not wait")
            }
        },
        HTTPServingLaw("a handler is cancelled when its client goes away") { world in
            let begun = ShutdownSignal()
            let outcome = ServingTestOutcome()
            let engine = try RoutedEngine(
                [
                    .get("/") { _ in
                        begun.give()
                        await outcome.record { try await waitForCancellation() }
                        return .text("")
                    }
                ],
                options: RoutedEngineOptions(deadline: nil)
            )
            try await world.run(engine) { client in
                let exchange = try await client.open(.get("/"))
                await begun.wait()
                await exchange.disconnect()
                try require(await outcome.failure() != nil, "the handler was not cancelled")
            }
        },
        HTTPServingLaw("requests go on while others wait") { world in
            let (begun, done) = (ShutdownSignal(), ShutdownSignal())
            let engine = try RoutedEngine(
                [
                    .get("/slow") { _ in
                        begun.give()
                        await done.wait()
                        return .text("slow")
                    },
                    .get("/fast") { _ in .text("fast") },
                ],
                options: RoutedEngineOptions(deadline: nil)
            )
            try await world.run(engine) { client in
                let slow = try await client.open(.get("/slow"))
                await begun.wait()
                for _ in 0..<3 {
                    try requireEqual(try await client.response(to: .get("/fast")).body, Array("fast".utf8))
                }
                done.give()
                try requireEqual(try await slow.next(), Array("slow".utf8))
                await slow.disconnect()
            }
        },
    ]
}

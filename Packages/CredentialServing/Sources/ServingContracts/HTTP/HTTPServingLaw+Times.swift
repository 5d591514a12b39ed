import CredentialServing
import CredentialTransport
import HTTPTypes
import TestSupport

extension HTTPServingLaw {
    static let times: [HTTPServingLaw] = [
        HTTPServingLaw("a handler that takes too long is cancelled and refused") { world in
            let clock = ManualClock()
            let outcome = ServingTestOutcome()
            let engine = try RoutedEngine(
                [
                    .get("/") { _ in
                        await outcome.record { try await waitForCancellation() }
                        return .text("late")
                    }
                ],
                options: RoutedEngineOptions(deadline: .seconds(4)),
                clock: clock
            )
            try await world.run(engine) { client in
                let exchange = try await client.open(.get("/"))
                await clock.waitForSleepers(1)
                clock.advance(by: .seconds(4))
                try requireEqual(try await exchange.head().status.code, 503)
                try require(await outcome.failure() != nil, "the handler was not cancelled")
                await exchange.disconnect()
            }
        },
        HTTPServingLaw("a body that takes too long is refused") { world in
            let clock = ManualClock()
            let engine = try RoutedEngine(
                [
                    .post("/") { request in .bytes(try await request.body.collect(upTo: 100), type: .form) }
                ],
                options: RoutedEngineOptions(deadline: .seconds(4)),
                clock: clock
            )
            try await world.run(engine) { client in
                let exchange = try await client.open(.post("/", headerFields: [.contentLength: "10"], body: nil))
                try await exchange.send([1])
                await clock.waitForSleepers(1)
                clock.advance(by: .seconds(4))
                try requireEqual(try await exchange.head().status.code, 408)
                await exchange.disconnect()
            }
        },
        HTTPServingLaw("a response that takes too long breaks off, an event stream does not") { world in
            let clock = ManualClock()
            let next = ShutdownSignal()
            let engine = try RoutedEngine(
                [
                    .get("/stream") { _ in
                        ServerResponse(
                            .ok,
                            body: .stream { writer in
                                try await writer.write([1])
                                try await waitForCancellation()
                            }
                        )
                    },
                    .get("/events") { request in
                        .events(for: request, options: EventResponseOptions(heartbeat: nil)) { stream in
                            await next.wait()
                            try await stream.send(OutgoingEvent(data: "x"))
                        }
                    },
                ],
                options: RoutedEngineOptions(deadline: .seconds(4)),
                clock: clock
            )
            try await world.run(engine) { client in
                let events = try await client.open(.get("/events"))
                _ = try await events.head()
                let stream = try await client.open(.get("/stream"))
                try requireEqual(try await stream.next(), [1])
                await clock.waitForSleepers(1)
                clock.advance(by: .seconds(4))
                try await requireFailure("the response looks complete") {
                    while try await stream.next() != nil {}
                }
                next.give()
                try requireEqual(try await events.next(), Array("data: x\n\n".utf8))
                try requireEqual(try await events.next(), nil)
                await events.disconnect()
                await stream.disconnect()
            }
        },
    ]
}

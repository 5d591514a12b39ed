import CredentialServing
import CredentialTransport
import HTTPTypes
import TestSupport

extension HTTPServingLaw {
    static let events: [HTTPServingLaw] = [
        HTTPServingLaw("an event stream has its header, its events and its end") { world in
            let engine = try RoutedEngine([
                .get("/") { request in
                    .events(for: request, options: EventResponseOptions(retry: .milliseconds(1500))) { stream in
                        try await stream.send(
                            OutgoingEvent(data: "after " + (stream.lastEventID ?? "none"), type: "open")
                        )
                        try await stream.send(OutgoingEvent(data: "a\nb", id: "8"))
                    }
                }
            ])
            try await world.run(engine) { client in
                let fields: HTTPFields = [try lastEventID: "7"]
                let response = try await client.response(to: .get("/", headerFields: fields))
                try requireEqual(response.headerFields[.contentType], "text/event-stream")
                try requireEqual(response.headerFields[.cacheControl], "no-store")
                try requireEqual(response.headerFields[try accelBuffering], "no")
                try requireEqual(response.headerFields[.contentLength], nil)
                var parser = ServerSentEventParser()
                let parts = try parser.receive(response.body)
                let expected: [ServerSentPart] = [
                    .retry(.milliseconds(1500)),
                    .event(ServerSentEvent(type: "open", data: "after 7")),
                    .event(ServerSentEvent(data: "a\nb", lastEventID: "8")),
                ]
                try requireEqual(parts, expected)
            }
        },
        HTTPServingLaw("a silent event stream has heartbeats, a busy one has none") { world in
            let clock = ManualClock()
            let next = ShutdownSignal()
            let engine = try RoutedEngine(
                [
                    .get("/") { request in
                        .events(for: request, options: EventResponseOptions(heartbeat: .seconds(15)), clock: clock) {
                            stream in
                            await next.wait()
                            try await stream.send(OutgoingEvent(data: "x"))
                            try await waitForCancellation()
                        }
                    }
                ],
                options: RoutedEngineOptions(deadline: nil)
            )
            try await world.run(engine) { client in
                let exchange = try await client.open(.get("/"))
                _ = try await exchange.head()
                await clock.waitForSleepers(1)
                clock.advance(by: .seconds(15))
                try requireEqual(try await exchange.next(), Array(":\n\n".utf8))
                await clock.waitForSleepers(1)
                next.give()
                try requireEqual(try await exchange.next(), Array("data: x\n\n".utf8))
                // The first beat after an event is left out; the next one is not.
                clock.advance(by: .seconds(15))
                await clock.waitForSleepers(1)
                clock.advance(by: .seconds(15))
                try requireEqual(try await exchange.next(), Array(":\n\n".utf8))
                await clock.waitForSleepers(1)
                await exchange.disconnect()
            }
        },
        HTTPServingLaw("an event stream ends when its client goes away") { world in
            let begun = ShutdownSignal()
            let outcome = ServingTestOutcome()
            let engine = try RoutedEngine([
                .get("/") { request in
                    .events(for: request) { stream in
                        begun.give()
                        await outcome.record { try await waitForCancellation() }
                        try Task.checkCancellation()
                    }
                }
            ])
            try await world.run(engine) { client in
                let exchange = try await client.open(.get("/"))
                _ = try await exchange.head()
                await begun.wait()
                await exchange.disconnect()
                try require(await outcome.failure() != nil, "the stream was not cancelled")
            }
        },
        HTTPServingLaw("event streams end when the server stops, and other requests are finished") { world in
            let (begun, streaming) = (ShutdownSignal(), ShutdownSignal())
            let engine = try RoutedEngine([
                .get("/events") { request in
                    .events(for: request) { stream in
                        try await stream.send(OutgoingEvent(data: "x"))
                        streaming.give()
                        try await waitForCancellation()
                    }
                },
                .get("/slow") { request in
                    begun.give()
                    await request.shutdown.wait()
                    return .text("slow")
                },
            ])
            try await world.run(engine) { client in
                let events = try await client.open(.get("/events"))
                try requireEqual(try await events.next(), Array("data: x\n\n".utf8))
                let slow = try await client.open(.get("/slow"))
                await begun.wait()
                await streaming.wait()
                async let stopped: Void = client.shutDown()
                try requireEqual(try await events.next(), nil)
                try requireEqual(try await slow.next(), Array("slow".utf8))
                try requireEqual(try await slow.next(), nil)
                await events.disconnect()
                await slow.disconnect()
                try await stopped
            }
        },
    ]

    private static var lastEventID: HTTPField.Name {
        get throws { try name("Last-Event-ID") }
    }

    private static var accelBuffering: HTTPField.Name {
        get throws { try name("X-Accel-Buffering") }
    }

    private static func name(_ text: String) throws -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            throw HTTPServingLawViolation(description: "no name of a field")
        }
        return name
    }
}

import CredentialServing
import CredentialTransport
import HTTPTypes

extension HTTPServingLaw {
    static let bodies: [HTTPServingLaw] = [
        HTTPServingLaw("a body arrives whole, with its length or without") { world in
            let engine = try RoutedEngine([
                .post("/") { request in .bytes(try await request.body.collect(upTo: 1 << 20), type: .form) }
            ])
            let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
            try await world.run(engine) { client in
                try requireEqual(try await client.response(to: .post("/", body: body)).body, body)
                let exchange = try await client.open(.post("/", body: nil))
                for start in stride(from: 0, to: body.count, by: 100_000) {
                    try await exchange.send(Array(body[start..<start + 100_000]))
                }
                try await exchange.finish()
                var answer: [UInt8] = []
                while let piece = try await exchange.next() { answer += piece }
                try requireEqual(answer, body)
                await exchange.disconnect()
            }
        },
        HTTPServingLaw("a body at the limit is taken, one byte more is refused") { world in
            let engine = try RoutedEngine([
                .post("/") { request in .text("\(try await request.body.collect(upTo: 1000).count)") }
            ])
            try await world.run(engine) { client in
                let taken = try await client.response(to: .post("/", body: [UInt8](repeating: 1, count: 1000)))
                try requireEqual(taken.body, Array("1000".utf8))
                let refused = try await client.response(to: .post("/", body: [UInt8](repeating: 1, count: 1001)))
                try requireEqual(refused.status.code, 413)
            }
        },
        HTTPServingLaw("a body over the limit is refused by its announced length, before it arrives") { world in
            let isCalled = ShutdownSignal()
            let options = RoutedEngineOptions(maximumBodySize: 1000)
            let engine = try RoutedEngine(
                [
                    .post("/") { _ in
                        isCalled.give()
                        return .text("")
                    }
                ],
                options: options
            )
            try await world.run(engine) { client in
                let exchange = try await client.open(.post("/", headerFields: [.contentLength: "1001"], body: nil))
                try requireEqual(try await exchange.head().status.code, 413)
                try require(!isCalled.isGiven, "the handler was called")
                await exchange.disconnect()
            }
        },
        HTTPServingLaw("a body over the limit is refused while it arrives") { world in
            let engine = try RoutedEngine(
                [
                    .post("/") { request in
                        for try await _ in request.body {}
                        return .text("read")
                    }
                ],
                options: RoutedEngineOptions(maximumBodySize: 1000)
            )
            try await world.run(engine) { client in
                let exchange = try await client.open(.post("/", body: nil))
                try await exchange.send([UInt8](repeating: 1, count: 600))
                // The server may be gone by the time of the rest.
                try? await exchange.send([UInt8](repeating: 1, count: 600))
                try requireEqual(try await exchange.head().status.code, 413)
                await exchange.disconnect()
            }
        },
        HTTPServingLaw("a body that breaks off does not look complete") { world in
            let outcome = ServingTestOutcome()
            let engine = try RoutedEngine([
                .post("/") { request in
                    await outcome.record { _ = try await request.body.collect(upTo: 1000) }
                    return .text("")
                }
            ])
            try await world.run(engine) { client in
                let exchange = try await client.open(.post("/", headerFields: [.contentLength: "100"], body: nil))
                try await exchange.send([1, 2, 3])
                await exchange.disconnect()
                try require(await outcome.failure() != nil, "the body was taken for complete")
            }
        },
        HTTPServingLaw("request and response flow at the same time") { world in
            let engine = try RoutedEngine([
                .post("/") { request in
                    ServerResponse(
                        .ok,
                        body: .stream { writer in
                            for try await piece in request.body { try await writer.write(piece) }
                        }
                    )
                }
            ])
            try await world.run(engine) { client in
                let exchange = try await client.open(.post("/", body: nil))
                for round in UInt8(1)...5 {
                    try await exchange.send([round, round])
                    try requireEqual(try await exchange.next(), [round, round])
                }
                try await exchange.finish()
                try requireEqual(try await exchange.next(), nil)
                await exchange.disconnect()
            }
        },
    ]
}

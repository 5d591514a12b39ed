import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import JOSEKit
import JSONKit
import Testing

@testable import IRMAServer

/// The streams of a session's states.
@Suite struct EventStreamTests {
    private func text(_ piece: [UInt8]?) -> String? { piece.map { String(decoding: $0, as: UTF8.self) } }

    @Test(arguments: ["requestor", "wallet", "frontend"])
    func tellOpeningAndChanges(role: String) async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let wallet = world.wallet(package)
        var fields = HTTPFields()
        var path = "/session/\(package.token)/statusevents"
        if role == "wallet" { path = wallet.path + "/statusevents" }
        if role == "frontend" {
            path = wallet.path + "/frontend/statusevents"
            fields[.authorization] = package.frontend?.authorization
        }
        let exchange = world.http.open(.get(path, headerFields: fields))
        let head = try await exchange.head()
        #expect(head.headerFields[.contentType] == "text/event-stream")
        await world.time.waitForSleeper(.milliseconds(200))
        world.time.advance(by: .milliseconds(200))
        #expect(text(try await exchange.next()) == "event: open\n\n")
        _ = try await wallet.connect()
        let connected = role == "frontend" ? "{\"status\":\"CONNECTED\"}" : "\"CONNECTED\""
        #expect(text(try await exchange.next()) == "data: \(connected)\n\n")
        try await world.server.cancel(package.token)
        let cancelled = role == "frontend" ? "{\"status\":\"CANCELLED\"}" : "\"CANCELLED\""
        #expect(text(try await exchange.next()) == "data: \(cancelled)\n\n")
        #expect(try await exchange.next() == nil)
        await exchange.end()
    }

    @Test func tellTheTimeout() async throws {
        let world = try ServerWorld()
        let package = try await world.start { $0.timeout = 30 }
        let exchange = world.http.open(.get("/session/\(package.token)/statusevents"))
        _ = try await exchange.head()
        await world.time.waitForSleeper(.milliseconds(200))
        await world.time.waitForSleeper(.seconds(30))
        world.time.advance(by: .milliseconds(200))
        #expect(text(try await exchange.next()) == "event: open\n\n")
        world.time.advance(by: .seconds(30))
        var last = ""
        while let piece = try await exchange.next() {
            let event = String(decoding: piece, as: UTF8.self)
            if event != ":\n\n" { last = event }
        }
        #expect(last == "data: \"TIMEOUT\"\n\n")
    }

    @Test func areRefusedWhereThereIsNothingToTell() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        try await world.server.cancel(package.token)
        for path in ["/session/\(package.token)/statusevents", world.wallet(package).path + "/statusevents"] {
            try expectError(.unexpectedRequest, in: await world.response(.get, path))
        }
        let silent = try ServerWorld { $0.options.offersEventStreams = false }
        let other = try await silent.start()
        let path = "/session/\(other.token)/statusevents"
        let refusal = try await silent.response(.get, path)
        try expectError(.eventsDisabled, in: refusal, description: "Server sent events disabled")
        try expectError(
            .sessionUnknown,
            in: await silent.response(.get, "/session/\(String(repeating: "b", count: 20))/statusevents")
        )
    }
}

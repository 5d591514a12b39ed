#if Server && Client && os(Linux)
import CredentialServing
import CredentialServingHummingbird
import Foundation
import HTTPTypes
import IRMAClient
import IRMAMessages
import IRMAServer
import JSONKit
import TestSupport
import Testing

/// A shop's page in Debian's Chromium, from another origin than the server: the browser asks before each call whether it may be made.
@Suite(.enabled(if: PeerProcess.areWanted, PeerProcess.comment), .serialized)
struct BrowserTests {
    private typealias Parties = EndToEndParties

    /// Opens the page of a shop at an origin of its own.
    private func withPage(
        offeringEvents: Bool = true,
        _ operation: @escaping @Sendable (EndToEndWorld, Browser) async throws -> Void
    ) async throws {
        try await EndToEndWorld.run {
            $0.serverOptions.offersEventStreams = offeringEvents
        } _: { world in
            let shop = HummingbirdServer(try FrontendPage.engine(), options: HummingbirdServerOptions(port: 0))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await shop.run() }
                try await Browser.run { browser in
                    try await browser.open("http://127.0.0.1:\(shop.port)/")
                    try await browser.wait(for: "isReady")
                    try await operation(world, browser)
                }
                group.cancelAll()
            }
        }
    }

    /// Shows a session at the page.
    ///
    /// - Returns: The code for pairing, where it is wanted.
    private func begin(_ package: SessionPackage, pairing: Bool, at browser: Browser) async throws -> String? {
        let authorization = try #require(package.frontend?.authorization)
        let code = try await browser.call(
            "begin",
            .string(package.pointer.url),
            .string(authorization),
            .bool(pairing)
        )
        _ = try await browser.call("reached", "INITIALIZED")
        return code.stringValue
    }

    /// The states that the page was told, and how.
    private func reported(by browser: Browser) async throws -> [String] {
        try await browser.call("reported").arrayValue?.map {
            "\($0["state"]?.stringValue ?? "?") \($0["way"]?.stringValue ?? "?")"
        } ?? []
    }

    @Test(arguments: [true, false])
    func followsASessionWithPairing(withEvents: Bool) async throws {
        try await withPage(offeringEvents: withEvents) { world, browser in
            let wallet = try await world.walletWithCard()
            let package = try await world.server.start(Parties.nameRequest)
            let code = try #require(try await begin(package, pairing: true, at: browser))

            let session = try wallet.session(with: package.pointer)
            guard case .pairing(let shown) = try await session.start() else {
                Issue.record("the wallet was not asked to pair")
                return
            }
            #expect(shown == code)
            _ = try await browser.call("reached", "PAIRING")

            // A wrong code pairs nobody, the right one does.
            try await browser.type(code == "0000" ? "0001" : "0000", into: "#code")
            try await browser.click("#pair")
            #expect(try await browser.text("#fault") == "another code")
            #expect(try await world.server.status(of: package.token) == .pairing)
            async let request = session.waitForPairing()
            try await browser.type(shown, into: "#code")
            try await browser.click("#pair")
            let choice = try #require(try await request.firstChoice)
            _ = try await browser.call("reached", "CONNECTED")

            _ = try await session.answer(choice)
            _ = try await browser.call("reached", "DONE")
            #expect(try await world.server.result(of: package.token).proofStatus == .valid)
            let way = withEvents ? "events" : "polling"
            let states = ["INITIALIZED", "PAIRING", "CONNECTED", "DONE"]
            #expect(try await reported(by: browser) == states.map { "\($0) \(way)" })
        }
    }

    /// The states in which a page may be closed.
    enum Moment: CaseIterable {
        case beforeConnecting, connected
    }

    @Test(arguments: Moment.allCases)
    func cancelsTheSessionWhenThePageIsClosed(moment: Moment) async throws {
        try await withPage { world, browser in
            let wallet = try await world.walletWithCard()
            let package = try await world.server.start(Parties.nameRequest)
            _ = try await begin(package, pairing: false, at: browser)
            if moment == .connected {
                _ = try await wallet.session(with: package.pointer).request()
                _ = try await browser.call("reached", "CONNECTED")
            }
            try await browser.openWindow()
            try await browser.closeWindow()
            var last: SessionStatus?
            for await status in try await world.server.statuses(of: package.token) { last = status }
            #expect(last == .cancelled)
        }
    }

    /// A page can read a refusal, too: its script learns the reason.
    @Test func refusesAnotherAuthorization() async throws {
        try await withPage { world, browser in
            let package = try await world.server.start(Parties.nameRequest)
            let frontend = package.pointer.url + "/frontend"
            for (path, method) in [("status", "GET"), ("statusevents", "GET"), ("pairingcompleted", "POST")] {
                let answer = try await browser.call(
                    "call",
                    .string("\(frontend)/\(path)"),
                    .string(method),
                    "another"
                )
                #expect(answer["status"] == .integer(403), "\(path): \(answer.text())")
                #expect(answer["body"]?["error"] == "UNAUTHORIZED", "\(path): \(answer.text())")
            }
        }
    }
}

/// The files of the shop's page; the script that follows a session is that of the example WebDemo.
private enum FrontendPage {
    static func engine() throws -> RoutedEngine {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().deletingLastPathComponent()
        return try RoutedEngine([
            route("/", tests.appending(path: "Frontend/frontend.html"), type: "text/html; charset=utf-8"),
            route("/frontend.js", tests.appending(path: "Frontend/frontend.js"), type: "text/javascript"),
            route(
                "/status.js",
                root.appending(path: "Examples/WebDemo/Sources/WebDemo/Resources/status.js"),
                type: "text/javascript"
            ),
        ])
    }

    private static func route(_ path: String, _ file: URL, type: String) throws -> ServerRoute {
        let bytes = [UInt8](try Data(contentsOf: file))
        return .get(path) { _ in ServerResponse(.ok, headerFields: [.contentType: type], body: .bytes(bytes)) }
    }
}
#endif

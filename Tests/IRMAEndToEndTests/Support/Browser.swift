#if Server && Client
import CredentialTransport
import Foundation
import HTTPTypes
import JSONKit
import TestSupport

/// Debian's Chromium without a window, driven by its WebDriver (W3C WebDriver).
struct Browser: Sendable {
    private let driver: String
    private let session: String

    /// An answer of the driver that reports a fault.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts a browser for an operation, and ends it afterwards.
    static func run(_ operation: (Browser) async throws -> Void) async throws {
        let port = try PeerProcess.freePort()
        let process = try await PeerProcess(
            "/usr/bin/chromedriver",
            port: port,
            arguments: { _ in ["--port=\(port)", "--log-level=OFF"] },
            configuration: { _, _ in "" }
        )
        defer { process.stop() }
        let browser = try await Browser(driver: "http://127.0.0.1:\(port)")
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await operation(browser))
        } catch {
            outcome = .failure(error)
        }
        // The driver ends the browser; without it the browser's processes would stay.
        _ = try? await browser.delete("")
        try outcome.get()
    }

    private init(driver: String) async throws {
        self.driver = driver
        let options: JSONValue = [
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        ]
        let answer = try await Self.send(
            .post(
                HTTPURL("\(driver)/session"),
                body: JSONValue.object(["capabilities": ["alwaysMatch": ["goog:chromeOptions": options]]]).encoded(),
                type: .json,
                accepting: .any,
                statuses: AcceptedStatuses(200...599)
            )
        )
        guard let session = answer["sessionId"]?.stringValue else { throw Fault(description: answer.text()) }
        self.session = session
    }

    /// Opens a page.
    func open(_ url: String) async throws {
        _ = try await post("/url", ["url": .string(url)])
    }

    /// Opens another window, so that the one with the page can be closed.
    func openWindow() async throws {
        _ = try await post("/window/new", ["type": "tab"])
    }

    /// Closes the window with the page; `openWindow()` has made another one.
    func closeWindow() async throws {
        let windows = try await delete("/window").arrayValue ?? []
        guard let other = windows.first else { throw Fault(description: "there is no other window") }
        _ = try await post("/window", ["handle": other])
    }

    /// Calls a function of the page, and waits for what it promises.
    func call(_ function: String, _ arguments: JSONValue...) async throws -> JSONValue {
        let script = """
            const done = arguments[arguments.length - 1];
            Promise.resolve(window[arguments[0]](...arguments[1])).then(done, (fault) => done(`fault: ${fault}`));
            """
        return try await post(
            "/execute/async",
            ["script": .string(script), "args": [.string(function), .array(arguments)]]
        )
    }

    /// Waits until a property of the page is true.
    func wait(for property: String) async throws {
        let script = """
            const done = arguments[arguments.length - 1];
            const look = () => (window[arguments[0]] ? done(true) : setTimeout(look, 10));
            look();
            """
        _ = try await post("/execute/async", ["script": .string(script), "args": [.string(property)]])
    }

    /// Types a text into an element, in place of what is there.
    func type(_ text: String, into selector: String) async throws {
        let element = try await element(selector)
        _ = try await post("/element/\(element)/clear", [:])
        _ = try await post("/element/\(element)/value", ["text": .string(text)])
    }

    /// Clicks an element.
    func click(_ selector: String) async throws {
        _ = try await post("/element/\(try await element(selector))/click", [:])
    }

    /// The visible text of an element.
    func text(_ selector: String) async throws -> String {
        let answer = try await Self.send(
            .get(
                HTTPURL("\(driver)/session/\(session)/element/\(try await element(selector))/text"),
                accepting: .any,
                statuses: AcceptedStatuses(200...599)
            )
        )
        return answer.stringValue ?? ""
    }

    private func element(_ selector: String) async throws -> String {
        let found = try await post("/element", ["using": "css selector", "value": .string(selector)])
        guard let name = found.objectValue?.first?.value.stringValue else {
            throw Fault(description: "no element \(selector)")
        }
        return name
    }

    private func post(_ path: String, _ body: JSONValue) async throws -> JSONValue {
        try await Self.send(
            .post(
                HTTPURL("\(driver)/session/\(session)\(path)"),
                body: body.encoded(),
                type: .json,
                accepting: .any,
                statuses: AcceptedStatuses(200...599)
            )
        )
    }

    private func delete(_ path: String) async throws -> JSONValue {
        try await Self.send(
            .delete(
                HTTPURL("\(driver)/session/\(session)\(path)"),
                accepting: .any,
                statuses: AcceptedStatuses(200...599)
            )
        )
    }

    /// The member `value` of the driver's answer.
    private static func send(_ request: HTTPTransportRequest) async throws -> JSONValue {
        var request = request
        request.limits = HTTPLimits(maximumBodySize: 1 << 20, timeout: .seconds(60))
        let transport = GuardedHTTPTransport(
            connector: AsyncHTTPClientConnector(),
            addressGuard: AddressGuard(allowing: [.loopback], literalAddresses: true, plainHTTP: true, ports: .any)
        )
        let response = try await transport.response(to: request)
        let value = try JSONValue(parsing: response.body)["value"] ?? .null
        guard value["error"] == nil else {
            throw Fault(description: "\(value["error"]?.text() ?? ""): \(value["message"]?.text() ?? "")")
        }
        return value
    }
}
#endif

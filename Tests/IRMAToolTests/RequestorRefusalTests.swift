#if Server && Client && SQLite
import CommandTesting
import Foundation
import JSONKit
import Testing

/// The lines of `irma server` about refused requestors.
@Suite struct RequestorRefusalTests {
    private let disk: SchemeOnDisk
    private static let request = """
        {"@context":"https://irma.app/ld/request/disclosure/v2","disclose":[[["demo.bank.card.name"]]]}
        """

    init() async throws {
        disk = try await SchemeOnDisk()
    }

    /// An operator sees that requestors are refused.
    @Test(arguments: ["token-of-nobody", "token-of-other"])
    func tellsOfARefusedRequestor(token: String) async throws {
        let log = try await logged { port in
            let refused = try await LocalHTTP.post(port, "/session", Self.request, token: token)
            #expect(refused.status == 403, "\(refused.body)")
        }
        #expect(log.contains("notice irma: a requestor was refused:"), "\(log)")
        #expect(log.contains("remote=127.0.0.1") && log.contains("route=/session"), "\(log)")
        #expect(!log.contains(token), "\(log)")
    }

    /// A call that is not of the session's frontend has the same status.
    @Test func tellsOfNoRefusalAtTheEndpointsOfWallets() async throws {
        let log = try await logged { port in
            let started = try await LocalHTTP.post(port, "/session", Self.request, token: "token-of-shop")
            let package = try JSONValue(parsing: Array(started.body.utf8))
            let url = try #require(package["sessionPtr"]?["u"]?.stringValue, "\(started.body)")
            let path = String(url.dropFirst("http://127.0.0.1:\(port)".count)) + "/frontend/status"
            #expect(try await LocalHTTP.get(port, path).status == 403)
        }
        #expect(!log.contains("was refused"), "\(log)")
    }

    /// The log of a server with two requestors, of which one may ask for nothing.
    private func logged(during calls: (Int) async throws -> Void) async throws -> String {
        let file = try disk.folder.write(
            """
            no_auth: false
            disclose_perms: []
            requestors:
              shop:
                auth_method: token
                key: token-of-shop
                disclose_perms: [demo.bank.*]
              other:
                auth_method: token
                key: token-of-other
            """,
            to: "two.yml"
        )
        let server = try await RunningCommand([
            "server", "-c", file, "-s", disk.schemes, "--schemes-update", "0", "-p", "0", "-l", "127.0.0.1", "-u",
            "http://127.0.0.1:port",
        ])
        do {
            try await calls(try server.port())
        } catch {
            await server.stop()
            throw error
        }
        return await server.stop().errors
    }
}
#endif

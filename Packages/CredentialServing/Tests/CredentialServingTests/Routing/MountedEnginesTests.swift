import CredentialServing
import HTTPTypes
import Testing

struct MountedEnginesTests {
    private func engine(_ name: String) throws -> RoutedEngine {
        try RoutedEngine([
            .get("/") { _ in .text(name + " root") },
            .get("/session/{id}") { .text(name + " " + (try $0.parameters.text("id")) + " " + $0.path) },
        ])
    }

    private func server() throws -> MountedEngines {
        try MountedEngines(["/irma": engine("irma"), "irma/old/": engine("old"), "/a%20b": engine("space")])
    }

    @Test(arguments: [
        ("/irma/session/7", "irma 7 /irma/session/7"), ("/irma/", "irma root"),
        ("/irma/old/session/7", "old 7 /irma/old/session/7"),
        ("/a%20b/", "space root"), ("/%69rma/", "irma root"),
    ])
    func seesRestOfPath(path: String, answer: String) async throws {
        #expect(try await server().response(.get, path).text == answer)
    }

    @Test(arguments: ["/irma", "/irmaX/", "/", "/other/session/7", "/irma%2Fsession/7"])
    func refusesOtherPaths(path: String) async throws {
        #expect(try await server().response(.get, path).status == .notFound)
    }

    @Test func refusesInvalidPath() async throws {
        #expect(try await server().response(.get, "/irma/%").status == .badRequest)
    }

    @Test func takesWholeServer() async throws {
        let server = try MountedEngines(["/": engine("all"), "/irma": engine("irma")])
        #expect(try await server.response(.get, "/session/1").text == "all 1 /session/1")
        #expect(try await server.response(.get, "/irma/").text == "irma root")
    }

    @Test func refusesInvalidMounts() async throws {
        let engine = try engine("x")
        await expect(.invalidRoute) { _ = try MountedEngines(["/a": engine, "a/": engine]) }
        await expect(.invalidRoute) { _ = try MountedEngines(["/%": engine]) }
    }
}

#if Server && Client
import CommandTesting
import CredentialServing
import CredentialServingHummingbird
import CredentialTool
import CryptoCore
import Foundation
import HTTPTypes
import StatusListKit
import Synchronization
import Testing

/// Statuses that the command fetches over HTTP from a server at loopback.
@Suite struct OnlineStatusTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private let folder: TemporaryFolder
    private let key: PrivateKey

    init() throws {
        folder = try TemporaryFolder()
        key = try PrivateKey.generate(.p256)
    }

    /// A provider of lists at a port of loopback, which counts the requests for its list.
    private final class Provider: Sendable {
        private let token = Mutex<[UInt8]?>(nil)
        private let count = Atomic<Int>(0)

        var requests: Int { count.load(ordering: .relaxed) }

        func publish(_ bytes: [UInt8]) { token.withLock { $0 = bytes } }

        func engine() throws -> RoutedEngine {
            try RoutedEngine([
                .get("/lists/1") { [self] _ in
                    count.add(1, ordering: .relaxed)
                    guard let bytes = token.withLock({ $0 }) else { return ServerResponse(.notFound) }
                    return ServerResponse(
                        .ok,
                        headerFields: [.contentType: "application/statuslist+jwt"],
                        body: .bytes(bytes)
                    )
                }
            ])
        }
    }

    /// Runs a provider while an operation runs with its port.
    private func withProvider(_ operation: (Provider, Int) async throws -> Void) async throws {
        let provider = Provider()
        let listener = HummingbirdServer(try provider.engine(), options: HummingbirdServerOptions(port: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listener.run() }
            let port = try await listener.port
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await operation(provider, port))
            } catch {
                outcome = .failure(error)
            }
            group.cancelAll()
            try outcome.get()
        }
    }

    /// A list with a revoked entry, the second unless another is named, as the issuer publishes it.
    private func list(at uri: String, revoking index: Int = 1, issued age: TimeInterval = 60) async throws -> [UInt8] {
        var list = try StatusList(count: 16, bits: .one)
        try list.set(.invalid, at: index)
        let content = try StatusListContent(uri: uri, list: list, issuedAt: Self.now - age)
        return Array(try await content.signedJWT(with: SoftwareSigner(key)).encodedBytes)
    }

    /// Issues a credential that names an entry, and verifies it.
    private func verify(
        index: Int,
        of uri: String,
        _ options: [String],
        environment: [String: String] = [:]
    ) async throws -> Invocation {
        let claims = #"{"given_name": "Erika", "status": {"status_list": {"idx": \#(index), "uri": "\#(uri)"}}}"#
        let issued = await Invocation.run(
            CredentialTool.self,
            [
                "sdjwt", "issue", try folder.write(claims, to: "claims.json"), "--issuer-key",
                try folder.write(key.pem, to: "private.pem"), "--credential-type", "https://issuer.example/person",
            ]
        )
        try #require(issued.status == 0, "\(issued.errors)")
        let credential = try folder.write(issued.output, to: "credential.sdjwt")
        let issuer = try folder.write(key.publicKey.pem, to: "issuer.pem")
        return await Invocation.run(
            CredentialTool.self,
            ["sdjwt", "verify", credential, "--key", issuer] + options,
            now: Self.now,
            environment: environment
        )
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func fetchesTheListThatACredentialNames(host: String) async throws {
        try await withProvider { provider, port in
            let uri = "http://\(host):\(port)/lists/1"
            provider.publish(try await list(at: uri))
            for options in [["--online-status"], ["--status", uri]] {
                let valid = try await verify(index: 0, of: uri, options + ["--dev"])
                #expect(valid.status == 0, "\(valid.output)\(valid.errors)")
                #expect(valid.output.contains("verdict: verified\n") && valid.output.contains("Erika"))
                let revoked = try await verify(index: 1, of: uri, options + ["--dev"])
                #expect(revoked.status == 1, "\(revoked.output)\(revoked.errors)")
                #expect(revoked.output.contains("reason: revoked\n") && !revoked.output.contains("Erika"))
            }
            #expect(provider.requests == 4)
        }
    }

    /// The list of a file takes the place of an earlier one, and not that of a later one, which is fetched all the same.
    @Test func theListIssuedLastCounts() async throws {
        try await withProvider { provider, port in
            let uri = "http://127.0.0.1:\(port)/lists/1"
            let options = ["--status", folder.path("list"), "--dev"]
            for (age, revoked) in [(30.0, 1), (90.0, 0)] {
                let file = try await list(at: uri, issued: age)
                try Data(file).write(to: URL(fileURLWithPath: folder.path("list")))
                provider.publish(try await list(at: uri, revoking: 0))
                for further in [["--online-status"], ["--status", uri]] {
                    let verified = try await verify(index: revoked, of: uri, options + further)
                    #expect(verified.output.contains("reason: revoked\n"), "\(age) \(verified.output)")
                    let other = try await verify(index: 1 - revoked, of: uri, options + further)
                    #expect(other.status == 0, "\(age) \(other.output)\(other.errors)")
                }
            }
            #expect(provider.requests == 8)
        }
    }

    @Test func aListThatIsNotThereLeavesTheStatusUnknown() async throws {
        try await withProvider { provider, port in
            let unknown = try await verify(
                index: 0,
                of: "http://127.0.0.1:\(port)/lists/1",
                ["--online-status", "--dev"]
            )
            #expect(unknown.status == 1)
            #expect(unknown.output.contains("reason: statusUnknown\n"), "\(unknown.output)")
            #expect(unknown.output.contains("notFetched: the status is 404"), "\(unknown.output)")
            #expect(provider.requests == 1)
        }
    }

    /// Without developer mode no list leads the command to this machine, and the output names the rule.
    @Test(arguments: [
        ("http://127.0.0.1:PORT/lists/1", "plain http is not allowed"),
        ("https://127.0.0.1:PORT/lists/1", "a host must be named, not given by its address"),
        ("https://localhost:PORT/lists/1", "127.0.0.1 is loopback"),
    ])
    func refusesThisMachineByName(address: String, rule: String) async throws {
        try await withProvider { provider, port in
            let uri = address.replacingOccurrences(of: "PORT", with: String(port))
            provider.publish(try await list(at: uri))
            let refused = try await verify(index: 0, of: uri, ["--online-status"])
            #expect(refused.status == 1)
            #expect(refused.output.contains("reason: statusUnknown\n"), "\(refused.output)")
            #expect(refused.output.contains("notFetched: \(rule)"), "\(refused.output)")
            #expect(provider.requests == 0)
        }
    }

    /// A server that is no proxy refuses the tunnel, and nobody but the proxy is asked for the name.
    @Test func asksTheProxyOfTheEnvironment() async throws {
        try await withProvider { provider, port in
            let uri = "https://lists.invalid/lists/1"
            let proxy = "http://user:secret@127.0.0.1:\(port)"
            let cases: [(environment: [String: String], isProxied: Bool)] = [
                ([:], false),
                (["HTTPS_PROXY": proxy], true),
                (["https_proxy": proxy], true),
                (["HTTPS_PROXY": proxy, "NO_PROXY": "invalid"], false),
                (["HTTP_PROXY": proxy], false),
            ]
            for (environment, isProxied) in cases {
                let refused = try await verify(index: 0, of: uri, ["--online-status"], environment: environment)
                #expect(refused.status == 1)
                #expect(refused.output.contains("notFetched: "), "\(refused.output)")
                let message = "notFetched: the proxy refuses the connection"
                #expect(refused.output.contains(message) == isProxied, "\(refused.output)")
                #expect(!refused.output.contains("secret") && !refused.errors.contains("secret"))
            }
            #expect(provider.requests == 0)
        }
    }

    @Test func refusesAMalformedProxy() async throws {
        let refused = try await verify(
            index: 0,
            of: "https://lists.invalid/lists/1",
            ["--online-status"],
            environment: ["HTTPS_PROXY": "socks5://user:secret@127.0.0.1:1"]
        )
        #expect(refused.status == 2)
        #expect(refused.errors == "error: the environment variable HTTPS_PROXY: the scheme is not http")
    }
}
#endif

#if Server && Client && SQLite
import CommandTesting
import CredentialTransport
import CryptoCore
import Foundation
import IRMATool
import JSONKit
import NIOSSL
import Testing

/// The listeners of the servers over TLS, with certificates that the tests make.
@Suite struct ServerListenerTests {
    /// A certificate of its own for this machine, and a client that trusts no other.
    private struct Identity {
        let certificate: String
        let key: String
        let transport: GuardedHTTPTransport

        init(_ name: String, in folder: TemporaryFolder) async throws {
            let privateKey = try PrivateKey.generate(.p256)
            let built = try await CertificateBuilder(
                subject: try DistinguishedName(commonName: name),
                publicKey: privateKey.publicKey,
                validity: Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 4e9),
                extensions: [.subjectAlternativeName([.ipAddress([127, 0, 0, 1])])]
            ).selfSigned(by: SoftwareSigner(privateKey))
            let pem = built.pem
            certificate = try folder.write(pem, to: "\(name).pem")
            key = try folder.write(privateKey.pem, to: "\(name)-key.pem")
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)))
            transport = GuardedHTTPTransport(
                connector: AsyncHTTPClientConnector(tls: configuration),
                addressGuard: AddressGuard(allowing: [.loopback], literalAddresses: true, ports: .any)
            )
        }

        func get(_ port: Int, _ path: String) async throws -> String {
            let url = try HTTPURL("https://127.0.0.1:\(port)\(path)")
            let response = try await transport.response(
                to: .get(url, accepting: .any, limits: HTTPLimits(timeout: .seconds(60)))
            )
            return String(decoding: response.body, as: UTF8.self)
        }
    }

    private let disk: SchemeOnDisk
    private let first: Identity
    private let second: Identity

    init() async throws {
        disk = try await SchemeOnDisk()
        first = try await Identity("first", in: disk.folder)
        second = try await Identity("second", in: disk.folder)
    }

    private var arguments: [String] {
        [
            "server", "-s", disk.schemes, "--schemes-update", "0", "-p", "0", "-l", "127.0.0.1", "-u",
            "https://127.0.0.1:port", "--tls-cert-file", first.certificate, "--tls-privkey-file", first.key,
        ]
    }

    @Test func serveOverTLS() async throws {
        let server = try await RunningCommand(arguments)
        let port = try server.port()
        #expect(server.readyLine.contains("https://127.0.0.1:\(port)/irma/"))
        #expect(try await first.get(port, "/health") == "OK")
        await #expect(throws: TransportError.self) { try await second.get(port, "/health") }
        await #expect(throws: TransportError.self) { try await LocalHTTP.get(port, "/health") }
        await server.stop()
    }

    /// Connections from after a hangup have the certificate that is in the files by then.
    @Test func aProcessLoadsItsCertificateAgain() async throws {
        let server = try await ServerProcess(arguments + ["--operations-drain-time", "1"])
        let port = try server.port()
        #expect(try await first.get(port, "/health") == "OK")
        for (file, renewed) in [(first.certificate, second.certificate), (first.key, second.key)] {
            try Data(contentsOf: URL(fileURLWithPath: renewed)).write(to: URL(fileURLWithPath: file))
        }
        await #expect(throws: TransportError.self) { try await second.get(port, "/health") }
        server.send(SIGHUP)
        var isRenewed = false
        for _ in 1...500 where !isRenewed { isRenewed = (try? await second.get(port, "/health")) == "OK" }
        #expect(isRenewed)
        #expect(await server.end(by: SIGTERM) == 0)
    }

    @Test func areReachedByCommandsThatTrustTheirAuthority() async throws {
        try await withRunning(arguments) { server in
            let base = "https://127.0.0.1:\(try server.port())"
            let session = [
                "session", "--server", base, "--issue", "demo.bank.card=Bob", "-s", disk.schemes,
                "--disable-schemes-update", "--noqr", "--json",
            ]
            for flags in [[], ["--ca-file", second.certificate]] {
                let refused = await Invocation.run(IRMATool.self, session + flags, now: SchemeOnDisk.now)
                #expect(refused.status == 2)
                #expect(refused.errors.contains("tlsFailed"), "\(refused.errors)")
            }
            let trust = ["--ca-file", second.certificate, "--ca-file", first.certificate]
            let issuing = try await RunningCommand(session + trust)
            let issued = await disk.wallet(["session", issuing.readyLine, "--yes"] + trust)
            #expect(issued.status == 0, "\(issued.errors)")
            let result = await issuing.end()
            #expect(result.status == 0, "\(result.errors)")
            let token = try #require(result.errors.split(separator: "requestor token: ").last?.prefix { $0 != "\n" })
            #expect(result.output.contains(#""token":"\#(token)""#), "\(result.output)")
        }
    }

    @Test func authoritiesAreCertificates() async throws {
        let faults = [first.key, disk.folder.path("missing.pem"), try disk.folder.write("x", to: "x.pem")]
        for file in faults {
            let refused = await Invocation.run(
                IRMATool.self,
                ["session", "--from-package", Self.package, "--ca-file", file],
                now: SchemeOnDisk.now
            )
            #expect(refused.status == 2)
            #expect(refused.errors.contains((file as NSString).lastPathComponent), "\(refused.errors)")
        }
    }

    private static let package =
        #"{"sessionPtr":{"u":"https://127.0.0.1:1/irma/session/abc","irmaqr":"disclosing"},"token":"abc"}"#

    /// The receiver's authority is a private one.
    @Test func areCalledBackWhereTheirAuthorityIsTrusted() async throws {
        let receiver = try await RunningCommand(arguments + ["-v"])
        let callback = "https://127.0.0.1:\(try receiver.port())/session"
        let request = """
            {"callbackUrl": "\(callback)", "request": {"@context": "https://irma.app/ld/request/disclosure/v2", \
            "disclose": [[["demo.bank.card.name"]]]}}
            """
        for (flags, isTrusted) in [
            ([], false), (["--ca-file", second.certificate], false), (["--ca-file", first.certificate], true),
        ] {
            let sender = try await RunningCommand(
                [
                    "server", "-s", disk.schemes, "--schemes-update", "0", "-p", "0", "-l", "127.0.0.1", "-u",
                    "http://127.0.0.1:port", "--allow-unsigned-callbacks",
                ] + flags
            )
            let port = try sender.port()
            let started = try await LocalHTTP.post(port, "/session", request)
            let token = try #require(JSONValue(parsing: Array(started.body.utf8)).objectValue?["token"]?.stringValue)
            _ = try await LocalHTTP.transport.response(
                to: .delete(HTTPURL("http://127.0.0.1:\(port)/session/\(token)"))
            )
            // The end waits for the delivery of results.
            let ended = await sender.stop()
            #expect(ended.errors.contains("tlsFailed") != isTrusted, "\(ended.errors)")
        }
        // It refuses what it gets, as no request for a session, and gets it again.
        let received = await receiver.stop()
        #expect(
            received.errors.contains("method=POST") && received.errors.contains("route=/session "),
            "\(received.errors)"
        )
    }

    @Test func haveCertificatesOfTheirOwn() async throws {
        let port = try await freePort(disk)
        let server = try await RunningCommand(
            arguments + [
                "--client-port", "\(port)", "--client-listen-addr", "127.0.0.1", "--client-tls-cert-file",
                second.certificate, "--client-tls-privkey-file", second.key,
            ]
        )
        let requestors = try server.port(behind: "requestors at port ")
        let wallets = try server.port(behind: "irma/, port ")
        #expect(try await first.get(requestors, "/health") == "OK")
        await #expect(throws: TransportError.self) { try await second.get(requestors, "/health") }
        let failure = await #expect(throws: TransportError.self) {
            try await second.get(wallets, "/irma/session/abcdefghijklmnopqrst/status")
        }
        // The session is unknown, which only a server on the other side of TLS can say.
        #expect(failure?.code == .unexpectedStatus)
        let distrust = await #expect(throws: TransportError.self) {
            try await first.get(wallets, "/irma/session/abcdefghijklmnopqrst/status")
        }
        #expect(distrust?.code != .unexpectedStatus)
        await server.stop()
    }

    @Test func keyshareServersServeOverTLS() async throws {
        let key = try PrivateKey.generateRSA(bits: 2048)
        let place = try await SchemeOnDisk(keyshare: ("https://127.0.0.1:1", key.publicKey))
        try place.folder.write(key.pem, to: "kss.pem")
        let storageKey = Data([1, 0, 0, 0] + [UInt8](repeating: 5, count: 32))
        try storageKey.write(to: URL(fileURLWithPath: place.folder.path("storage.key")))
        let server = try await RunningCommand([
            "keyshare", "server", "-s", place.schemes, "--schemes-update", "0", "-p", "0", "-l", "127.0.0.1", "-u",
            "https://127.0.0.1:port", "--db-type", "memory", "--jwt-privkey-file", place.folder.path("kss.pem"),
            "--storage-primary-key-file", place.folder.path("storage.key"), "--keyshare-attribute",
            "demo.bank.card.name", "--tls-cert-file", first.certificate, "--tls-privkey-file", first.key,
        ])
        #expect(try await first.get(try server.port(), "/health") == "OK")
        await server.stop()
    }

    @Test func refuseKeysOfOtherCertificates() async throws {
        let refused = await Invocation.run(
            IRMATool.self,
            Array(arguments.dropLast()) + [second.key],
            now: SchemeOnDisk.now
        )
        #expect(refused.status == 2)
        #expect(refused.errors.contains("tls_cert"), "\(refused.errors)")
    }
}
#endif

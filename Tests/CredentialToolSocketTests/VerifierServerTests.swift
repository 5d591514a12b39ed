#if Server && Client && SQLite
import CommandTesting
import CredentialTool
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import JSONKit
import MdocKit
import MdocTrust
import NIOSSL
import TestSupport
import Testing

/// A verifier that `credential oid4vp serve` runs for a backend, and the wallet of `credential oid4vp present`.
@Suite struct VerifierServerTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let token = "a-token-of-the-shop"

    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try await writeListenerCertificate()
        try await writeClient()
        try await writeCredential()
        try folder.write(Self.token, to: "token")
    }

    // MARK: Files

    private static let validity = now - 86_400...now + 90 * 86_400

    private func writeListenerCertificate() async throws {
        let key = try PrivateKey.generate(.p256)
        let certificate = try await CertificateBuilder(
            subject: DistinguishedName(commonName: "127.0.0.1"),
            publicKey: key.publicKey,
            // The listener's TLS has the clock of the system.
            validity: Date() - 86_400...Date() + 86_400,
            extensions: [.subjectAlternativeName([.ipAddress([127, 0, 0, 1])])]
        ).selfSigned(by: SoftwareSigner(key))
        try folder.write(key.pem, to: "tls-key.pem")
        try folder.write(certificate.pem, to: "tls.pem")
    }

    private func writeClient() async throws {
        let key = try PrivateKey.generate(.p256)
        let authority = try await CertificateAuthority.root(
            subject: DistinguishedName(commonName: "Register"),
            signer: SoftwareSigner(.generate(.p256)),
            validity: Self.validity
        )
        let certificate = try await CertificateBuilder(
            subject: DistinguishedName(commonName: "The shop"),
            publicKey: key.publicKey,
            validity: Self.now - 86_400...Self.now + 20 * 86_400,
            extensions: [.keyUsage(.digitalSignature), .subjectAlternativeName([.dns("shop.example")])]
        ).issued(by: authority)
        try folder.write(key.pem, to: "shop-key.pem")
        try folder.write(certificate.pem, to: "shop.pem")
        try folder.write(authority.certificate.pem, to: "register.pem")
    }

    private func writeCredential() async throws {
        let (issuer, holder) = (try PrivateKey.generate(.p256), try PrivateKey.generate(.p256))
        try folder.write(issuer.publicKey.pem, to: "issuer.pem")
        try folder.write(holder.pem, to: "holder.pem")
        let issued = await Invocation.run(
            CredentialTool.self,
            [
                "sdjwt", "issue", try folder.write(#"{"given_name": "Ada"}"#, to: "claims.json"), "--issuer-key",
                try folder.write(issuer.pem, to: "issuer-key.pem"), "--credential-type", "urn:member",
                "--holder-key", folder.path("holder.pem"), "--conceal", "given_name",
            ],
            now: Self.now
        )
        try #require(issued.status == 0, "\(issued.errors)")
        try folder.write(issued.output, to: "member.sdjwt")
    }

    // MARK: Parties

    /// The configuration of a server for one shop.
    ///
    /// - Parameters:
    ///   - port: The port of wallets.
    ///   - members: Members of the shop; nil takes one away.
    ///   - others: Members beside the shop.
    private func configuration(
        port: Int = 1,
        changing members: [String: JSONValue?] = [:],
        with others: JSONObject = [:]
    ) throws -> [String] {
        var shop: JSONObject = [
            "client": "x509_hash", "key_file": .string(folder.path("shop-key.pem")),
            "certificate_file": .string(folder.path("shop.pem")),
            "issuer_key_file": .string(folder.path("issuer.pem")),
        ]
        for (name, value) in members { shop[name] = value }
        var configuration: JSONObject = [
            "url": .string("https://127.0.0.1:\(port)/oid4vp/"), "port": .integer(port), "listen_addr": "127.0.0.1",
            "requestor_port": 0, "tls_cert_file": .string(folder.path("tls.pem")),
            "tls_privkey_file": .string(folder.path("tls-key.pem")), "store_type": "sqlite",
            "sqlite_path": .string(folder.path("transactions.db")),
            "operations": ["drain_time": 0],
            "relying_parties": ["shop": .object(shop)],
            "requestors": ["backend": ["token_file": .string(folder.path("token"))]],
        ]
        for (name, value) in others { configuration[name] = value }
        return ["--config", try folder.write(JSONValue.object(configuration).text(), to: "server.json")]
    }

    /// Runs a test beside a server, which is stopped whatever happens.
    ///
    /// - Returns: The log of the server.
    @discardableResult
    private func withServer(
        with others: JSONObject = [:],
        _ body: (RunningCommand) async throws -> Void
    ) async throws -> String {
        let words = ["oid4vp", "serve"] + (try configuration(port: try PeerProcess.freePort(), with: others))
        let command = try await RunningCommand(CredentialTool.self, words, now: Self.now)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(command))
        } catch {
            outcome = .failure(error)
        }
        let ended = await command.stop()
        try outcome.get()
        return ended.errors
    }

    /// Calls an endpoint of requestors.
    private func call(
        _ server: RunningCommand,
        _ path: String,
        _ body: JSONValue? = nil,
        token: String = token
    ) async throws -> (status: Int, body: JSONValue) {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(folder.path("tls.pem")))
        let transport = GuardedHTTPTransport(
            connector: AsyncHTTPClientConnector(tls: tls),
            addressGuard: AddressGuard(allowing: [.loopback], literalAddresses: true, ports: .any)
        )
        let url = try HTTPURL("https://127.0.0.1:\(try server.port(behind: "requestors at port "))\(path)")
        var request =
            body.map { HTTPTransportRequest.post(url, body: $0.encoded(), type: .json, accepting: .any) }
            ?? .get(url, accepting: .any)
        try request.setField(.authorization, "Bearer \(token)")
        request.acceptedStatuses = AcceptedStatuses(200...599)
        let response = try await transport.response(to: request)
        return (response.status, try JSONValue(parsing: response.body))
    }

    private func present(_ link: String, _ others: [String] = []) async -> Invocation {
        await Invocation.run(
            CredentialTool.self,
            [
                "oid4vp", "present", link, "--credential", folder.path("member.sdjwt"), "--holder-key",
                folder.path("holder.pem"), "--trust", folder.path("register.pem"), "--yes",
            ] + others,
            now: Self.now
        )
    }

    private static let wish: JSONValue = [
        "dcql_query": [
            "credentials": [
                [
                    "id": "member", "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:member"]],
                    "claims": [["path": ["given_name"]]],
                ]
            ]
        ]
    ]

    private static func wish(callback: String) -> JSONValue {
        var members = wish.objectValue ?? [:]
        members["callback_uri"] = .string(callback)
        return .object(members)
    }

    // MARK: Tests

    @Test func servesABackendAndAWallet() async throws {
        try await withServer { server in
            let started = try await call(server, "/transactions", Self.wish)
            #expect(started.status == 201, "\(started.body)")
            let id = try #require(started.body["id"]?.stringValue)
            let link = try #require(started.body["qr_text"]?.stringValue)
            // Without the options the wallet reaches no verifier on this machine.
            let refused = await present(link)
            #expect(refused.status != 0 && refused.output.contains("a host must be named"), "\(refused.output)")
            let unreadable = await present(link, ["--dev", "--ca-file", folder.path("nowhere.pem")])
            #expect(unreadable.status == 2 && unreadable.errors.contains("nowhere.pem"), "\(unreadable.errors)")
            let shown = await present(link, ["--dev", "--ca-file", folder.path("tls.pem")])
            #expect(shown.status == 0, "\(shown.output)\(shown.errors)")
            #expect(shown.output.contains("verdict: presented"), "\(shown.output)")
            let result = try await call(server, "/transactions/\(id)/result", [:])
            #expect(result.body["status"] == "verified", "\(result.body)")
            #expect("\(result.body["credentials"] ?? .null)".contains("Ada"))
        }
    }

    /// Every error has the form of `openapi.yaml`.
    @Test func anUnknownPathHasTheFormOfOtherErrors() async throws {
        try await withServer { server in
            let refused = try await call(server, "/nothing")
            #expect(refused.status == 404)
            #expect(refused.body["error"] == "not_found" && refused.body["error_description"] != nil)
        }
    }

    @Test func takesTheTokensOfItsRequestorsAlone() async throws {
        let log = try await withServer { server in
            let refused = try await call(server, "/transactions", Self.wish, token: "another-token-of-nobody")
            #expect(refused.status == 401)
        }
        #expect(log.contains("notice oid4vp: a call was refused: its token is missing or unknown"), "\(log)")
        #expect(log.contains("remote=127.0.0.1") && log.contains("route=/transactions"), "\(log)")
        #expect(!log.contains("another-token-of-nobody"), "\(log)")
    }

    /// A backend learns at once that its callback would never be called.
    @Test func refusesACallbackThatItDoesNotCall() async throws {
        let wish = Self.wish(callback: "http://127.0.0.1:9/result")
        var others: JSONObject = ["jwt_privkey_file": .string(folder.path("shop-key.pem"))]
        try await withServer(with: others) { server in
            let refused = try await call(server, "/transactions", wish)
            #expect(refused.status == 400 && refused.body["error"] == "invalid_request", "\(refused.body)")
        }
        others["dev"] = true
        try await withServer(with: others) { server in
            let started = try await call(server, "/transactions", wish)
            #expect(started.status == 201, "\(started.body)")
        }
    }

    /// The events of transactions are counted under the names that their logs have.
    @Test func countsWhatHappensToTransactions() async throws {
        let port = try PeerProcess.freePort()
        let others: JSONObject = [
            "operations": ["drain_time": 0, "port": .integer(port)], "dev": true,
            "jwt_privkey_file": .string(folder.path("shop-key.pem")),
        ]
        let log = try await withServer(with: others) { server in
            #expect(try await counts(at: port)["created"] == 0)
            // Nobody listens there.
            let callback = "http://127.0.0.1:\(try PeerProcess.freePort())/result"
            let started = try await call(server, "/transactions", Self.wish(callback: callback))
            let link = try #require(started.body["qr_text"]?.stringValue, "\(started.body)")
            let shown = await present(link, ["--dev", "--ca-file", folder.path("tls.pem")])
            #expect(shown.status == 0, "\(shown.output)\(shown.errors)")
            #expect(try await call(server, "/transactions", Self.wish).status == 201)
            var counts = try await counts(at: port)
            for _ in 1...1000 where counts["failures"] == 0 { counts = try await self.counts(at: port) }
            #expect(counts["failures"] != 0)
            #expect(counts["created"] == 2 && counts["verified"] == 1 && counts["failed"] == 0, "\(counts)")
            #expect(counts["callback_accepted"] == 0 && counts["callback_refused"] == 0, "\(counts)")
        }
        #expect(log.contains("a requestor's URL could not be called"), "\(log)")
    }

    /// The counts of events at the listener for operations, and those of failed callbacks.
    private func counts(at port: Int) async throws -> [String: Int] {
        let transport = GuardedHTTPTransport(
            connector: AsyncHTTPClientConnector(),
            addressGuard: AddressGuard(allowing: [.loopback], literalAddresses: true, plainHTTP: true, ports: .any)
        )
        let url = try HTTPURL("http://127.0.0.1:\(port)/metrics")
        let text = String(decoding: try await transport.response(to: .get(url, accepting: .any)).body, as: UTF8.self)
        var counts: [String: Int] = [:]
        for line in text.split(separator: "\n") {
            guard let count = line.split(separator: " ").last.flatMap({ Int($0) }) else { continue }
            if line.hasPrefix("oid4vp_callback_failures_total ") { counts["failures"] = count }
            guard line.hasPrefix("oid4vp_events_total{"), line.contains("relying_party=\"shop\""),
                let event = line.split(separator: "event=\"").last?.prefix(while: { $0 != "\"" })
            else { continue }
            counts[String(event)] = count
        }
        return counts
    }

    @Test func namesTheListenersThatAreReady() async throws {
        try await withServer { server in
            let line = server.readyLine
            #expect(line.hasPrefix("credential oid4vp serve is ready: wallets at https://127.0.0.1:"), "\(line)")
        }
    }

    /// The shop's certificate expires in 20 days, one authority that it trusts has expired, another is good for a while.
    @Test func aCheckWarnsOfWhatExpires() async throws {
        var authorities: [String] = []
        for (name, end) in [("Old", Self.now - 3600), ("New", Self.now + 90 * 86_400)] {
            let authority = try await CertificateAuthority.root(
                subject: DistinguishedName(commonName: name),
                signer: SoftwareSigner(.generate(.p256)),
                validity: Self.now - 86_400...end
            )
            authorities.append(authority.certificate.pem)
        }
        let file = try folder.write(authorities.joined(separator: "\n"), to: "authorities.pem")
        let words = ["oid4vp", "serve", "check"] + (try configuration(changing: ["trust_files": [.string(file)]]))
        let checked = await Invocation.run(CredentialTool.self, words, now: Self.now)
        #expect(checked.status == 0, "\(checked.errors)")
        #expect(checked.output == "the configuration is valid")
        #expect(checked.errors.contains("warning: relying_parties.shop: the certificate of CN=The shop expires on"))
        let authority = "warning: relying_parties.shop.trust_files: the certificate of CN=Old has expired on"
        #expect(checked.errors.contains(authority), "\(checked.errors)")
        #expect(!checked.errors.contains("CN=New"), "\(checked.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("transactions.db")))
    }

    /// A list whose next issue was expected yesterday, and a fresh one that ends soon, of a signer whose certificate ends earlier.
    @Test func aCheckWarnsOfListsOfAuthorities() async throws {
        func file(_ provider: String, _ change: (inout VICALBuilder) -> Void) async throws -> JSONValue {
            let key = try PrivateKey.generate(.p256)
            let root = try await CertificateAuthority.iaca(
                subject: DistinguishedName(countryName: "UT", organizationName: provider, commonName: provider),
                contact: .uri("https://utopia.example/lists"),
                signer: SoftwareSigner(.generate(.p256)),
                validity: Self.validity
            )
            let signer = try await root.issueVICALSigner(
                subject: DistinguishedName(countryName: "UT", organizationName: provider, commonName: provider),
                publicKey: key.publicKey,
                validity: Self.now - 86_400...Self.now + 29 * 86_400,
                revocationListURI: "https://utopia.example/crl"
            )
            var builder = VICALBuilder(provider: provider, date: Self.now - 7200)
            try builder.add(root.certificate, docTypes: [.mDL])
            change(&builder)
            let list = try await builder.sign(with: SoftwareSigner(key), x5chain: [signer])
            let path = folder.path("\(provider).cbor")
            try Data(list.encodedBytes).write(to: URL(fileURLWithPath: path))
            return .string(path)
        }
        let files = JSONValue.array([
            try await file("Overdue") {
                $0.nextUpdate = Self.now - 3600
                $0.notAfter = Self.now + 40 * 86_400
            },
            try await file("Ending") {
                $0.nextUpdate = Self.now + 86_400
                $0.notAfter = Self.now + 20 * 86_400
            },
        ])
        let words = ["oid4vp", "serve", "check"] + (try configuration(changing: ["trust_files": files]))
        let checked = await Invocation.run(CredentialTool.self, words, now: Self.now)
        #expect(checked.status == 0, "\(checked.errors)")
        let warnings = checked.errors.split(separator: "\n").filter { $0.contains(".trust_files: the list of ") }
        let starts = [
            "Overdue, by its signer's certificate, expires on 2027-02-13", "Overdue was to be replaced on 2027-01-15",
            "Ending expires on 2027-02-04", "Ending, by its signer's certificate, expires on 2027-02-13",
        ]
        try #require(warnings.count == starts.count, "\(checked.errors)")
        for (warning, start) in zip(warnings, starts) {
            #expect(warning.hasPrefix("warning: relying_parties.shop.trust_files: the list of \(start)"), "\(warning)")
        }
    }

    @Test(arguments: [
        ("certificate_file", "", "relying_parties.shop: Missing value for 'certificate_file"),
        ("client", "verifier_attestation", "the client verifier_attestation needs attestation_file"),
        ("client", "x509_hsah", "leave out certificate_file and attestation_file"),
        ("client", "x509_san_dns:other.example", "the certificate does not have the DNS name"),
        ("profile", "nobody", "The value 'nobody' is invalid for 'profile"),
        ("colour", "red", "relying_parties.shop.colour"),
    ]) func namesTheMemberThatCannotBeServed(name: String, value: String, message: String) async throws {
        let words = try configuration(changing: [name: .some(.string(value))])
        let refused = await Invocation.run(CredentialTool.self, ["oid4vp", "serve", "check"] + words, now: Self.now)
        #expect(refused.status != 0)
        #expect(refused.errors.contains(message), "\(refused.errors)")
    }

    /// A configuration with which no transaction can be started.
    @Test func aCheckTriesATransactionOfEachParty() async throws {
        let words = try configuration(changing: ["origins": ["https://shop.example/path"]])
        let refused = await Invocation.run(CredentialTool.self, ["oid4vp", "serve", "check"] + words, now: Self.now)
        #expect(refused.status != 0)
        #expect(refused.errors.contains("relying_parties.shop: no transaction can be started"), "\(refused.errors)")
        let late = await Invocation.run(
            CredentialTool.self,
            ["oid4vp", "serve", "check"] + (try configuration()),
            now: Self.now + 40 * 86_400
        )
        #expect(late.status != 0 && late.errors.contains("invalid_certificate"), "\(late.errors)")
    }

    private static let contradictions: [(JSONObject, String)] = [
        (["store_type": "memory"], "sqlite_path: needs the store_type sqlite"),
        (["requestor_port": 1], "port: another listener has the same"),
        (["requestors": ["backend": ["token": "a token with spaces"]]], "requestors.backend.token: a space"),
        (["requestors": ["backend": ["token": "short"]]], "a token of fewer than 16 bytes"),
    ]

    @Test(arguments: contradictions)
    func refusesWhatContradictsItself(members: JSONObject, message: String) async throws {
        let words = try configuration(with: members)
        let refused = await Invocation.run(CredentialTool.self, ["oid4vp", "serve", "check"] + words, now: Self.now)
        #expect(refused.status != 0)
        #expect(refused.errors.contains(message), "\(refused.errors)")
    }

    /// No part of this server reads the file later: it sends no callbacks, and asks for no status.
    @Test func refusesAMissingFileOfAuthorities() async throws {
        let words = try configuration(with: ["ca_file": "/nonexistent/root.pem"])
        let refused = await Invocation.run(CredentialTool.self, ["oid4vp", "serve", "check"] + words, now: Self.now)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("cannot open /nonexistent/root.pem"), "\(refused.errors)")
    }

    @Test func aPartyThatTrustsNobodyIsTold() async throws {
        let words = try configuration(changing: ["issuer_key_file": nil])
        let checked = await Invocation.run(CredentialTool.self, ["oid4vp", "serve", "check"] + words, now: Self.now)
        #expect(checked.status == 0, "\(checked.errors)")
        #expect(checked.errors.contains("warning: relying_parties.shop: no issuer is trusted"), "\(checked.errors)")
    }

    @Test(arguments: [
        (["--url", "https://127.0.0.1/oid4vp/"], "relying_parties: none is configured"),
        ([], "missingValue in url"),
    ]) func refusesAServerWithoutItsParts(flags: [String], message: String) async {
        let refused = await Invocation.run(CredentialTool.self, ["oid4vp", "serve", "check"] + flags, now: Self.now)
        #expect(refused.status != 0)
        #expect(refused.errors.contains(message), "\(refused.errors)")
    }

    @Test func explainsItsKeys() async {
        let help = await Invocation.run(CredentialTool.self, ["oid4vp", "serve", "--help"])
        #expect(help.status == 0)
        for key in ["--url", "--store-type", "relying_parties.<name>.client", "requestors.<name>.token"] {
            #expect(help.output.contains(key), "\(key)")
        }
    }
}
#endif

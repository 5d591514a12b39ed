#if Server && Client && SQLite
import CommandTesting
import Foundation
import IRMATool
import Testing

/// `irma scheme issuer revoke`, at a server that is the authority.
@Suite struct IssuerRevokeTests {
    /// Issues a credential that can be revoked.
    private static let pass = ["--issue", "demo.bank.pass=1", "--revocation-key", "first"]
    private let disk: SchemeOnDisk

    init() async throws {
        disk = try await SchemeOnDisk()
    }

    private func revoke(_ type: String, _ key: String, _ url: String, _ flags: String...) async -> Invocation {
        await Invocation.run(
            IRMATool.self,
            ["scheme", "issuer", "revoke", type, key, url, "-s", disk.schemes] + flags,
            now: SchemeOnDisk.now
        )
    }

    @Test func revokesWhatWasIssued() async throws {
        let file = try disk.folder.write(
            """
            no_auth: false
            revocation_settings:
              demo.bank.pass:
                authority: true
            requestors:
              bank:
                auth_method: token
                key: secret
                issue_perms: [demo.bank.pass]
                revoke_perms: [demo.bank.pass]
              shop:
                auth_method: token
                key: other
            """,
            to: "irmaserver.yml"
        )
        try await withRunning(
            "server",
            "-c",
            file,
            "-s",
            disk.schemes,
            "--schemes-update",
            "0",
            "-p",
            "0",
            "-l",
            "127.0.0.1",
            "--sse",
            "-u",
            "http://127.0.0.1:port"
        ) { server in
            let url = "http://127.0.0.1:\(try server.port())"
            let issued = try await play(at: url, disk, ["-a", "token", "--key", "secret"] + Self.pass)
            #expect(issued == [0, 0])
            let stranger = await revoke("demo.bank.pass", "first", url, "-a", "token", "--key", "other")
            #expect(stranger.status == 2)
            #expect(stranger.errors.contains("UNAUTHORIZED"))
            let revoked = await revoke("demo.bank.pass", "first", url, "-a", "token", "--key", "secret")
            #expect(revoked.status == 0, "\(revoked.errors)")
            let again = await revoke("demo.bank.pass", "first", url, "-a", "token", "--key", "secret")
            #expect(again.status == 2)
            #expect(again.errors.contains("UNKNOWN_REVOCATION_KEY"))
        }
    }

    /// The scheme names the authority by plain http on this machine, which a server in development mode asks.
    @Test func aDevelopersVerifierAsksTheAuthority() async throws {
        let settings = #"{"demo.bank.pass": {"authority": true}}"#
        try await withServer(of: disk, "--revocation-settings", settings, "--revoke-perms", "*") { authority in
            let place = try await SchemeOnDisk(revocationServer: "\(authority)/irma")
            let issued = try await play(at: authority, place, Self.pass)
            #expect(issued == [0, 0])
            let request = """
                {"@context": "https://irma.app/ld/request/disclosure/v2", "disclose": [[["demo.bank.pass.id"]]],
                "revocation": ["demo.bank.pass"]}
                """
            try await withServer(of: place) { verifier in
                let shown = try await play(at: verifier, place, ["--request", request])
                #expect(shown == [0, 0])
            }
            #expect(try await playAlone(place, request) == [0, 0])
            let revoked = await revoke("demo.bank.pass", "first", authority)
            #expect(revoked.status == 0, "\(revoked.errors)")
            let alone = try await playAlone(place, request)
            #expect(!alone.contains(0))
            try await withServer(of: place) { verifier in
                let refused = try await play(at: verifier, place, ["--request", request])
                #expect(!refused.contains(0))
            }
        }
    }

    /// Plays a session of a server with the wallet: the status of the wallet's command, and that of the requestor's.
    private func play(at server: String, _ place: SchemeOnDisk, _ request: [String]) async throws -> [Int32] {
        let session = try await RunningCommand(
            ["session", "--server", server, "-s", place.schemes, "--disable-schemes-update", "--noqr"] + request
        )
        let wallet = await disk.wallet(["session", session.readyLine, "--yes"], schemes: place.schemes)
        return [wallet.status, await session.end().status]
    }

    /// Plays a session that the command serves itself.
    private func playAlone(_ place: SchemeOnDisk, _ request: String) async throws -> [Int32] {
        let session = try await RunningCommand([
            "session", "-s", place.schemes, "--disable-schemes-update", "--noqr", "-p", "0", "--listen", "127.0.0.1",
            "-u", "http://127.0.0.1:port", "--request", request,
        ])
        let wallet = await disk.wallet(["session", session.readyLine, "--yes"], schemes: place.schemes)
        return [wallet.status, await session.end().status]
    }

    @Test func refusesTypesThatCannotBeRevoked() async {
        let card = await revoke("demo.bank.card", "x", "http://127.0.0.1:1")
        #expect(card.status == 2)
        #expect(card.errors.contains("cannot be revoked"))
        let unknown = await revoke("demo.bank.no", "x", "http://127.0.0.1:1")
        #expect(unknown.errors.contains("unknown credential type"))
        let nobody = await revoke("demo.bank.pass", "x", "http://127.0.0.1:1")
        #expect(nobody.status == 2)
    }
}
#endif

import CommandTesting
import CredentialTesting
import CryptoCore
import Foundation
import Testing

@testable import CredentialTool

/// A list is made, looked up, carried on, and used by the commands that verify credentials.
@Suite struct StatusListCommandTests {
    private static let uri = "https://issuer.example/lists/1"
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private let folder: TemporaryFolder
    private let key: String
    private let publicKey: String

    init() async throws {
        folder = try TemporaryFolder()
        key = folder.path("key.pem")
        publicKey = folder.path("public.pem")
        let made = await Invocation.run("key", "generate", "--private-key", key, "--public-key", publicKey)
        try #require(made.status == 0)
    }

    private func create(_ options: String..., uri: String = uri) async throws -> String {
        let arguments = ["status-list", "create", "--uri", uri, "--issuer-key", key] + options
        let made = await Invocation.run(arguments: arguments, now: Self.now)
        try #require(made.status == 0, "\(made.errors)")
        return try folder.write(made.output, to: UUID().uuidString)
    }

    private func check(_ file: String, _ index: Int, _ options: String..., at time: Date = now) async -> Invocation {
        let arguments = ["status-list", "check", file, "--index", "\(index)", "--key", publicKey]
        return await Invocation.run(arguments: arguments + options, now: time)
    }

    @Test(arguments: ["jwt", "cwt"])
    func looksUpWhatWasSet(_ form: String) async throws {
        let list = try await create(
            "--entries",
            "100",
            "--bits",
            "2",
            "--set",
            "1=invalid",
            "--set",
            "2=suspended",
            "--set",
            "3=3",
            "--form",
            form
        )
        let valid = await check(list, 0)
        #expect(valid.status == 0, "\(valid.output)\(valid.errors)")
        #expect(valid.output.contains("verdict: verified"))
        for (index, word) in [(1, "revoked"), (2, "suspended"), (3, "application"), (400, "unknown")] {
            let other = await check(list, index)
            #expect(other.status == 1)
            #expect(other.output.contains("status: \(word)"), "\(other.output)")
        }
    }

    @Test func refusesAnotherSignerAnotherURIAndAnExpiredList() async throws {
        let list = try await create("--entries", "8", "--expires", "2023-12-01")
        #expect(await check(list, 0).status == 0)
        #expect(await check(list, 0, "--uri", "https://issuer.example/lists/2").status == 2)
        #expect(await check(list, 0, at: Self.now + 60 * 86_400).output.contains("reason: expired"))
        #expect(
            await Invocation.run("key", "generate", "--private-key", key, "--public-key", publicKey, "--force").status
                == 0
        )
        #expect(await check(list, 0).output.contains("verdict: refused"))
    }

    /// A purpose that issuers and verifiers could have agreed on for the signers of lists.
    private static let purpose = "1.3.6.1.4.1.55555.1"

    /// The purposes of the signer's certificate, those that the command line names, and the exit status.
    private static let purposes: [([String], [String], Int32)] = [
        ([], [], 0), ([purpose], [purpose], 0), ([purpose], ["1.2.3", purpose], 0),
        // A certificate that is limited to a purpose needs one that is named, and a named one must be there.
        ([purpose], [], 1), (["1.0.18013.5.1.2"], [], 1), (["1.0.18013.5.1.2"], [purpose], 1), ([], [purpose], 1),
    ]

    @Test(arguments: purposes)
    func takesTheSignerThatAnAuthorityCertified(
        _ purposes: [String],
        _ named: [String],
        _ status: Int32
    ) async throws {
        let pki = try await MdocTestPKI.make(at: Self.now)
        let certificate = try await pki.iaca.issueStatusListSigner(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia lists"),
            publicKey: PublicKey(pem: String(contentsOfFile: publicKey, encoding: .utf8)),
            validity: Self.now - 3600...Self.now + 3600,
            purposes: purposes.compactMap { OID($0) }
        )
        let signer = try folder.write(certificate.pem, to: "signer.pem")
        let anchor = try folder.write(pki.iaca.certificate.pem, to: "iaca.pem")
        for form in ["jwt", "cwt"] {
            let list = try await create("--entries", "8", "--form", form, "--issuer-certificate", signer)
            let checked = await Invocation.run(
                arguments: ["status-list", "check", list, "--index", "1", "--trust", anchor]
                    + named.flatMap { ["--key-purpose", $0] },
                now: Self.now
            )
            #expect(checked.status == status, "\(checked.output)\(checked.errors)")
            #expect(checked.output.contains("reason: issuerNotTrusted") == (status == 1), "\(checked.output)")
        }
    }

    @Test(arguments: [["--key", "k", "--key-purpose", "1.2.3"], ["--trust", "t", "--key-purpose", "serverAuth"]])
    func refusesPurposesThatNameNothing(_ options: [String]) async {
        let checked = await Invocation.run(arguments: ["status-list", "check", "l", "--index", "1"] + options)
        #expect(checked.status == 2)
        #expect(checked.errors.contains("--key-purpose"), "\(checked.errors)")
    }

    @Test func carriesAnEarlierListOn() async throws {
        for form in ["jwt", "cwt"] {
            let first = try await create("--entries", "16", "--set", "4=invalid", "--form", form)
            let second = try await create("--previous", first, "--set", "5=invalid", "--form", form)
            #expect(await check(second, 4).status == 1)
            #expect(await check(second, 5).status == 1)
            #expect(await check(second, 6).status == 0)
        }
    }

    /// The line break that the command prints, and those that editors leave at the end of a file.
    @Test(arguments: ["\n", "\r\n", " \n\n"])
    func readsATokenThatALineBreakFollows(_ ending: String) async throws {
        let list = try await create("--entries", "8", "--set", "1=invalid")
        let text = try String(contentsOfFile: list, encoding: .utf8)
        let saved = try folder.write(text.trimmingCharacters(in: .whitespacesAndNewlines) + ending, to: "list.jwt")
        let valid = await check(saved, 0)
        #expect(valid.status == 0, "\(valid.output)\(valid.errors)")
        #expect(await check(saved, 1).status == 1)
    }

    @Test func collectsListsInASnapshot() async throws {
        let other = "https://issuer.example/lists/2"
        let first = try await create("--entries", "8", "--set", "1=invalid")
        let both = try await create("--entries", "8", "--snapshot", "--with", first, uri: other)
        let ambiguous = await check(both, 1)
        #expect(ambiguous.status == 2)
        #expect(ambiguous.errors.contains("say which with --uri"))
        #expect(await check(both, 1, "--uri", Self.uri).status == 1)
        #expect(await check(both, 1, "--uri", other).status == 0)
    }

    /// A revoked SD-JWT VC is refused by the list that the command made.
    @Test(arguments: [(0, 0), (1, 1)])
    func isTakenByTheVerifyingCommands(index: Int, status: Int32) async throws {
        let list = try await create("--entries", "8", "--set", "1=invalid", "--snapshot")
        let claims = #"{"given_name": "Erika", "status": {"status_list": {"idx": \#(index), "uri": "\#(Self.uri)"}}}"#
        let issued = await Invocation.run(
            arguments: [
                "sdjwt", "issue", try folder.write(claims, to: "claims.json"), "--issuer-key", key, "--credential-type",
                "https://issuer.example/person",
            ],
            now: Self.now
        )
        let credential = try folder.write(issued.output, to: "credential.sdjwt")
        let arguments = ["sdjwt", "verify", credential, "--key", publicKey]
        let verified = await Invocation.run(arguments: arguments + ["--status", list], now: Self.now)
        #expect(verified.status == status, "\(verified.output)\(verified.errors)")
        #expect(await Invocation.run(arguments: arguments, now: Self.now).status == 1)
    }

    @Test(arguments: [
        ["--entries", "0"], [], ["--entries", "8", "--bits", "3"], ["--entries", "8", "--set", "1"],
        ["--entries", "8", "--set", "-1=invalid"], ["--entries", "8", "--set", "1=300"],
        ["--entries", "8", "--set", "1=suspended"], ["--entries", "8", "--set", "8=invalid"],
        ["--entries", "8", "--with", "x"], ["--entries", "8", "--previous", "x"],
    ])
    func refusesOptionsThatMakeNoList(_ options: [String]) async {
        let arguments = ["status-list", "create", "--uri", Self.uri, "--issuer-key", key] + options
        let made = await Invocation.run(arguments: arguments)
        #expect(made.status == 2)
        #expect(made.output.isEmpty)
    }

    /// Without the trait Client there is no network, with it no private address is contacted.
    @Test func refusesAListThatCannotBeFetched() async {
        let checked = await check("https://127.0.0.1/lists/1", 0)
        #expect(checked.status == 2)
    }
}

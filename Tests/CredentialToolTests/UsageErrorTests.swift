import CommandTesting
import Foundation
import JSONKit
import Testing

@testable import CredentialTool

/// An error about a command line is one line that says what is wrong, and what would be right.
@Suite struct UsageErrorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [
        (["mdco"], "did you mean 'credential mdoc'"),
        (["mdoc", "verfy", "x"], "did you mean 'credential mdoc verify'"),
        (["xyzzy", "--json"], "there are: inspect, mdoc"), (["key", "make"], "there are: generate, convert"),
        (["jwt", "verify", "-", "--key", "k", "--at", "today"], "2024-10-01T12:00:00Z"),
        (["mdoc", "issue", "--valid-from", "2024-10-01T12:00:00"], "2024-10-01T12:00:00Z"),
        (["mdoc", "verify", "x"], "--trust"), (["jwt", "verify", "x", "--kye", "k"], "--key"),
        (["inspect", "/tmp"], "/tmp is a folder"), (["inspect", "/nowhere/at/all"], "there is no such file"),
        (["mdoc", "verify", "x", "--trust", "/tmp"], "/tmp is a folder"),
        (["mdoc", "xy\u{1b}[31m\nerror: fine"], #"xy\u{001B}[31m\u{000A}error: fine"#),
    ])
    func saysInOneLineWhatWouldBeRight(_ arguments: [String], _ text: String) async {
        let invocation = await Invocation.run(arguments: arguments)
        #expect(invocation.status == 2)
        #expect(invocation.output.isEmpty)
        #expect(invocation.errors.hasPrefix("error: "), "\(invocation.errors)")
        #expect(!invocation.errors.contains("\n"), "\(invocation.errors)")
        #expect(invocation.errors.contains(text), "\(invocation.errors)")
    }

    @Test func printsItsVersion() async {
        let invocation = await Invocation.run("--version")
        #expect(invocation.status == 0)
        #expect(invocation.output.hasPrefix("credential "))
    }

    /// Every help page shows defaults as one would write them.
    @Test func helpPagesShowNoTypes() async throws {
        var groups = [[String]()]
        var pages = 0
        while let group = groups.popLast(), pages < 200 {
            let help = await Invocation.run(arguments: group + ["--help"])
            #expect(help.status == 0)
            #expect(!help.output.contains("InputFile") && !help.output.contains("(path:"), "\(group)")
            pages += 1
            guard let list = help.output.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().first else { continue }
            // An empty line ends the list.
            for line in list.components(separatedBy: "\n\n")[0].split(separator: "\n") where !line.hasPrefix("   ") {
                groups += line.split(separator: " ").first.map { [group + [String($0)]] } ?? []
            }
        }
        #expect(pages > 30)
    }
}

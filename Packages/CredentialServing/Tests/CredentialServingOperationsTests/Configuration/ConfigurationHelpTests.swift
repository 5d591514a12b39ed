#if Server
import CredentialServingOperations
import Testing

@Suite struct ConfigurationHelpTests {
    private func help() throws -> String {
        try Sample.schema().helpText(
            program: "irma server",
            summary: "Runs an IRMA server.",
            folders: [".", "/etc/irmaserver"]
        )
    }

    /// The flag that the help prints for a key, made here apart from the code under test.
    private func flag(_ path: [String]) -> String {
        "--" + path.joined(separator: "-").split(separator: "_").joined(separator: "-")
    }

    @Test func namesEveryKeyWithItsFlagVariableDefaultAndHelp() throws {
        let text = try help()
        let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        for declaration in Sample.declarations where !declaration.path.contains("*") {
            let variable = "IRMASERVER_" + declaration.path.joined(separator: "_").uppercased()
            #expect(text.contains("\(flag(declaration.path)) ") || text.contains("\(flag(declaration.path))\n"))
            #expect(text.contains(variable + ")"))
            #expect(words.contains(declaration.help))
            if let value = declaration.defaultText { #expect(words.contains("default: " + value)) }
            if let letter = declaration.letter { #expect(text.contains("  -\(letter), \(flag(declaration.path))")) }
            if declaration.hasFileForm {
                #expect(words.contains("\(flag(declaration.path))-file <file>"))
                #expect(words.contains(variable + "_FILE)"))
            }
            for alias in declaration.aliases { #expect(words.contains("Also called \(alias.joined(separator: ".")).")) }
        }
    }

    @Test func namesTheKeysOfNamedTables() throws {
        let text = try help()
        #expect(text.contains("--requestors <JSON>"))
        #expect(text.contains("IRMASERVER_REQUESTORS"))
        for member in ["auth_method <token|hmac|publickey>", "key <text>", "disclose_perms <text>,…"] {
            #expect(text.contains("requestors.<name>.\(member)"))
        }
        #expect(text.contains("key_file names a file that holds the value."))
    }

    @Test func everyFlagOfTheHelpIsTaken() throws {
        for declaration in Sample.declarations where !declaration.path.contains("*") {
            let error = #expect(throws: OperationsError.self) {
                _ = try Sample.load([flag(declaration.path) + "=\u{1}", "--nonsense"])
            }
            let faults = [error].compactMap { $0 } + (error?.others ?? [])
            #expect(faults.filter { $0.code == .unknownKey }.map(\.path) == [["nonsense"]])
        }
    }

    @Test func printsUnitsAndBounds() throws {
        let text = try help()
        #expect(text.contains("--port <number>"))
        #expect(text.contains("default: 8088; 0 to 65535"))
        #expect(text.contains("--max-session-lifetime <minutes>"))
        #expect(text.contains("default: 15m; 1s to 1440m"))
        #expect(text.contains("--store-type <memory|redis>"))
        #expect(text.contains("irmaserver.{json|yaml|yml|toml} in the first of ., /etc/irmaserver"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test func helpGoesBeforeFaults() throws {
        #expect(throws: Sample.HelpRequested.self) { try Sample.load(["--nonsense", "--help"]) }
        #expect(throws: Sample.HelpRequested.self) { try Sample.load(["-h"]) }
    }
}
#endif

import ArgumentParser

/// `credential mdoc`: the commands for ISO/IEC 18013-5 documents.
struct MdocCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mdoc",
        abstract: "Verifies, issues and presents mobile documents (ISO/IEC 18013-5).",
        subcommands: [
            MdocVerifyCommand.self, MdocIssueCommand.self, MdocRequestCommand.self, MdocPresentCommand.self,
            MdocEngageCommand.self, MdocReadCommand.self, MdocLintCommand.self, MdocVICALCommand.self,
            MdocTestPKICommand.self,
        ]
    )
}

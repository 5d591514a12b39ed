import ArgumentParser
import CommandSupport
import Foundation
import IRMAMessages

/// `irma scheme verify`: checks one scheme, or all schemes of a folder.
struct SchemeVerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies the signature and the content of schemes.",
        discussion: "The key is the one in the scheme's folder; its origin is not checked."
    )

    @Argument(help: "The folder of a scheme, or of schemes; by default the current one.")
    var path = "."

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let folder = SchemeFolder.absolute(path)
        let isScheme = SchemeFolder.isScheme(folder.path)
        let directory = try SchemeFolder.opened((isScheme ? folder.deletingLastPathComponent() : folder).path)
        let schemes = isScheme ? [SchemeIdentifier(folder.lastPathComponent)] : try await directory.schemes()
        guard !schemes.isEmpty else {
            throw ToolError("\(path.escapedForDisplay(backslash: true)) has neither a scheme nor folders of schemes")
        }
        var reports: [(name: String, value: Outline)] = []
        var isRefused = false
        for scheme in schemes {
            do throws(IRMAError) {
                reports.append((scheme.text, try await Self.verify(scheme, in: directory)))
            } catch {
                guard error.code != .storageFailed else { throw ToolError("\(error)") }
                reports.append((scheme.text, .fields(["verdict": "refused", "reason": .text("\(error)")])))
                isRefused = true
            }
        }
        return Outcome(report: .fields(reports), isRefusal: isRefused)
    }

    private static func verify(
        _ id: SchemeIdentifier,
        in directory: SchemeDirectory
    ) async throws(IRMAError) -> Outline {
        guard let files = try await directory.verifiedFiles(of: id) else {
            throw IRMAError(.invalidScheme, "the scheme has no index", path: [id.text])
        }
        guard files.files[RequestorScheme.descriptionPath] == nil else {
            let scheme = try RequestorScheme(files)
            return .fields([
                "verdict": "verified", "signed": .text(scheme.time.utcText),
                "requestors": .number(scheme.requestors.count),
            ])
        }
        let scheme = try IRMAScheme(files)
        try scheme.readAllKeys()
        return .fields([
            "verdict": "verified", "signed": .text(scheme.time.utcText), "issuers": .number(scheme.issuers.count),
            "credential types": .number(scheme.credentialTypes.count),
        ])
    }
}

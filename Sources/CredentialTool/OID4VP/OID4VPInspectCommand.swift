import ArgumentParser
import CommandSupport
import Foundation
import JOSEKit
import JSONKit
import OID4VPMessages

/// `credential oid4vp inspect`: shows what a request asks for, and every deviation from its version and from HAIP.
struct OID4VPInspectCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows the content of a request, and its deviations from its version and from HAIP.",
        discussion: """
            The request is a URL, a request object (a compact JWS), the data of a request over the Digital Credentials \
            API, or a JSON object of parameters. Nothing is fetched and nothing is verified: of a request by reference, \
            save the object and inspect that.
            """
    )

    @Argument(help: "The request's URL, or a file with the request, or - for standard input.")
    var request: String

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let text = Self.isURL(request) ? request : try InputFile(argument: request).text()
        let inspection = try RequestInspection(of: text)
        return Outcome(report: inspection.outline, isRefusal: inspection.isUnreadable)
    }

    /// Returns `true` for a scheme followed by a query, which no name of a file is taken for.
    static func isURL(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return false }
        let isScheme = text[..<colon].utf8.allSatisfy { byte in
            Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
                || "+-.".utf8.contains(byte)
        }
        return isScheme && text[colon...].contains("?")
    }
}

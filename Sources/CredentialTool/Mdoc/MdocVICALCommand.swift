import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import MdocKit
import MdocTrust

/// `credential mdoc vical`: lists what a VICAL holds and verifies it where its provider is known.
struct MdocVICALCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "vical",
        abstract: "Lists the authorities of a VICAL, and verifies it against its provider's roots.",
        discussion: """
            Without --trust the list is only shown: the verdict is "not verified", and the exit status is 0. A list whose next issue is due is verified and \
            says that it is; one past its notAfter is refused. Give --last-issue and --last-date of the issue that was \
            accepted last, so that no earlier one takes its place.
            """
    )

    @Argument(help: "The VICAL, or - for standard input.")
    var file = InputFile(argument: "-")

    @Option(name: .long, help: "A file of the provider's root certificates, PEM or DER; may be repeated.")
    var trust: [InputFile] = []

    @Option(name: .long, help: "The number of the issue that was accepted last: older ones are refused.")
    var lastIssue: UInt64?

    @Option(
        name: .long,
        help:
            "The date of the issue that was accepted last, as its listing shows it: an earlier one is refused where the numbers are equal or missing."
    )
    var lastDate: TimeArgument?

    @Option(
        name: .long,
        help:
            "The time to verify at, in RFC 3339 such as 2024-10-01T12:00:00Z; a day means its first moment in UTC. By default now."
    )
    var at: TimeArgument?

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard !trust.isEmpty || lastIssue == nil && lastDate == nil && at == nil else {
            throw ValidationError("--last-issue, --last-date and --at need --trust.")
        }
    }

    func outcome() async throws -> Outcome {
        let bytes = try file.decoded().bytes
        let list = try file.reading("VICAL") { try VICAL(decoding: bytes, options: .deployed) }
        guard !trust.isEmpty else {
            return Outcome(report: .fields(["verdict": "not verified", "list": list.outline]))
        }
        let now = at?.date ?? Console.current.now()
        let verification = list.verify(
            anchors: try trust.flatMap { try $0.certificates() },
            at: now,
            lastIssueID: lastIssue,
            lastDate: lastDate?.date
        )
        return Outcome(
            verification,
            [
                "signer": verification.verified.map { .text("\($0.signer.leaf.subject)") },
                "next issue": verification.verified.map(\.freshness.outline),
                "list": list.outline,
            ]
        )
    }
}

extension TrustListFreshness {
    fileprivate var outline: Outline {
        switch self {
        case .unknown: "not announced"
        case .current(let date): .text("expected at \(date.utcText)")
        case .updateDue(let date): .text("due since \(date.utcText)")
        }
    }
}

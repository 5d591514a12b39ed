import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import IRMAMessages
import JSONKit
import VerificationCore

/// `irma verify`: verifies a signature or a disclosure in a file.
struct VerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies an attribute-based signature or a disclosure.",
        discussion: """
            A signature is verified alone, or with the request that it answers. A disclosure is verified with its request, \
            which has the session's nonce and context. Nothing is fetched.
            """
    )

    @Argument(help: "The file with the signed message or the disclosure, or - for standard input.")
    var file: InputFile

    @Option(
        name: [.customShort("r"), .long],
        help: "The file with the request that is answered, or - for standard input."
    )
    var request: InputFile?

    @Option(
        name: .long,
        help: "A trusted key of a timestamp server, as URL=KEY with the key in base64; may be repeated."
    )
    var timestampKey: [TimestampKeyArgument] = []

    @Option(name: .customLong("at"), help: "The time of the verification, in RFC 3339.")
    var time: TimeArgument?

    @OptionGroup var schemes: SchemesOptions
    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let json = try file.reading("JSON") { try JSONValue(parsing: try file.read()) }
        let request = try request.map { file in
            try file.reading("session request") { try SessionRequest(decoding: try file.read()) }
        }
        let snapshot = try await schemes.snapshot()
        let time = time?.date ?? Console.current.now()
        if json["signature"] != nil {
            let message = try file.reading("signed message") { try SignedMessage(json: json) }
            var keys = TimestampKeys()
            for key in timestampKey { keys.add(key.key, of: key.server) }
            let verifier = SignatureVerifier(schemes: snapshot, timestampKeys: keys)
            let outcome = verifier.verify(message, answering: request, at: time)
            return Self.outcome(outcome, message: message.message)
        }
        let response = try file.reading("disclosure") { try DisclosureResponse(json: json) }
        guard let request else { throw ToolError("a disclosure is verified with its request: name it with --request") }
        let outcome = DisclosureVerifier(schemes: snapshot).verify(response, answering: request, at: time)
        return Self.outcome(outcome, message: nil)
    }

    private static func outcome(_ outcome: DisclosureOutcome, message: String?) -> Outcome {
        let disclosed = outcome.verification.verified?.disclosed.map { disjunction in
            Outline.list(disjunction.map { $0.outline })
        }
        return Outcome(
            outcome.verification,
            [
                "status": .text(outcome.proofStatus.name),
                "message": message.map { .verbatim($0) },
                "disclosed": disclosed.map { .list($0) },
            ]
        )
    }
}

extension DisclosedAttribute {
    fileprivate var outline: Outline {
        .fields([
            "attribute": .text(id.text),
            "value": rawValue.map { .verbatim($0) },
            "status": .text(status.name),
        ])
    }
}

/// A trusted key of a timestamp server on the command line.
struct TimestampKeyArgument: ExpressibleByArgument, Sendable {
    let server: String
    let key: TimestampKey

    init?(argument: String) {
        // The key may end with signs of equality, the URL has none.
        let parts = argument.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let bytes = Data(base64Encoded: String(parts[1])),
            let key = try? TimestampKey(rawRepresentation: Array(bytes))
        else { return nil }
        server = String(parts[0])
        self.key = key
    }
}

import ArgumentParser
import CommandSupport
import Foundation
import JOSEKit
import JSONKit
@_spi(Layers) import LinkedDataKit

/// `credential ld verify`: makes every check of a credential or presentation and prints each outcome.
struct LinkedDataVerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies a credential or presentation of the data model 1.1 or 2.0, with proofs or as a token.",
        discussion: """
            Keys are found in did:key and did:jwk, and in the documents that --did-document names. Content is printed \
            only if every check passes.
            """
    )

    @Argument(help: "The credential or presentation, or - for standard input.")
    var file = InputFile(argument: "-")

    @Option(name: .long, help: "An issuer that is trusted, by its identifier; may be repeated.")
    var trust: [String] = []

    @Flag(name: .long, help: "Trust any issuer; the output names the one that signed.")
    var anyIssuer = false

    @Option(name: .long, help: "The DID document of a party whose DID is not its key; may be repeated.")
    var didDocument: [InputFile] = []

    @Option(
        name: .long,
        parsing: .unconditional,
        help: "The challenge of a presentation's proof, or the nonce of its token."
    )
    var challenge: String?

    @Option(name: .long, help: "The domain of a presentation's proof, or the audience of its token.")
    var domain: String?

    @Option(name: .long, help: "The largest age of a presentation in seconds; by default any.")
    var maximumAge: Double?

    @Flag(name: .long, help: "Accept credentials about others than the holder.")
    var anySubject = false

    @Option(
        name: .long,
        help: ArgumentHelp("The credential of a bitstring status list; may be repeated.", valueName: "url=file")
    )
    var statusList: [ContextArgument] = []

    @Flag(name: .long, help: "Take credentials whatever their status; the output says so.")
    var ignoreStatus = false

    @Flag(name: .long, help: "Take credentials whose JSON has another form than the usual one, and show what deviates.")
    var tolerant = false

    @Option(name: .long, help: "A signature algorithm of tokens to accept; may be repeated.")
    var algorithm: [SignatureAlgorithmName] = [.es256, .es384, .es256K, .edDSA, .ps256].map { .init($0) }

    @Option(
        name: .long,
        help:
            "The time to verify at, in RFC 3339 such as 2024-10-01T12:00:00Z; a day means its first moment in UTC. By default now."
    )
    var at: TimeArgument?

    @OptionGroup var options: LinkedDataOptions

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard trust.isEmpty == anyIssuer else {
            throw ValidationError("Say which issuers are trusted: with --trust, or with --any-issuer.")
        }
        guard !ignoreStatus || statusList.isEmpty else {
            throw ValidationError("Say --status-list, or --ignore-status, not both.")
        }
        guard maximumAge.map({ $0 >= 0 && $0.isFinite }) ?? true else {
            throw ValidationError("--maximum-age must be a number of seconds that is not negative")
        }
    }

    func outcome() async throws -> Outcome {
        let now = at?.date ?? Console.current.now()
        let bytes = Array(TextClass.trimmed(try file.read()))
        let verifier = try verifier(at: now)
        guard try file.holdsPresentation(bytes) else {
            let credential = try file.reading("credential") { try VerifiableCredential(decoding: bytes) }
            let verification = await verifier.verify(credential)
            return Outcome(
                verification,
                [
                    "hint": verification.vocabularyHint,
                    "signer": verification.verified.map { .text("\($0.controller)") },
                    "credential": verification.verified.map { .json(.object($0.content.members)) },
                ]
            )
        }
        let presentation = try file.reading("presentation") { try VerifiablePresentation(decoding: bytes) }
        let expectation = W3CPresentationExpectation(
            nonce: challenge.map { ExactText($0) },
            audience: domain.map { ExactText($0) },
            maximumAge: maximumAge
        )
        let verification = await verifier.verify(presentation, expecting: expectation)
        return Outcome(
            verification,
            [
                "hint": verification.vocabularyHint,
                "holder": verification.verified.map { .text("\($0.holder)") },
                "credentials": verification.verified.map { presentation in
                    .list(presentation.credentials.map { .json(.object($0.content.members)) })
                },
            ]
        )
    }

    private func verifier(at now: Date) throws -> W3CCredentialVerifier {
        var policy = W3CCredentialPolicy(
            proofs: LinkedDataProofPolicy(linkedData: options.linkedData),
            tokens: JWSVerificationPolicy(algorithms: Set(algorithm.map(\.algorithm))),
            holder: anySubject ? .anyone : .subjectWhenNamed
        )
        if tolerant { policy.tolerances = [.otherForms, .sharedNodes, .claimTimes] }
        policy.status = ignoreStatus ? .waived : .whenNamed
        return try options.verifier(
            policy: policy,
            trust: W3CCredentialTrust(issuers: trust, orAny: anyIssuer),
            documents: didDocument,
            lists: statusList.isEmpty ? nil : try ListFiles.transport(statusList),
            clock: { now }
        )
    }
}

extension InputFile {
    /// Returns `true` for a presentation, by the unverified type of a document or token.
    fileprivate func holdsPresentation(_ bytes: [UInt8]) throws(ToolError) -> Bool {
        try reading("credential or presentation") {
            if bytes.first == UInt8(ascii: "{") {
                let types = try JSONValue(parsing: bytes)["type"]
                let presentations: [JSONValue] = ["VerifiablePresentation", "EnvelopedVerifiablePresentation"]
                return (types?.arrayValue ?? types.map { [$0] } ?? []).contains(where: presentations.contains)
            }
            let token = try JWT(compact: bytes)
            _ = try JWTClaims(decoding: token.jws.unverifiedPayload ?? [])
            return W3CTokenForm(token).isPresentation
        }
    }
}

import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import JSONKit
import MdocKit
import OID4VPMessages
import OID4VPVerifier

/// `credential oid4vp verify`: makes every check of a wallet's answer and prints each outcome.
struct OID4VPVerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies a wallet's answer to a request of `credential oid4vp request`.",
        discussion: """
            The answer is the body of the wallet's POST, the URL that it opened, the JSON of `credential oid4vp present` \
            or of the Digital Credentials API, or a JWE. Claims are printed only if every check passes. A transaction \
            is answered once; this command keeps no record of it.
            """
    )

    @Argument(help: "The answer, or - for standard input.")
    var answer = InputFile(argument: "-")

    @Option(name: .long, help: "The transaction that `credential oid4vp request` wrote.")
    var transaction: InputFile

    @Option(name: .long, help: "The origin of the page that received the answer from the Digital Credentials API.")
    var origin: String?

    @Option(
        name: .long,
        help:
            "The time to verify at, in RFC 3339 such as 2024-10-01T12:00:00Z; a day means its first moment in UTC. By default now."
    )
    var at: TimeArgument?

    @Option(name: .long, help: "The largest age of the holder's proof in seconds.")
    var maximumAge = 300.0

    @Flag(
        name: .long,
        help: "Read the known deviations of deployed wallets and other forms of W3C credentials, and list them."
    )
    var tolerant = false

    @OptionGroup var verifierOptions: PresentationVerifierOptions

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard maximumAge >= 0, maximumAge.isFinite else {
            throw ValidationError("--maximum-age must be a number of seconds that is not negative")
        }
    }

    func outcome() async throws -> Outcome {
        let now = at?.date ?? Console.current.now()
        let bytes = try transaction.read()
        let request = try transaction.reading("transaction") { try CreatedRequest(decoding: bytes) }
        guard now < request.expiresAt else {
            return Outcome(
                Self.refusal(.validity, .expired, "the request expired at \(request.expiresAt.utcText)", at: now),
                isTolerant: tolerant
            )
        }
        let received = try received(for: request.expectation)
        let reader = ResponseReader(options: tolerant ? .deployed : .strict)
        let response: WalletResponse
        do throws(OID4VPVerifierError) {
            response = try await reader.read(received, for: request.expectation, at: now)
        } catch {
            guard let (check, reason) = Self.refusals[error.code] else {
                throw ToolError("\(answer.name) is no readable answer: \(error)")
            }
            return Outcome(Self.refusal(check, reason, error.message, at: now), isTolerant: tolerant)
        }
        switch response {
        case .error(let error): return error.outcome
        case .presentations(let presentations):
            let verifier = PresentationVerifier(
                try verifierOptions.verifiers(isTolerant: tolerant) { now },
                policy: try policy(),
                clock: { now }
            )
            return Outcome(await verifier.verify(presentations, for: request.expectation), isTolerant: tolerant)
        }
    }

    private func policy() throws -> PresentationPolicy {
        var policy = try verifierOptions.policy(keeping: profile.presentationProfile, isTolerant: tolerant)
        policy.maximumProofAge = maximumAge
        return policy
    }

    private func received(for expectation: ResponseExpectation) throws -> ReceivedResponse {
        let text = try answer.text()
        return try answer.reading("answer") {
            let answer = try WalletAnswer(text)
            guard case .digitalCredentials = expectation.channel else { return try ReceivedResponse(form: answer.form) }
            guard let origin else { throw ToolError("the request was for a page: say --origin") }
            return ReceivedResponse(digitalCredentials: try answer.platformData, origin: origin)
        }
    }

    // MARK: Refusals

    /// The failures of an answer that can be read, and is not one to this transaction.
    private static let refusals: [OID4VPVerifierError.Code: (Check, Reason)] = [
        .originMismatch: ("origin", "originMismatch"), .stateMismatch: ("state", .claimMismatch),
        .notEncrypted: ("encryption", "notEncrypted"), .decryptionFailed: ("encryption", "decryptionFailed"),
        .invalidSignedResponse: (.signature, "invalidSignedResponse"),
    ]

    private static func refusal(
        _ check: Check,
        _ reason: Reason,
        _ message: String,
        at time: Date
    ) -> Verification<VerifiedResponse> {
        var checklist = Checklist([check] + PresentationVerifier.responseChecks, at: time)
        checklist.record(check, .failed(reason, message))
        return checklist.verification(of: nil)
    }
}

extension Outcome {
    /// The outcome of a response, with the credentials that answer each query.
    fileprivate init(_ verification: Verification<VerifiedResponse>, isTolerant: Bool) {
        let answers = verification.verified?.answers.map { answer in
            (name: answer.query.text, value: Outline.list(answer.credentials.map(\.outline)))
        }
        let hint = verification.vocabularyHint ?? (isTolerant ? nil : verification.toleranceHint)
        self.init(verification, ["hint": hint, "credentials": answers.map { .fields($0) }])
    }
}

extension PresentedCredential {
    /// The credential with its claims.
    fileprivate var outline: Outline {
        .fields([
            "format": .text(format.text), "types": .list(types.map { .verbatim($0.text) }), "issuer": .verbatim(issuer),
            "holder bound": .flag(isHolderBound), "claims": .json(.object(claims)),
            "authorized transactions": authorizedTransactions.isEmpty
                ? nil : .list(authorizedTransactions.map { .verbatim($0) }),
        ])
    }
}

extension WalletErrorResponse {
    /// The wallet's error as the outcome: nothing was presented.
    fileprivate var outcome: Outcome {
        Outcome(
            report: .fields([
                "verdict": "declined", "error": .verbatim(code.text), "description": description.map { .verbatim($0) },
            ]),
            isRefusal: true
        )
    }
}

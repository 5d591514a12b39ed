import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit

/// `credential sdjwt verify`: makes every check of an SD-JWT and prints each outcome.
struct SDJWTVerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies an SD-JWT, compact or in JSON, with its key binding if one is expected.",
        discussion: """
            With --audience and --nonce a matching Key Binding JWT is required; without them none is accepted. Claims are \
            printed only if every check passes.
            """
    )

    @Argument(help: "The SD-JWT, or - for standard input.")
    var file = InputFile(argument: "-")

    @OptionGroup var keyOptions: JWSKeyOptions

    @Option(name: .long, help: "The credential type (vct) that is accepted; by default any.")
    var credentialType: String?

    @Flag(name: .long, help: "Take any SD-JWT, not only a verifiable credential (dc+sd-jwt, vc+sd-jwt).")
    var anyType = false

    @Option(name: .long, help: "The expected audience of the presentation.")
    var audience: String?

    @Option(name: .long, parsing: .unconditional, help: "The nonce that the presentation must be bound to.")
    var nonce: String?

    @Option(name: .long, help: "The largest age of the key binding in seconds.")
    var maximumAge = 300.0

    @Option(
        name: .long,
        help:
            "The time to verify at, in RFC 3339 such as 2024-10-01T12:00:00Z; a day means its first moment in UTC. By default now."
    )
    var at: TimeArgument?

    @OptionGroup var status: StatusOptions

    @OptionGroup var statusSigner: StatusSignerOptions

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard (audience == nil) == (nonce == nil) else {
            throw ValidationError("A key binding has both: say --audience and --nonce.")
        }
        guard maximumAge >= 0, maximumAge.isFinite else {
            throw ValidationError("--maximum-age must be a number of seconds that is not negative")
        }
    }

    func outcome() async throws -> Outcome {
        let now = at?.date ?? Console.current.now()
        let sdJWT = try file.sdJWT()
        let verifier = SDJWTVerifier(
            policy: policy,
            issuerKeys: IssuerKeys(
                key: try keyOptions.key?.verificationKey(),
                anchors: try keyOptions.anchors()
            ),
            statusChecker: try status.sdJWTChecker(
                algorithms: keyOptions.policy.algorithms,
                signedBy: statusSigner
            ),
            clock: { now }
        )
        let verification = await verifier.verify(sdJWT, expecting: expectation)
        let credential = verification.verified
        return Outcome(
            verification,
            [
                "hint": hint(on: sdJWT, verification),
                "signer": credential?.issuerCertificateChain.map { .text("\($0.leaf.subject)") },
                "claims": credential.map { .json(.object($0.claims)) },
            ]
        )
    }

    /// The options to give for a presentation that is bound to a verifier, where they are missing.
    private func hint<Value>(on sdJWT: SDJWT, _ verification: Verification<Value>) -> Outline? {
        guard audience == nil, sdJWT.keyBindingJWT != nil, verification.verified == nil else { return nil }
        return
            "the presentation is bound to a verifier: say which with --audience, and the nonce it answers with --nonce"
    }

    private var policy: SDJWTVerificationPolicy {
        var policy =
            anyType
            ? SDJWTVerificationPolicy(algorithms: keyOptions.policy)
            : .credential(algorithms: keyOptions.policy, tolerances: .deployed)
        policy.credentialTypes = credentialType.map { [ExactText($0)] }
        policy.status = status.policy
        return policy
    }

    private var expectation: SDJWTExpectation {
        guard let audience, let nonce else { return .noKeyBinding }
        return .keyBinding(KeyBindingExpectation(audience: audience, nonce: nonce, maximumAge: maximumAge))
    }
}

import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit

/// `credential jwt verify`: verifies a token's signature and claims.
struct JWTVerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies a compact JWT: its signature, type, times and expected claims.",
        discussion: "Claims are printed only if every check passes."
    )

    @Argument(help: "The token, or - for standard input.")
    var file = InputFile(argument: "-")

    @OptionGroup var keyOptions: JWSKeyOptions

    @Option(name: .long, help: "The type that the header must state; by default JWT or none.")
    var type: String?

    @Option(name: .long, help: "The issuer that the token must name.")
    var issuer: String?

    @Option(name: .long, help: "The expected audience of the token.")
    var audience: String?

    @Option(name: .long, parsing: .unconditional, help: "The nonce that the token must hold.")
    var nonce: String?

    @Option(name: .long, help: "The tolerated difference between the clocks of issuer and verifier, in seconds.")
    var clockSkew = VerificationTime.defaultClockSkew

    @Option(
        name: .long,
        help:
            "The time to verify at, in RFC 3339 such as 2024-10-01T12:00:00Z; a day means its first moment in UTC. By default now."
    )
    var at: TimeArgument?

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard clockSkew >= 0, clockSkew.isFinite else {
            throw ValidationError("--clock-skew must be a number of seconds that is not negative")
        }
    }

    func outcome() async throws -> Outcome {
        let now = at?.date ?? Console.current.now()
        let token = try file.jwt()
        let key = try keyOptions.verificationKey()
        let verification = token.verify(with: key, policy: keyOptions.policy, claims: claimsPolicy, at: now)
        let verified = verification.verified
        return Outcome(
            verification,
            [
                "header": verified.map { .json(.object($0.header.members)) },
                "claims": verified.map { .json(.object($0.claims.members)) },
            ]
        )
    }

    private var claimsPolicy: JWTClaimsPolicy {
        JWTClaimsPolicy(
            type: type.map { .oneOf([$0]) } ?? .plain,
            issuers: issuer.map { [ExactText($0)] },
            audience: audience.map { .named(ExactText($0)) } ?? .absent,
            nonce: nonce.map { ExactText($0) },
            clockSkew: clockSkew
        )
    }
}
